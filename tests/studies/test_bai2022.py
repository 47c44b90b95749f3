"""The study of bai2022 agrees, in process and by the command line."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from typer.testing import CliRunner

from poinsot import cli
from poinsot.studies import bai2022, bai2022_figures, bai2022_notes
from poinsot.studies import bai2022_equations as equations
from poinsot.studies import bai2022_models as m
from poinsot.studies.bai2022_claims import fits
from poinsot.studies.bai2022_ode45 import ode45
from poinsot.studies.bai2022_runs import Runs, drift_of, ranking
from poinsot.studies.table import Row, Section, Study

NUMBERS = [f"{k:02d}" for k in range(3, 14)]  # of the paper's figures


@pytest.fixture(scope="module")
def runs():
    return Runs(quick=True)


@pytest.fixture(scope="module")
def quick(runs):
    return bai2022.compare(runs)


def differing(study):
    return [row.cells() for row in study.rows if row.verdict == "differs"]


def test_quick_study_agrees(quick):
    assert not differing(quick) and quick.agrees
    assert sum(row.verdict == "agrees" for row in quick.rows) >= 260


def test_the_column_is_headed_by_what_it_has(quick):
    """'paper' stands above numbers that the paper prints, and nowhere else."""
    heads = {section.title: section.column for section in quick.sections}
    assert [title for title, column in heads.items() if column == "paper"] == ["Attitudes of the first body beyond 1"]
    text = str(quick)
    assert all(f"{where}: {right}" in text for where, right in bai2022_notes.CORRECTIONS.items())
    assert "Conclusions of the paper" in text and "Left out of a quick study" in text


def test_json_has_every_number_of_the_reference(quick):
    data = json.loads(json.dumps(quick.to_dict()))
    assert data["study"] == "bai2022" and data["agrees"] and len(data["corrections"]) == len(bai2022_notes.CORRECTIONS)
    papers = np.array([row[section["column"]] for section in data["sections"] for row in section["rows"]])
    for known in m.reference()["rk54 at rtol 1e-3, atol 1e-6"].values():
        for name, number in known.items():
            assert name == "max_dE" or np.abs(papers - number).min() < 1e-9


def test_equations_that_are_wrong_in_print_are_those_of_the_reference():
    """An independent list names the same equations, and the residuals of the right ones vanish there too."""
    known = m.reference()["printed equation residuals"]
    wrong = {name.split()[0].strip("(),") for name, (_, corrected) in equations.residuals().items() if corrected is not None}
    for number in wrong - {"6.9", "3.11", "5.21"}:
        assert max(size for name, size in known.items() if name.startswith(number)) > 1e-3, number
    right = {name.split()[0].strip("()") for name, (_, corrected) in equations.residuals().items() if corrected is None}
    for number in right - {"4.6"}:
        assert min(size for name, size in known.items() if name.startswith(number)) < 1e-8, number
    assert all(printed > 1e-3 for printed, corrected in equations.residuals().values() if corrected is not None)


def test_the_order_of_the_models_is_no_property_of_them(runs):
    assert len({ranking(runs, factor) for factor in (0.98, 1.0, 1.02)}) == 3
    assert drift_of(runs, "L-A-L").excess == pytest.approx(drift_of(runs, "A-A-L").excess, rel=1e-6)


def test_the_papers_method_against_another_program():
    """On Euler's equations of a free body: the error follows rtol, and outputs between steps are as good."""

    def rate(t, w):
        return np.array([-2.0 * w[1] * w[2], 1.5 * w[0] * w[2], -0.4 * w[0] * w[1]])

    start = np.array([1.0, 0.3, -2.0])
    exact = solve_ivp(rate, (0, 5), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    errors = [np.abs(ode45(rate, start, 5.0, rtol, 1e-12).y[-1] - exact).max() for rtol in (1e-4, 1e-6, 1e-8)]
    assert errors[0] < 1e-2 and errors[2] < 1e-6 and errors[0] > errors[1] > errors[2]
    found = ode45(rate, start, 5.0, 1e-9, 1e-12)
    between = solve_ivp(rate, (0, 5), start, method="DOP853", rtol=1e-13, atol=1e-13, t_eval=found.t).y.T
    assert found.t[-1] == 5.0 and len(found.t) == 4 * found.steps + 1
    assert np.abs(found.y - between).max() < 1e-7


def test_patterns_of_models():
    assert fits("L-A-H", "?-A-H") and fits("L-A-H", "L-?-?") and not fits("L-A-H", "A-?-?")


def test_figures_have_units(runs, tmp_path, monkeypatch):
    drawn = dict(bai2022_figures.figures(runs))
    assert [name[:2] for name in drawn if name[:2].isdigit()] == NUMBERS and {"norms", "ranking"} <= set(drawn)
    for name, figure in drawn.items():
        for axes in figure.axes:
            assert all("[" in label for label in (axes.get_xlabel(), axes.get_ylabel()) if label), name
    monkeypatch.setattr(bai2022_figures, "figures", lambda runs: [("norms", drawn["norms"])])
    files = bai2022_figures.draw(Runs(), tmp_path / "new")
    assert [Path(file).name for file in files] == ["norms.svg", "norms.png"]
    assert all(Path(file).stat().st_size > 1000 for file in files)


def test_pages(runs, tmp_path):
    files = [Path(file) for file in bai2022_figures.pages(runs, tmp_path)]
    assert [file.stem for file in files] == ["pendulum", "chain"]
    assert all(300_000 < file.stat().st_size < 5_000_000 for file in files)


@pytest.mark.long
def test_full_study_agrees(tmp_path):
    full = bai2022.run(folder=tmp_path)
    assert not differing(full)
    assert {Path(file).stem[:2] for file in full.figures} >= set(NUMBERS)
    assert len(full.pages) == 2 and all(Path(file).exists() for file in full.pages)


def test_command(monkeypatch, tmp_path):
    asked = []

    def run(quick, folder):
        asked.append((quick, folder))
        return Study("bai2022", "Small", [Section("One", "nowhere", [Row("a", "1.25", 1.5 if quick else 1.25)])])

    monkeypatch.setattr(bai2022, "run", run)
    runner = CliRunner()
    good = runner.invoke(cli.app, ["reproduce", "bai2022", "--folder", str(tmp_path)])
    bad = runner.invoke(cli.app, ["reproduce", "bai2022", "--json", "--quick", "--no-figures"])
    assert (good.exit_code, bad.exit_code) == (0, 1) and asked == [(False, tmp_path), (True, None)]
