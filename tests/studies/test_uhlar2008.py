"""The study of uhlar2008 agrees, in process and by the command line."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot import cli
from poinsot.studies import uhlar2008, uhlar2008_figures, uhlar2008_notes
from poinsot.studies import uhlar2008_models as m
from poinsot.studies.table import Row, Section, Study
from poinsot.studies.uhlar2008_pairs import printed_angle, printed_angles
from poinsot.studies.uhlar2008_runs import Runs, path_error, replay, stairs, step_moments, step_torques


@pytest.fixture(scope="module")
def quick():
    return uhlar2008.run(quick=True)


def differing(study):
    return [row.cells() for row in study.rows if row.verdict == "differs"]


def test_quick_study_agrees(quick):
    assert not differing(quick) and quick.agrees
    assert sum(row.verdict == "agrees" for row in quick.rows) >= 1500
    assert sum(bool(row.remark) for row in quick.rows) <= 60


def test_text_names_the_errors_and_what_is_not_reproduced(quick):
    text = str(quick)
    assert all(f"{where}: {right}" in text for where, right in uhlar2008_notes.CORRECTIONS.items())
    assert "Not reproduced" in text and "Left out of a quick study" in text


def test_json_has_readable_keys(quick):
    data = json.loads(json.dumps(quick.to_dict()))
    assert data["study"] == "uhlar2008" and len(data["corrections"]) == len(uhlar2008_notes.CORRECTIONS)
    rows = {row["name"]: row for section in data["sections"] for row in section["rows"]}
    assert rows["tau1(2.0)"]["reference"] and rows["Theta(5.0), converged"]["allowed_difference"] == 1e-9


LEFT_OUT = ("definition", "cond_unscaled", "cond_scaled", "cond_reduced", "max_torque_difference_Nm")
SHORT_STEPS = ("h = 0.01", "h = 0.005")


def leaves(data, path=""):
    """All numbers of the reference file, by where they stand; not the definitions, nor what only its own programs have."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in LEFT_OUT:
                yield from leaves(value, f"{path}/{key}")
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from leaves(value, f"{path}/{k}")
    elif isinstance(data, float | int):
        yield path, float(data)


def missing(study):
    papers = {float(row.known) for row in study.rows}
    return [path for path, number in leaves(m.reference()) if number not in papers]


def test_every_number_of_the_reference_is_in_a_quick_study(quick):
    """But for those of the manipulator's short steps."""
    assert not [path for path in missing(quick) if not ("/manipulator/" in path and path.split("/")[3] in SHORT_STEPS)]


@pytest.mark.long
def test_full_study_agrees(tmp_path):
    full = uhlar2008.run(folder=tmp_path)
    assert not differing(full) and not missing(full)
    assert {Path(file).stem for file in full.figures} == set(FIGURES)
    assert len(full.pages) == 5 and all(Path(file).exists() for file in full.pages)


def test_torque_of_the_paper_does_the_work_of_the_angle():
    """Over every step its work is the torque times the change of Theta, by a motor as by the couple written for it."""
    h = 0.05
    torque = np.array([m.hat(t) for t in h * (np.arange(20) + 0.5)])
    for step in (h, None):
        run = po.simulate(m.logo(step), 1.0, step=h, integrator="energy-momentum")
        assert np.abs(np.diff(run.work) - torque * np.diff(run["pin"].angle)).max() < 1e-14


def test_mean_of_the_torque_has_its_impulse():
    assert sum(m.mean_hat(0.1)(0.1 * k + 0.05) for k in range(8)) * 0.1 == pytest.approx(1.25, abs=1e-15)
    assert m.mean_hat(0.1)(0.25) == pytest.approx(4.5, abs=1e-14)


