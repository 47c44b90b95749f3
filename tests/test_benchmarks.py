"""The benchmarks run, small, and compare the same mechanism in both programs."""

import sys
from pathlib import Path

import numpy as np
import pytest

import poinsot as po

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(autouse=True)
def benchmarks_importable(monkeypatch):
    """Benchmarks import each other by name; a module of tests has a name in common with them and is put back."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(FOLDER))
    yield
    for name in {path.stem for path in FOLDER.glob("*.py")} & (set(sys.modules) - before):
        del sys.modules[name]


def without_mujoco(monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)  # its import then fails


def test_table_of_the_thesis():
    import thesis_table

    table = thesis_table.run(sizes=(4,), duration=0.5, runs=1)
    (row,) = table.rows
    assert row["thesis s"] == 0.719 and row["default: ratio"] > 0
    assert max(row["default: error m"], row["to 1e-9: error m"]) < 1e-9
    assert str(table)


def test_our_part_of_equal_accuracy(monkeypatch):
    without_mujoco(monkeypatch)
    import mujoco_accuracy

    monkeypatch.setattr(mujoco_accuracy, "ROUNDS", 1)
    table = mujoco_accuracy.run({2: (1.0, (1e-6,))}, duration=1)
    assert "not installed" in table.rows[0]["mujoco"] and table.rows[0]["poinsot ms"] > 0


def test_our_part_of_long_energy(monkeypatch):
    without_mujoco(monkeypatch)
    import long_energy

    table = long_energy.run(duration=1.0)
    assert max(row["error poinsot"] for row in table.rows) < 1e-6


def test_coarsest_step_is_the_first_within_the_accuracy():
    from mujoco_accuracy import coarsest, steps_per_second

    places = range(50)
    for order in (2, 4, 8):

        def error(k, order=order):
            return np.nan if k < 5 else 100.0 * steps_per_second(k) ** -order

        expected = next(k for k in places if error(k) <= 1e-3)
        assert coarsest(error, 1e-3, 0, 49) == expected
    assert coarsest(lambda k: 1.0, 1e-3, 0, 49) is None


def test_mujoco_has_the_same_chain():
    """Accelerations of both programs at a random state, and the positions of the tip."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (make bench installs it)")
    from models import TIP, Chain, mujoco_chain, mujoco_tip, system

    chain = Chain("spherical", 5)
    model = mujoco_chain(mujoco, chain.n, 0.01)
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = chain.coordinates.ravel(), chain.rates.ravel()
    mujoco.mj_forward(model, data)
    dynamics = po.dynamics(system(chain), "tree")
    state = dynamics.state(chain.coordinates.ravel(), chain.rates.ravel())
    ours = dynamics.acceleration(state)
    assert np.abs(data.qacc - ours).max() < 1e-11 * np.abs(ours).max()
    run = po.simulate(system(chain), 0.01, step=0.01, state=state)
    assert np.abs(run["link5"].point(TIP)[0] - mujoco_tip(mujoco, model, data)).max() < 1e-13


