"""All studies together: one table, and an index page of their figures and pages."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from os.path import relpath
from pathlib import Path

from poinsot.studies.table import AGREES, DIFFERS, Study

STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1f2933}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #d5dbe1}"
    "figure{display:inline-block;width:30rem;max-width:100%;margin:.5rem;vertical-align:top}img{width:100%}figcaption{color:#5b6773}"
)


def overview(studies: Mapping[str, Study]) -> str:
    """One line per study: numbers that agree, numbers that are judged, errors of the paper that were found."""
    rows = [("study", "agree", "differ", "shown only", "errors of the paper"), *(_counts(study) for study in studies.values())]
    widths = [max(len(row[k]) for row in rows) for k in range(5)]
    lines = ["  ".join(cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(zip(row, widths))) for row in rows]
    return "\n".join(["All studies", "===========", "", *lines])


def _counts(study: Study) -> tuple[str, ...]:
    verdicts = [row.verdict for row in study.rows]
    agree, differ = verdicts.count(AGREES), verdicts.count(DIFFERS)
    return study.name, str(agree), str(differ), str(len(verdicts) - agree - differ), str(len(study.corrections))


def write_index(studies: Mapping[str, Study], path: Path) -> Path:
    """Write a page with the table, all figures and links to all pages; files are named relative to it."""
    rows = [[*_counts(study), study.summary()] for study in studies.values()]
    table = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
    names = "".join(f"<th>{name}</th>" for name in ("study", "agree", "differ", "shown only", "errors of the paper", "summary"))
    parts = [f"<h1>All studies</h1><table><tr>{names}</tr>{table}</table>"]
    for study in studies.values():
        links = " ".join(f'<a href="{_beside(file, path)}">{escape(Path(file).stem)}</a>' for file in study.pages)
        pictures = "".join(
            f'<figure><a href="{_beside(file, path)}"><img src="{_beside(file, path)}" alt="{escape(Path(file).stem)}"></a>'
            f"<figcaption>{escape(Path(file).stem.replace('_', ' '))}</figcaption></figure>"
            for file in study.figures
            if file.endswith(".png")
        )
        parts.append(f"<h2>{escape(study.title)}</h2>" + (f"<p>Pages of runs: {links}</p>" if links else "") + pictures)
    path.parent.mkdir(parents=True, exist_ok=True)
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>All studies</title><style>{STYLE}</style>'
    path.write_text(f"{head}<body>{''.join(parts)}</body></html>", encoding="utf-8")
    return path


def _beside(file: str, page: Path) -> str:
    return escape(Path(relpath(file, page.parent)).as_posix())
