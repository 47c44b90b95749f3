"""The study of dumitriu2016 agrees, in process and by the command line."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot import cli
from poinsot.studies import dumitriu2016, dumitriu2016_figures, dumitriu2016_methods, dumitriu2016_notes
from poinsot.studies import dumitriu2016_models as m
from poinsot.studies import dumitriu2016_stewart as stewart
from poinsot.studies.dumitriu2016_legs import leg, leg_forces
from poinsot.studies.dumitriu2016_pendulum import plane_in_full
from poinsot.studies.dumitriu2016_platform import in_full
from poinsot.studies.dumitriu2016_runs import NAME, Runs, angles, rotation, strain, translation, variant
from poinsot.studies.table import Row, Section, Study


@pytest.fixture(scope="module")
def runs():
    return Runs(quick=True)


@pytest.fixture(scope="module")
def quick():
    return dumitriu2016.run(quick=True)


def differing(study):
    return [row.cells() for row in study.rows if row.verdict == "differs"]


def test_quick_study_agrees(quick):
    assert not differing(quick) and quick.agrees
    assert sum(row.verdict == "agrees" for row in quick.rows) >= 1800
    assert sum(bool(row.remark) for row in quick.rows) <= 15


def test_text_names_the_errors_and_what_is_not_reproduced(quick):
    text = str(quick)
    assert all(f"{where}: {right}" in text for where, right in dumitriu2016_notes.CORRECTIONS.items())
    assert "Not reproduced" in text and "Left out of a quick study" in text


def test_every_printed_equation_has_a_verdict(quick):
    """Numbers 1 to 27, each in a correction or in a note."""
    words = " ".join([*dumitriu2016_notes.CORRECTIONS, *dumitriu2016_notes.NOTES["Equations that are correct as printed"]])
    named = set()
    for part in words.replace(")-(", "-").replace("(", " ").replace(")", " ").replace(",", " ").split():
        first, _, last = part.partition("-")
        if first.isdigit():
            named.update(range(int(first), int(last) + 1 if last.isdigit() else int(first) + 1))
    assert named >= set(range(1, 28))
    checked = " ".join(row.name for section in quick.sections if "printed equations" in section.title for row in section.rows)
    assert all(f"({k})" in checked for k in (2, 9, 12, 13, 17, 19, 20, 21, 22, 23, 24, 25, 26))


def test_json_has_readable_keys(quick):
    data = json.loads(json.dumps(quick.to_dict()))
    assert data["study"] == "dumitriu2016" and len(data["corrections"]) == len(dumitriu2016_notes.CORRECTIONS)
    rows = {row["name"]: row for section in data["sections"] for row in section["rows"]}
    assert rows["psi(5)"]["allowed_difference"] == 1e-9 and rows["Lambda12(1), y"]["reference"] == 0.281962185981
    assert rows["C: moment of inertia of a bar (kg cm^2)"]["paper"] == 3.636


# What only the reference's own programs have: their remainders, conditions and definitions.
LEFT_OUT = ("params", "definition", "F0", "Omega0_world_rad_s", "phi0", "one_vs_two_step_absdiff", "acc_vs_26", "cond18", "cond72", "diff")
LEFT_OUT += ("RT_vs_angle", "banded_vs_dense", "one_vs_two", "RT_pos_diff", "RT_R_diff", "joint_drift", "orth_drift", "orth_vel", "joint_vel")
LEFT_OUT += ("pos_diff",)
BY_LOGARITHM = ("orth_seed", "literal25", " stage/")


def leaves(data, path=""):
    """All numbers of the reference file, by where they stand."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key not in LEFT_OUT and not (key == "orth" and "angles_rad" in path):
                yield from leaves(value, f"{path}/{key}")
    elif isinstance(data, list):
        for k, value in enumerate(data):
            yield from leaves(value, f"{path}/{k}")
    elif isinstance(data, float | int) and not isinstance(data, bool):
        yield path, float(data)


def missing(study):
    """Numbers of the reference that no row has: as they are, or for what grows from rounding their logarithms."""
    papers = {float(row.known) for row in study.rows}

    def there(path, x):
        if x in papers or (abs(x) < 1e-13 and "rk4_tests" in path):
            return True
        return x > 0 and any(word in path for word in BY_LOGARITHM) and bool({np.log10(x), round(np.log10(x), 2)} & papers)

    return [path for path, x in leaves(m.reference()) if not there(path, x)]