def test_both_programs_start_alike():
    """Energy and tip of a zigzag chain after some steps."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed (make bench installs it)")
    from long_energy import their_energy
    from models import TIP, let_go, mujoco_chain, mujoco_tip, quaternions, zigzag

    turns = zigzag(3, 0.8)
    model = mujoco_chain(mujoco, 3, 0.001)
    data = mujoco.MjData(model)
    data.qpos[:] = quaternions(turns).ravel()
    energy = their_energy(mujoco, model, data)
    mujoco.mj_step(model, data, nstep=200)
    run = po.simulate(let_go(turns), 0.2, step=0.01)
    assert abs(energy - run.energy[0]) < 1e-12 * abs(energy)
    assert np.abs(run["link3"].point(TIP)[-1] - mujoco_tip(mujoco, model, data)).max() < 1e-9


def test_our_part_of_energy_momentum_steps(monkeypatch):
    monkeypatch.setitem(sys.modules, "exudyn", None)
    import exudyn_steps

    table = exudyn_steps.run(chains=(2,), sizes=(2, 4), rounds=1)
    steps = [row for row in table.rows if "error poinsot m" in row]
    assert len(steps) == 3 and all("not installed" in row["exudyn"] and row["poinsot us"] > 0 for row in steps)
    assert max(row["error poinsot m"] for row in steps) < 1e-3
    assert max(abs(row["drift poinsot J"]) for row in steps) < 1e-9


def test_eliminations_are_measured():
    """Both find the same accelerations, on chains and on the Stewart platform."""
    import elimination

    table = elimination.run(links=(2, 3), sizes=(4, 16), rounds=1, long_rounds=1)
    compared = [row for row in table.rows if "difference" in row]
    assert len(compared) == 3 and max(row["difference"] for row in compared) < 1e-12
    assert all(row["two step us"] > 0 and row["one step us"] > 0 for row in compared) and "exponent" in table.rows[-1]["what"]


def test_joint_coordinates_beside_absolute_ones():
    """Every mechanism at every error; both formulations converge to the same."""
    import closed_coordinates

    table = closed_coordinates.run(tolerances=(1e-5, 1e-8), rounds=1, part=0.05)
    assert len(table.rows) == len(closed_coordinates.MECHANISMS) * len(closed_coordinates.ERRORS)
    assert all(row["tree ms"] > 0.0 and row["rotation matrix ms"] > 0.0 for row in table.rows)  # one round of short runs tells no more
    assert closed_coordinates.cost_of(1e-4, np.array([1e-2, 1e-6]), np.array([1.0, 100.0])) == pytest.approx(10.0)


def test_iterations_of_steps():
    """Rescues are counted with what failed before; Newton's method takes fewer corrections than the simplified one iterations."""
    import stage_iterations

    make, step, _ = stage_iterations.CASES["four-bar, large steps"]
    large = stage_iterations.row("four-bar", (make, step, 40), 1, 1)
    small = stage_iterations.row("four-bar", (make, 0.002, 40), 2, 1)
    assert large["of rescued steps"] > large["of ordinary steps"] and "us coupled, s^2" not in large
    assert 1.0 < small["Newton corrections"] < small["evaluations"]
    assert 0.0 < small["us coupled, s^2"] < small["us coupled, s^3"]


def test_rescues_are_compared_with_smaller_steps(monkeypatch):
    """Where all steps are rescued."""
    import stage_iterations

    names = ("tumbling", "tumbling, large steps")
    monkeypatch.setattr(stage_iterations, "CASES", {name: stage_iterations.CASES[name] for name in names})
    monkeypatch.setattr(stage_iterations, "NAMES", {1: "energy-momentum"})
    small, large = stage_iterations.run(quick=True).rows
    assert large["of ordinary steps"] == small["of rescued steps"] == "-" and "rescued / ordinary" not in small
    assert large["rescued / ordinary"] == large["of rescued steps"] / small["of ordinary steps"]
    assert 1.0 < large["rescued / ordinary"] < 5.0


def test_our_part_of_closed_steps(monkeypatch):
    monkeypatch.setitem(sys.modules, "exudyn", None)
    import closed_steps

    table = closed_steps.run(steps=(0.025, 0.0125), rounds=1, times=(0.1, 0.2))
    adaptive = [row for row in table.rows if row["poinsot"].startswith("dop853 and")]
    beside = [row for row in table.rows if "not installed" in row.get("beside", "")]
    assert len(adaptive) == 2 * len(closed_steps.TOLERANCES) and len(beside) == len(closed_steps.OURS)
    assert max(row["error m"] / tolerance for row, tolerance in zip(adaptive, 2 * closed_steps.TOLERANCES)) < 10
    assert max(row["error m"] for row in beside[1:]) < 1e-8 < beside[0]["error m"] < 1e-4


