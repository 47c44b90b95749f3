"""The study of saetran2018 agrees, in process and by the command line."""

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot import cli
from poinsot.studies import saetran2018, saetran2018_figures, saetran2018_models
from poinsot.studies.saetran2018_runs import Runs, reference
from poinsot.studies.table import Row, Section, Study


@pytest.fixture(scope="module")
def quick():
    return saetran2018.run(quick=True)


def differing(study):
    return [row.cells() for row in study.rows if row.verdict == "differs"]


def test_quick_study_agrees(quick):
    assert not differing(quick) and quick.agrees
    judged = [row for row in quick.rows if not row.remark]
    assert len(judged) >= 1500 and all(row.verdict == "agrees" for row in judged)


def test_json_has_readable_keys(quick):
    data = json.loads(json.dumps(quick.to_dict()))
    assert set(data) == {"study", "title", "agrees", "summary", "sections", "corrections", "notes", "figures", "pages"}
    row = data["sections"][0]["rows"][0]
    assert set(row) == {"name", "reference", "ours", "allowed_difference", "at_most", "judged", "verdict"}
    assert row["name"] == "period" and row["reference"] == 2.320750370161 and row["allowed_difference"] == 1e-12


def test_text_names_the_errors_and_what_is_not_reproduced(quick):
    text = str(quick)
    assert all(f"{where}: {right}" in text for where, right in saetran2018_models.CORRECTIONS.items())
    assert "not reproduced" in text and "Left out of a quick study" in text
    assert "paper" in text and "ours" in text and "verdict" in text


def test_timing_is_a_ratio(quick):
    *rows, power = quick.sections[-1].rows
    assert [row.name.split()[0] for row in rows] == ["4", "8", "16"]
    assert all(row.verdict.startswith("ratio ") and row.ours > 0 for row in rows)
    assert all(row.to_dict("paper")["ratio"] == float(row.known) / row.ours for row in rows)
    assert power.verdict == "measured" and "ratio" not in power.to_dict("paper")


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
    assert row.to_dict("paper")["judged"] == (not row.remark)


def invoke(*words):
    return CliRunner().invoke(cli.app, list(words))


def small(ours):
    return Study("saetran2018", "Small", [Section("One", "nowhere", [Row("a", "1.25", ours)])])


def test_command_prints_the_table(monkeypatch):
    monkeypatch.setattr(saetran2018, "run", lambda quick, folder: small(1.25))
    result = invoke("reproduce", "saetran2018")
    assert result.exit_code == 0 and "1 of 1 numbers agree" in result.stdout


def test_command_fails_when_a_number_differs(monkeypatch):
    monkeypatch.setattr(saetran2018, "run", lambda quick, folder: small(1.5 if quick else 1.25))
    result = invoke("reproduce", "saetran2018", "--json", "--quick")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["sections"][0]["rows"][0]["verdict"] == "differs"


def test_details_are_one_line_of_text_unless_they_differ():
    rows = [Row("near", "1.25", 1.25), Row("far", "1.25", 1.5)]
    text = str(Study("s", "S", [Section("Many", "file", rows, detail=True)]))
    assert "Many  [file]: 1 of 2 numbers agree." in text and "far" in text and "near" not in text


@pytest.mark.parametrize(
    "words, folder",
    [((), Path("out/saetran2018")), (("--folder", "a/b"), Path("a/b")), (("--no-figures",), None)],
)
def test_command_says_where_the_figures_are(monkeypatch, words, folder):
    def run(quick, folder):
        asked.append(folder)
        study = small(1.25)
        study.figures = [str(folder / "a.svg"), str(folder / "a.png")] if folder else []
        study.pages = [str(folder / "a.html")] if folder else []
        return study

    asked = []
    monkeypatch.setattr(saetran2018, "run", run)
    result = invoke("reproduce", "saetran2018", *words)
    assert asked == [folder] and result.exit_code == 0
    assert ("Figures: 2 files in" in result.stdout) == (folder is not None)
    data = invoke("reproduce", "saetran2018", "--json", *words)
    assert len(json.loads(data.stdout)["figures"]) == (2 if folder else 0)
    assert (f"Pages: 1 files in {folder}" in result.stdout) == (folder is not None)
    assert len(json.loads(data.stdout)["pages"]) == (1 if folder else 0)