def test_every_number_of_the_reference_is_in_a_quick_study(quick):
    """But for those of the shortest steps."""
    assert not [path for path in missing(quick) if "h=0.0001" not in path]


@pytest.mark.long
def test_full_study_agrees(tmp_path):
    full = dumitriu2016.run(folder=tmp_path)
    assert not differing(full) and not missing(full)
    assert {Path(file).stem for file in full.figures} == set(FIGURES)
    assert len(full.pages) == 4 and all(Path(file).exists() for file in full.pages)


def test_numbers_that_are_off_differ(runs, monkeypatch):
    """Numbers of the reference changed by 2e-9."""
    good = plane_in_full(runs, "", runs.pendulum())
    assert not [row for row in good.rows if row.verdict == "differs"]
    known = json.loads(json.dumps(m.reference()))
    known["double_pendulum"]["angles"]["5"]["psi_rad"] += 2e-9
    known["double_pendulum"]["multipliers_N_and_Nm"]["0.5"]["Lambda1"][0][1] += 2e-9
    known["stewart_A"]["platform"]["1.0"]["p"][2] += 2e-9
    monkeypatch.setattr(m, "reference", lambda: known)
    bad = [row.name for row in plane_in_full(runs, "", runs.pendulum()).rows if row.verdict == "differs"]
    assert bad == ["psi(5)", "Lambda1(0.5)_12"]
    assert [row.name for row in in_full(runs, "A", NAME).rows if row.verdict == "differs"] == ["p(1.0)_3"]


def test_a_wider_bar_differs(monkeypatch):
    """By a millionth."""
    monkeypatch.setattr(m, "WIDTH", m.WIDTH * (1 + 1e-6))
    runs = Runs()
    assert any(row.verdict == "differs" for row in plane_in_full(runs, "", runs.pendulum()).rows)


@pytest.mark.parametrize("kind", ["stage+proj", "frozen"])
def test_orders_are_measured(runs, kind):
    """The rows of the orders tell first order from fourth."""
    rows = {row.name: row for row in dumitriu2016_methods.orders(runs).rows}
    found = rows[f"order of psi in 1 s, {dumitriu2016_methods.title(kind)}"]
    assert found.verdict == "agrees" and abs(found.ours - (4 if kind == "stage+proj" else 1)) < 0.2


def test_pseudo_translation_and_rotation_map_points(runs):
    """x(t) = T* + R x(0), the map of (3), for points of the second bar."""
    run = runs.spatial()
    T, R = translation(run, "bar2"), rotation(run, "bar2")
    body = run.system["bar2"]
    for p in ((0.1, 0.0, 0.0), (-0.03, 0.02, 0.05)):
        first = run["bar2"].point(p)[0]
        assert T + R @ first == pytest.approx(run["bar2"].point(p), abs=1e-14)
    assert T[0] == pytest.approx(np.zeros(3), abs=1e-15) and R[0] == pytest.approx(np.eye(3), abs=1e-15)
    assert m.drawn_turn(body) @ (1, 0, 0) == pytest.approx([np.cos(m.DRAWN[1]), np.sin(m.DRAWN[1]), 0.0], abs=1e-15)


def test_names_of_variants():
    assert variant() == "rotation-matrix" and variant("", "unstabilised") == "rotation-matrix:unstabilised"
    assert variant("frozen", "baumgarte=20") == "rotation-matrix:frozen,baumgarte=20"


def test_path_of_the_platform_is_smooth():
    """Rates and accelerations belong to the path, which ends where it began, and starts at the drawn pose."""
    signal = stewart.path()
    alone = po.Signal(signal.function)
    for t in (0.3, 0.7, 1.0, 1.4, 1.9):
        assert signal.at(t) == pytest.approx(alone.at(t), abs=1e-8)
    assert signal.function(stewart.PERIOD) == pytest.approx(signal.function(0.0), abs=1e-15)
    platform = stewart.driven()["platform"]
    assert stewart.point(0.0, (0.1, 0.2, 0.0))[0] == pytest.approx(platform.at((0.1, 0.2, 0.0)).world, abs=1e-15)


