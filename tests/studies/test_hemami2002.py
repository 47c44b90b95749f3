"""The study of hemami2002 agrees, in process and by the command line."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from poinsot import cli
from poinsot.studies import hemami2002, hemami2002_figures, hemami2002_notes
from poinsot.studies import hemami2002_equations as equations
from poinsot.studies import hemami2002_models as m
from poinsot.studies.hemami2002_axis import printed_impulses
from poinsot.studies.hemami2002_control import falls
from poinsot.studies.hemami2002_pin import printed_motion
from poinsot.studies.hemami2002_runs import Runs, yes
from poinsot.studies.table import Row, Section, Study

FIGURES = ["01_theta_of_xi", "02_states", "03_lyapunov", "04_constraint_torques", "05_xi_and_w"]
FIGURES += ["sign_test", "maintenance", "attitude_laws", "rolling"]


@pytest.fixture(scope="module")
def runs():
    return Runs(quick=True)


@pytest.fixture(scope="module")
def quick(runs):
    return hemami2002.compare(runs)


def differing(study):
    return [row.cells() for row in study.rows if row.verdict == "differs"]


def test_quick_study_agrees(quick):
    assert not differing(quick) and quick.agrees
    assert sum(row.verdict == "agrees" for row in quick.rows) >= 1060
    assert not any(row.remark for row in quick.rows)


def test_text_names_the_errors_and_heads_the_column(quick):
    text = str(quick)
    assert all(f"{where}: {right}" in text for where, right in hemami2002_notes.CORRECTIONS.items())
    assert "Not reproduced" in text and "Left out of a quick study" in text
    heads = [line.split() for line in text.splitlines() if line.split()[1:] == ["ours", "allowed", "verdict"]]
    assert {head[0] for head in heads} == {"reference"}


def test_json_has_no_disagreement(quick):
    data = json.loads(json.dumps(quick.to_dict()))
    assert data["study"] == "hemami2002" and data["agrees"] and len(data["corrections"]) == len(hemami2002_notes.CORRECTIONS)
    rows = {row["name"]: row for section in data["sections"] for row in section["rows"]}
    assert rows["Lambda(1), 3"]["reference"] == pytest.approx(21.4669924, abs=1e-7)
    assert {row["verdict"] for row in rows.values()} == {"agrees"}


def leaves(data, path=""):
    """All numbers of the reference file that are results, by where they stand."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in ("definition", "about", "t"):
                yield from leaves(value, f"{path}/{key}")
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from leaves(value, f"{path}/{k}")
    else:
        yield path, 90.0 - data if path.endswith("theta2_deg") else float(data)  # compared as the distance from 90 degrees


def test_every_number_of_the_reference_is_in_the_study(quick):
    """But for the shortest interval of a quick study, the abscissae of figure 1, and what is shown with few digits."""
    papers = np.sort([float(row.known) for row in quick.rows])
    left_out = ("/maintenance/0.0005/", "/axis/Theta of Xi/Xi/")
    for path, number in leaves(m.reference()):
        if not path.startswith(left_out):
            assert np.abs(papers - number).min() <= 1e-3 * abs(number), path


def test_equations_that_are_wrong_in_print_are_found_so():
    wrong = {name.split(" ")[0] for name, (_, corrected) in equations.residuals().items() if corrected is not None}
    assert wrong == {"(4)", "(6)", "(7)", "(9),", "(18)", "(20)"}
    assert all(printed > 1e-3 for printed, corrected in equations.residuals().values() if corrected is not None)


def test_the_energy_does_not_show_the_printed_sign():
    energy, momentum = printed_motion(np.linspace(0, 2, 50))
    assert np.ptp(energy) < 1e-11 and np.ptp(momentum, axis=0).max() > 0.5


def test_printed_impulses_grow():
    left = printed_impulses(5)
    assert np.all(left[1:] > 3 * left[:-1])


def test_what_is_judged_can_differ():
    assert yes("holds", False, True).verdict == "differs" and yes("holds", True, np.True_).verdict == "agrees"
    assert falls(np.array([2.0, 1.0, 0.5])) and not falls(np.array([2.0, 1.0, 1.1]))


def test_figures_have_units(runs, tmp_path, monkeypatch):
    drawn = dict(hemami2002_figures.figures(runs))
    assert list(drawn) == FIGURES
    for name, figure in drawn.items():
        for axes in figure.axes:
            assert all("[" in label for label in (axes.get_xlabel(), axes.get_ylabel()) if label), name
    monkeypatch.setattr(hemami2002_figures, "figures", lambda runs: [("rolling", drawn["rolling"])])
    files = hemami2002_figures.draw(Runs(), tmp_path / "new")
    assert [Path(file).name for file in files] == ["rolling.svg", "rolling.png"]
    assert all(Path(file).stat().st_size > 1000 for file in files)


def test_pages(runs, tmp_path):
    files = [Path(file) for file in hemami2002_figures.pages(runs, tmp_path)]
    assert [file.stem for file in files] == ["axis", "pinned", "disc"]
    assert all(300_000 < file.stat().st_size < 5_000_000 for file in files)


@pytest.mark.long
def test_full_study_agrees(tmp_path):
    full = hemami2002.run(folder=tmp_path)
    assert not differing(full)
    assert {Path(file).stem for file in full.figures} == set(FIGURES)
    assert len(full.pages) == 3 and all(Path(file).exists() for file in full.pages)


def test_command(monkeypatch, tmp_path):
    asked = []

    def run(quick, folder):
        asked.append((quick, folder))
        return Study("hemami2002", "Small", [Section("One", "nowhere", [Row("a", "1.25", 1.5 if quick else 1.25)])])

    monkeypatch.setattr(hemami2002, "run", run)
    runner = CliRunner()
    good = runner.invoke(cli.app, ["reproduce", "hemami2002", "--folder", str(tmp_path)])
    bad = runner.invoke(cli.app, ["reproduce", "hemami2002", "--json", "--quick", "--no-figures"])
    assert (good.exit_code, bad.exit_code) == (0, 1) and asked == [(False, tmp_path), (True, None)]
    assert json.loads(bad.stdout)["study"] == "hemami2002"