def test_path_of_the_platform_is_smooth():
    """Rates and accelerations belong to the path, which ends where it began."""
    signal = m.figure_eight((0.1, 0.2))
    alone = po.Signal(signal.function)
    for t in (0.3, 0.7, 1.0, 1.4, 2.0, 2.6):
        assert signal.at(t) == pytest.approx(alone.at(t), abs=1e-8)
    assert signal.function(3.0) == pytest.approx(signal.function(0.0), abs=1e-15)
    assert m.path_angle(3.0 - 1e-9)[0] == pytest.approx(2 * math.pi, abs=1e-12)


def test_moments_of_the_steps_play_the_motion_back():
    """Those of the steps do so to rounding; with one of them a little off the platform leaves its path."""
    run = Runs().manipulator(0.05)
    moments, left = step_moments(run)
    assert left < 1e-10
    torques = step_torques(run, moments)
    assert np.abs(torques / moments - 1).max() > 1e-6
    laws = [stairs(torques[:, j].copy(), 0.05) for j in range(3)]
    assert path_error(replay(laws, 0.05, "energy-momentum")) < 1e-13
    torques[20, 0] *= 1.001
    laws[0] = stairs(torques[:, 0].copy(), 0.05)
    assert path_error(replay(laws, 0.05, "energy-momentum")) > 1e-7


def test_printed_angle_has_a_mirror_root():
    assert printed_angle(2.0, 1.9) == pytest.approx(2.0, abs=1e-12)
    assert printed_angle(2.5, 2.2) == pytest.approx(1.5 * math.pi - 2.5, abs=1e-9)
    assert printed_angles(np.array([0.1, 0.2, 0.3]), True) == pytest.approx([0.1, 0.2, 0.3], abs=1e-12)


FIGURES = ["05_logo_conservation", "06_logo_snapshots", "07_logo_angle", "logo_printed_angle", "10_guide_conservation"]
FIGURES += ["11_guide_snapshots", "12_guide_displacement", "14_manipulator_conservation", "15_manipulator_angles"]
FIGURES += ["16_manipulator_snapshots", "17_manipulator_displacements", "18_manipulator_torques", "top"]


def test_figures_have_units(tmp_path, monkeypatch):
    drawn = dict(uhlar2008_figures.figures(Runs(quick=True)))
    assert list(drawn) == FIGURES
    for name, figure in drawn.items():
        for axes in figure.axes:
            assert all("[" in label for label in (axes.get_xlabel(), axes.get_ylabel()) if label), name
    monkeypatch.setattr(uhlar2008_figures, "figures", lambda runs: [("top", drawn["top"])])
    files = uhlar2008_figures.draw(Runs(), tmp_path / "new")
    assert [Path(file).name for file in files] == ["top.svg", "top.png"]
    assert all(Path(file).stat().st_size > 1000 for file in files)


def test_pages(tmp_path):
    files = [Path(file) for file in uhlar2008_figures.pages(Runs(quick=True), tmp_path)]
    assert [file.stem for file in files] == ["logo", "guide", "manipulator", "loop", "top"]
    assert all(500_000 < file.stat().st_size < 5_000_000 for file in files)


def test_command(monkeypatch, tmp_path):
    asked = []

    def run(quick, folder):
        asked.append((quick, folder))
        return Study("uhlar2008", "Small", [Section("One", "nowhere", [Row("a", "1.25", 1.5 if quick else 1.25)])])

    monkeypatch.setattr(uhlar2008, "run", run)
    runner = CliRunner()
    good = runner.invoke(cli.app, ["reproduce", "uhlar2008", "--folder", str(tmp_path)])
    bad = runner.invoke(cli.app, ["reproduce", "uhlar2008", "--json", "--quick", "--no-figures"])
    assert (good.exit_code, bad.exit_code) == (0, 1) and asked == [(False, tmp_path), (True, None)]
    assert json.loads(bad.stdout)["study"] == "uhlar2008"


def test_only_numbers_of_the_paper_are_headed_paper(quick):
    assert [section.title for section in quick.sections if section.column == "paper"] == ["Numbers printed in the paper"]
    swapped = [row for row in quick.rows if "swapped" in row.verdict]
    assert [(row.known, row.ours) for row in swapped] == [("18", 24), ("24", 18)]
