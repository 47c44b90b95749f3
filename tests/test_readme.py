"""The README's program runs, and prints what the README says."""

import contextlib
import io
import re
from pathlib import Path

from typer.testing import CliRunner

from poinsot.cli import app

README = (Path(__file__).parents[1] / "README.md").read_text()


def test_the_twelve_lines_print_what_the_readme_shows():
    program = re.search(r"```python\n(.*?)```", README, re.S).group(1)
    shown = re.search(r"It prints\n\n```\n(.*?)```", README, re.S).group(1)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "README.md", "exec"), {})

    def steady(text):
        """Without seconds and without numbers at the level of rounding, which differ between machines."""
        return re.sub(r"[\d.]+e-\d+|[\d.e-]+ s, (?=[\d.]+ iterations)", "~", text).split()

    assert steady(out.getvalue()) == steady(shown)


def test_the_program_about_drives_runs():
    text = (Path(__file__).parents[1] / "docs" / "drives.md").read_text()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(re.search(r"```python\n(.*?)```", text, re.S).group(1), "drives.md", "exec"), {})
    assert "energy - work conserved to" in out.getvalue() and "docs/drives.md" in README


def test_the_two_commands_are_named():
    assert "make demo" in README and "make test" in README and "pip install" in README


def test_a_mechanism_of_ones_own_is_checked_run_and_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    program = re.findall(r"```python\n(.*?)```", README, re.S)[2]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "README.md", "exec"), {})
    printed = re.search(r"It prints `(.*?)`, names them", README).group(1)
    assert printed in out.getvalue() and "No gaps." in out.getvalue() and (tmp_path / "four_bar.html").exists()
    commands = re.findall(r"^    poinsot (.*?)(?:  +#.*)?$", README, re.M)
    assert [words.split()[0] for words in commands] == ["view", "check", "run", "view"]
    printed = [CliRunner().invoke(app, words.split()) for words in commands]
    assert [one.exit_code for one in printed] == [0, 0, 0, 0], [one.output for one in printed]
    assert "1 degree of freedom" in printed[1].output and "Audit of 'four-bar'" in printed[2].output
    assert {path.name for path in tmp_path.iterdir()} == {"four_bar.html", "four_bar.yaml", "four_bar-drawing.html", "out.h5", "out.html"}


def test_what_the_readme_links_to_exists():
    root = Path(__file__).parents[1]
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) > 20 and [link for link in links if not (root / link).exists()] == []
    gif = root / "docs" / "images" / "delta_robot.gif"
    assert "docs/images/delta_robot.gif" in links and gif.stat().st_size < 2_000_000


def test_the_corrections_are_as_many_as_the_theory_lists():
    pages = [path.read_text() for path in (Path(__file__).parents[1] / "docs" / "theory").glob("*.md")]
    tables = [re.split(r"\n## ", page.partition("## Corrections")[2])[0] for page in pages if "## Corrections" in page]
    rows = sum(line.startswith("|") for table in tables for line in table.splitlines()) - 2 * len(tables)
    assert len(tables) == 5 and f"[{rows} corrections]" in README


def test_the_lines_about_seeing_and_keeping_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = re.findall(r"```python\n(.*?)```", README, re.S)[:2]
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(first + second, "README.md", "exec"), {})
    assert {path.name for path in tmp_path.iterdir()} == {"pendulum.html", "pendulum.svg", "strobe.png", "pendulum.h5", "pendulum.yaml"}