def test_command_without_matplotlib_says_what_to_do(monkeypatch):
    monkeypatch.setattr("poinsot.cli.reproduce.find_spec", lambda name: None)
    result = invoke("reproduce", "saetran2018")
    assert result.exit_code == 2 and "--no-figures" in result.output


def test_command_reports_errors_in_words():
    result = invoke("reproduce", "nobody1900")
    assert result.exit_code == 2 and "Traceback" not in result.output
    assert "SettingsError: there is no study 'nobody1900'; there are saetran2018" in result.output


def test_version():
    assert invoke("--version").stdout.strip() == f"poinsot {po.__version__}"


FIGURES = ["angles", "conservation", "evaluations", "top", "springs", "gimbal_lock", "sixteen_free_tip"]
FIGURES += ["sixteen_free_strobe", "sixteen_damped_tip", "sixteen_damped_strobe", "timing"]


def test_figures_of_a_quick_study(tmp_path, monkeypatch):
    """All are drawn, have units at their axes, and are written as vectors and as pixels."""
    runs = Runs(quick=True)
    timed = Section("", "", [Row(f"{n} bodies: seconds", "1.5", 0.1, remark="ratio", ratio=15.0) for n in (4, 8, 16)])
    drawn = dict(saetran2018_figures.figures(runs, timed))
    assert list(drawn) == FIGURES
    for name, figure in drawn.items():
        for axes in figure.axes:
            labels = [axes.get_ylabel(), axes.get_xlabel()]
            assert name == "evaluations" or all("[" in label for label in labels if label), (name, labels)
        assert any(axes.get_xlabel() or name == "evaluations" for axes in figure.axes)
    monkeypatch.setattr(saetran2018_figures, "figures", lambda *_: [("timing", drawn["timing"])])
    files = saetran2018_figures.draw(runs, timed, tmp_path / "new")
    assert [Path(file).name for file in files] == ["timing.svg", "timing.png"]
    assert all(Path(file).stat().st_size > 1000 for file in files)


def test_pages_of_a_quick_study(tmp_path):
    """Those of the coil are left out."""
    files = [Path(file) for file in saetran2018_figures.pages(Runs(quick=True), tmp_path)]
    assert [file.name for file in files] == ["four.html", "top.html", "springs.html", "sixteen_damped.html"]
    assert all(500_000 < file.stat().st_size < 5_000_000 for file in files)


def leaves(data, path=""):
    """All numbers of the reference file, by where they stand; not those that say when and where something was measured."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in ("times", "links", "uncertainty", "anchor", "inertia", "angular velocity at the start", "time", "about"):
                yield from leaves(value, f"{path}/{key}")
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from leaves(value, f"{path}/{k}")
    elif isinstance(data, float | int):
        yield path, float(data)


@pytest.fixture(scope="module")
def full(tmp_path_factory):
    return saetran2018.run(folder=tmp_path_factory.mktemp("figures"))


@pytest.mark.long
def test_full_study_agrees(full):
    assert not differing(full)
    assert len(full.sections[-1].rows) == 7 and len([row for row in full.rows if not row.remark]) >= 2400
    assert {Path(file).stem for file in full.figures} == {*FIGURES, "coil_strobe"}
    assert Path(full.pages[-1]).name == "coil.html" and all(Path(file).exists() for file in full.pages)


@pytest.mark.long
def test_every_number_of_the_reference_is_in_the_json(full):
    data = json.loads(json.dumps(full.to_dict()))
    papers = {row[section["column"]] for section in data["sections"] for row in section["rows"]}
    missing = [
        (path, x)
        for path, x in leaves(reference())
        if not {x, float(f"{x:.2e}"), float(f"{x:.3e}"), float(f"{x:.3f}"), round(x, 9)} & papers
    ]
    assert not missing, missing


def test_only_numbers_of_the_thesis_are_headed_paper(quick):
    for section in quick.sections:
        assert (section.column == "paper") == section.source.startswith("thesis"), section.title
    (said,) = (section for section in quick.sections if section.title == "What the text says of its runs")
    assert [row.known for row in said.rows] == ["1.92e-13", "1e-12", "1e-15", "1e-11", "28", "122", "672"]
    wrong = [row for row in said.rows if row.verdict.startswith("wrong in print")]
    assert [(row.known, row.ours) for row in wrong] == [("122", 112), ("672", 448)]
