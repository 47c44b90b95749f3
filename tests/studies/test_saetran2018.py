"""The study of saetran2018 agrees, in process and by the command line."""

import json
import math

import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot import cli
from poinsot.studies import saetran2018, saetran2018_models
from poinsot.studies.table import Row, Section, Study


@pytest.fixture(scope="module")
def quick():
    return saetran2018.run(quick=True)


def differing(study):
    return [row.cells() for row in study.rows if row.verdict == "differs"]


def test_quick_study_agrees(quick):
    assert not differing(quick) and quick.agrees
    judged = [row for row in quick.rows if not row.remark]
    assert len(judged) >= 63 and all(row.verdict == "agrees" for row in judged)


def test_json_has_readable_keys(quick):
    data = json.loads(json.dumps(quick.to_dict()))
    assert set(data) == {"study", "title", "agrees", "summary", "sections", "notes"}
    row = data["sections"][0]["rows"][0]
    assert set(row) == {"name", "paper", "ours", "allowed_difference", "at_most", "judged", "verdict"}
    assert row["name"] == "period" and row["paper"] == 2.320750370161 and row["allowed_difference"] == 1e-12


def test_text_names_the_errors_and_what_is_not_reproduced(quick):
    text = str(quick)
    assert all(error in text for error in saetran2018_models.ERRORS)
    assert "not reproduced" in text and "Left out of a quick study" in text
    assert "paper" in text and "ours" in text and "verdict" in text


def test_timing_is_a_ratio(quick):
    rows = quick.sections[-1].rows
    assert [row.name.split()[0] for row in rows] == ["4", "8", "16"]
    assert all(row.verdict.startswith("ratio ") and row.ours > 0 for row in rows)


def test_quaternions_are_not_normalised_by_the_output():
    """The unit length that the study reports is the method's: another method does not keep it."""
    run = po.simulate(saetran2018_models.chain(4, 0.1), 10.0, step=0.01, integrator="rk4")
    assert run.audit.unit_length > 1e-12


def test_links_are_those_of_the_paper():
    link = saetran2018_models.chain(1, 0.1)["link1"]
    assert link.inertia[:3] == pytest.approx((16.8333333, 16.8333333, 0.3333333), abs=1e-7)


@pytest.mark.parametrize(
    "row, verdict",
    [
        (Row("a", "1.25", 1.2599), "agrees"),
        (Row("a", "1.25", 1.2601), "differs"),
        (Row("a", "-1.25", 1.25), "differs"),
        (Row("a", "1.25", math.nan), "differs"),
        (Row("a", "3", 3.9), "agrees"),
        (Row("a", "1e-3", 1.4e-3, allowed=5e-4), "agrees"),
        (Row("a", "1e-3", 1.6e-3, allowed=5e-4), "differs"),
        (Row("a", "1e-3", 1e-9, at_most=True), "agrees"),
        (Row("a", "1e-3", 2e-3, at_most=True), "differs"),
        (Row("a", "1e-3", math.nan, at_most=True), "differs"),
        (Row("a", "1.25", 9.0, remark="ratio 3"), "ratio 3"),
    ],
)
def test_verdicts(row, verdict):
    assert row.verdict == verdict
    assert row.to_dict()["judged"] == (not row.remark)


def invoke(*words):
    return CliRunner().invoke(cli.app, list(words))


def small(ours):
    return Study("saetran2018", "Small", [Section("One", "nowhere", [Row("a", "1.25", ours)])])


def test_command_prints_the_table(monkeypatch):
    monkeypatch.setattr(saetran2018, "run", lambda quick: small(1.25))
    result = invoke("reproduce", "saetran2018")
    assert result.exit_code == 0 and "1 of 1 numbers agree" in result.stdout


def test_command_fails_when_a_number_differs(monkeypatch):
    monkeypatch.setattr(saetran2018, "run", lambda quick: small(1.5 if quick else 1.25))
    result = invoke("reproduce", "saetran2018", "--json", "--quick")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["sections"][0]["rows"][0]["verdict"] == "differs"


def test_command_reports_errors_in_words():
    result = invoke("reproduce", "nobody1900")
    assert result.exit_code == 2 and "Traceback" not in result.output
    assert "SettingsError: there is no study 'nobody1900'; there are saetran2018" in result.output


def test_version():
    assert invoke("--version").stdout.strip() == f"poinsot {po.__version__}"


@pytest.mark.long
def test_full_study_agrees():
    study = saetran2018.run()
    assert not differing(study)
    assert len(study.sections) == 13 and len(study.sections[-1].rows) == 6
