"""The programs of the documentation run, page by page, and print the output shown below them."""

import contextlib
import io
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from poinsot.cli import app

DOCS = Path(__file__).parents[1] / "docs"
ALL_PAGES = sorted(path for path in DOCS.rglob("*.md") if "gallery" not in path.parts)
LISTS = ("api/", "theory/", "index.md", "tutorials/index.md", "measurements.md")  # equations, tables, and what docstrings say
PAGES = [path for path in ALL_PAGES if not path.relative_to(DOCS).as_posix().startswith(LISTS)]
ROUNDING = 1e-9  # numbers below it differ between machines


def agree(printed, shown):
    """Word by word; numbers to 2 %, and those at the level of rounding not at all. What a run cost is not compared."""
    printed, shown = (re.sub(r"(?m)^  cost .*$", "", text).split() for text in (printed, shown))
    assert len(printed) == len(shown), (printed, shown)
    for one, other in zip(printed, shown):
        try:
            a, b = float(one.strip(",;")), float(other.strip(",;"))
        except ValueError:
            assert one == other
        else:
            assert abs(a - b) <= 0.02 * abs(b) or max(abs(a), abs(b)) < ROUNDING, (one, other)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).with_suffix("").as_posix())
def test_programs_print_what_the_page_shows(page):
    blocks = re.findall(r"```python\n(.*?)```(?:\s*```\n(.*?)```)?", page.read_text(), re.S)
    assert blocks or "```console" in page.read_text()
    names = {}
    for program, shown in blocks:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(program, str(page), "exec"), names)
        agree(out.getvalue(), shown)


def test_commands_print_what_the_page_shows(tmp_path, monkeypatch):
    root = Path(__file__).parents[1]
    shutil.copytree(root / "examples" / "models", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    text = (root / "docs" / "command-line.md").read_text()
    commands = re.findall(r"```console\n\$ poinsot (.*?)\n(.*?)```", text, re.S)
    assert len(commands) >= 4
    for words, shown in commands:
        result = CliRunner().invoke(app, words.split())
        assert result.exit_code == 0, result.output
        agree(result.output, shown)


def test_files_named_in_the_pages_exist():
    root = Path(__file__).parents[1]
    for page in ALL_PAGES:
        named = re.findall(r"`((?:examples|tests|docs)/\S+?)`|`(\w+\.py)`", page.read_text())
        assert all((root / one).exists() if one else (root / "examples" / other).exists() for one, other in named)


def test_pages_without_programs_have_none():
    """So that no program of the documentation is left out."""
    for page in set(ALL_PAGES) - set(PAGES):
        assert "```python" not in page.read_text(), page


def test_links_and_pictures_of_the_pages_exist():
    for page in ALL_PAGES:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / target).exists() or target == "gallery/index", f"{page.relative_to(DOCS)}: {target}"
