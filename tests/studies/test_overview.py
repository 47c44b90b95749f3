"""All studies together: the table counts what agrees, differs and is only shown; the index page names files that exist."""

import re
from types import SimpleNamespace

from typer.testing import CliRunner

from poinsot.cli import app, reproduce
from poinsot.studies.overview import overview, write_index
from poinsot.studies.table import Row, Section, Study


def study(name, folder):
    folder.mkdir(parents=True, exist_ok=True)
    figure, page = folder / "01_energy <&.png", folder / "run.html"
    for file in (figure, page):
        file.write_bytes(b"x")
    rows = [Row("a", "1.0", 1.0), Row("b", "1.0", 2.0), Row("c", "1.0", 1.01), Row("d", "1.0", 5.0, remark="shown only")]
    return Study(name, f"{name} <title>", [Section("s", "", rows)], corrections={"(3)": "sign"}, figures=[str(figure)], pages=[str(page)])


def test_the_table_counts_every_row(tmp_path):
    lines = overview({name: study(name, tmp_path / name) for name in ("one", "another")}).splitlines()
    assert lines[-2].split() == ["one", "2", "1", "1", "1"] and lines[-1].split() == ["another", "2", "1", "1", "1"]


def test_the_index_names_files_beside_it(tmp_path):
    page = write_index({"one": study("one", tmp_path / "one")}, tmp_path / "studies.html")
    text = page.read_text()
    found = re.findall(r'(?:src|href)="([^"]*)"', text)
    assert found and all((tmp_path / name.replace("&lt;", "<").replace("&amp;", "&")).exists() for name in found)
    assert "one &lt;title&gt;" in text and "<title>" in text and "2 of 3" in text


def test_the_command_ends_with_the_table(tmp_path, monkeypatch):
    made = lambda path: SimpleNamespace(run=lambda quick, folder: study(path.rpartition(".")[2], folder))  # noqa: E731
    monkeypatch.setattr(reproduce, "import_module", made)
    run = CliRunner().invoke(app, ["reproduce", "all", "--folder", str(tmp_path)])
    assert run.exit_code == 1 and "All studies" in run.output and (tmp_path / "studies.html").exists()
    assert all(f"{name} " in run.output for name in reproduce.STUDIES)