def test_best_runs_for_their_time():
    from closed_steps import best

    assert best(np.array([1.0, 4.0, 2.0, 3.0]), np.array([1e-3, 1e-6, 1e-2, 1e-5]), range(4)) == [0, 3, 1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of names that will go in 2031
def test_exudyn_has_the_same_platform():
    """Universal and prismatic joints, legs as springs: where all bodies are after a twentieth of a second in fine steps; errors of second order."""
    pytest.importorskip("exudyn", reason="Exudyn is not installed (make bench installs it)")
    from elimination import PLATFORM
    from exudyn_models import Variant, build, imported, settings
    from exudyn_steps import positions

    system, exudyn = po.read(PLATFORM), imported()
    start = po.simulate(system, 0.001, step=0.001, progress=False)
    best = positions(po.simulate(system, 0.05, step=0.0025, output_step=0.05, integrator="energy-momentum-6", progress=False))
    errors = []
    for steps in (50, 100):
        peer = build(exudyn, start)
        peer.solve(settings(exudyn, 0.05 / steps, steps, Variant("index 3", sparse=True)))
        errors.append(np.abs(peer.positions() - best).max())
    assert errors[0] < 1e-5 and 3.5 < errors[0] / errors[1] < 4.5


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of names that will go in 2031
@pytest.mark.parametrize("name", ["chain", "four-bar", "four-bar, one joint in the plane"])
def test_exudyn_has_the_same_system(name):
    """Energy at the start, and where all bodies are after a tenth of a second in fine steps."""
    pytest.importorskip("exudyn", reason="Exudyn is not installed (make bench installs it)")
    from exudyn_models import Variant, build, imported, settings
    from exudyn_steps import bent, four_bar, positions

    case = bent(3) if name == "chain" else four_bar()
    variant = Variant(name, sparse=name == "chain", redundant=name == "four-bar")
    exudyn = imported()
    peer = build(exudyn, case.start, ("knee",) if name.endswith("plane") else ())
    assert abs(peer.energy() - case.start.energy[0]) < 1e-12 * abs(case.start.energy[0])
    peer.solve(settings(exudyn, 0.0005, 200, variant))
    run = po.simulate(case.system, 0.1, step=0.005, state=case.state, integrator="energy-momentum-6")
    assert np.abs(peer.positions() - positions(run)).max() < 1e-6
    assert np.abs(peer.positions() - positions(case.start)).max() > 1e-2


def test_streaming_is_measured():
    import streaming

    table = streaming.run(steps=200, repeats=1)
    assert [row["method"].split(" ")[0] for row in table.rows] == ["auto", "tree,"] and all(row["ratio"] > 0 for row in table.rows)
    assert str(table)


def test_growth_of_the_constraint_matrix():
    import constraint_matrix

    table = constraint_matrix.run(sizes=(20, 40), rounds=2)
    assert [row["what"] for row in table.rows][:2] == ["rates, 20 bodies", "rates, 40 bodies"] and str(table)


def test_the_cost_of_a_feedback_is_measured():
    import feedback_cost

    table = feedback_cost.run(duration=0.02, rounds=1)
    assert len(table.rows) == len(feedback_cost.METHODS) * len(feedback_cost.KINDS) and all(row["ratio"] > 0 for row in table.rows)
    assert sum("verdict" in row for row in table.rows) == len(feedback_cost.METHODS) and str(table)


def test_fixed_cost(monkeypatch):
    import fixed_cost

    monkeypatch.setattr(fixed_cost, "CASES", {"chain of 4": fixed_cost.CASES["chain of 4"]})
    table = fixed_cost.run(rounds=1)
    assert [row["steps"] for row in table.rows] == ["fixed", "adaptive"] and "reached" in str(table)


def test_reading():
    import reading

    table = reading.run(rounds=1, bodies=5)
    assert [row["file"] for row in table.rows] == ["as written", "with repeat"] and all(0 < row["seconds"] < 1 for row in table.rows)


def test_planar_kernels(monkeypatch):
    import plane

    monkeypatch.setattr(plane, "SYSTEMS", {name: plane.SYSTEMS[name] for name in ("four-bar", "chain of 10 hinges")})
    table = plane.run(rounds=1, part=0.05)
    assert len(table.rows) == 14 and max(row["difference"] for row in table.rows if "difference" in row) < 1e-13