def test_leg_forces_by_formulas_are_right():
    """At rest, against the static balance of a platform whose legs have no mass, and the derivatives of a leg against differences."""
    ways = np.array(stewart.PLACE) + stewart.heads() @ stewart.FIRST.T - stewart.feet()
    along = ways / np.linalg.norm(ways, axis=1)[:, None]
    arms = stewart.heads() @ stewart.FIRST.T
    J = np.concatenate([along, np.cross(arms, along)], axis=1)
    legless = np.linalg.solve(J.T, [0, 0, stewart.PLATFORM * stewart.GRAVITY, 0, 0, 0])
    heavy = leg_forces(0.0)
    assert (heavy * along[:, 2]).sum() > (legless * along[:, 2]).sum()  # the pistons are carried too
    place, velocity, acceleration, h = np.array([0.1, -0.2, 0.6]), np.array([0.3, 0.1, -0.2]), np.array([-0.4, 0.5, 0.7]), 1e-4
    before, now, after = (leg(2, place + velocity * s + 0.5 * acceleration * s * s, velocity + acceleration * s, acceleration) for s in (-h, 0.0, h))
    assert now[0][1] == pytest.approx((after[0][0] - before[0][0]) / (2 * h), abs=1e-7)
    for body in (1, 2):
        assert now[body][1] == pytest.approx((after[body][0] - before[body][0]) / (2 * h), abs=1e-6)
        assert now[body][3] == pytest.approx((after[body][2] - before[body][2]) / (2 * h), abs=1e-6)
        turning = (after[body][4] - before[body][4]) / (2 * h)
        assert turning == pytest.approx(np.cross(now[body][2], now[body][4].T).T, abs=1e-6)


def test_the_seed_stretches_one_bar(runs):
    run = runs.seeded(m.GRAVITY, (0.0, 0.0), "")
    assert strain(run)[0] == pytest.approx(2e-8, rel=1e-6)
    assert angles(run)[0] == pytest.approx([0.0, 0.0], abs=1e-15)


FIGURES = ["02_angles", "03_lambda1", "04_lambda2", "05_lambda01", "06_lambda12", "frozen_multipliers", "drift", "compression", "space"]
FIGURES += ["platform", "driven_platform"]


def test_figures_have_units(tmp_path, monkeypatch, runs):
    drawn = dict(dumitriu2016_figures.figures(runs))
    assert list(drawn) == FIGURES
    for name, figure in drawn.items():
        for axes in figure.axes:
            assert all("[" in label for label in (axes.get_xlabel(), axes.get_ylabel()) if label), name
        assert any(axes.get_xlabel() for axes in figure.axes)
    monkeypatch.setattr(dumitriu2016_figures, "figures", lambda runs: [("drift", drawn["drift"])])
    files = dumitriu2016_figures.draw(runs, tmp_path / "new")
    assert [Path(file).name for file in files] == ["drift.svg", "drift.png"]
    assert all(Path(file).stat().st_size > 1000 for file in files)


def test_pages(tmp_path, runs):
    files = [Path(file) for file in dumitriu2016_figures.pages(runs, tmp_path)]
    assert [file.stem for file in files] == ["pendulum", "space", "driven", "platform"]
    assert all(500_000 < file.stat().st_size < 5_000_000 for file in files)


def test_command(monkeypatch, tmp_path):
    asked = []

    def run(quick, folder):
        asked.append((quick, folder))
        return Study("dumitriu2016", "Small", [Section("One", "nowhere", [Row("a", "1.25", 1.5 if quick else 1.25)])])

    monkeypatch.setattr(dumitriu2016, "run", run)
    runner = CliRunner()
    good = runner.invoke(cli.app, ["reproduce", "dumitriu2016", "--folder", str(tmp_path)])
    bad = runner.invoke(cli.app, ["reproduce", "dumitriu2016", "--json", "--quick", "--no-figures"])
    assert (good.exit_code, bad.exit_code) == (0, 1) and asked == [(False, tmp_path), (True, None)]
    assert json.loads(bad.stdout)["study"] == "dumitriu2016"


def test_only_numbers_of_the_paper_are_headed_paper(quick):
    printed = [section for section in quick.sections if section.column == "paper"]
    assert [float(row.known) for section in printed for row in section.rows] == [3.636, 24, 18, 6, 20, 10]
