"""Variants in lanes: those of runs of their own up to rounding, with bits that do not depend on their company; what fails is left to such runs."""

import numpy as np
import pytest
from test_sweep import same

import poinsot as po
from loops import four_bar
from poinsot.sweeps import lanes
from systems import chain, pendulum

ANGLES = [("x", float(angle)) for angle in np.linspace(0.1, 1.5, 6)]
METHODS = ["rk4", "dop853", "gauss1", "gauss2", "gauss3", "gauss4"]
KEPT = ["energy", "tip.position", po.mean("tip.velocity"), po.largest("hip.force")]
VARY = {"hip.rotation": ANGLES[:3], "tip.mass": [1.0, 2.5]}


def arm():
    """Every kind of elementary joint, with springs, dampers, a stop with a kink, and forces on bodies."""
    s = po.System("arm", gravity=(0, 0.3, -9.81))
    upper = s.body("upper", po.Box(0.2, 0.3, 1.0, mass=3.0), position=(0, 0, -0.5))
    lower = s.body("lower", po.Box(0.1, 0.2, 0.8, mass=2.0), position=(0, 0.1, -1.4))
    tip = s.body("tip", po.Sphere(0.1, mass=1.0), position=(0, 0.1, -1.9))
    tail = s.body("tail", po.Box(0.3, 0.1, 0.1, mass=0.5), position=(0.3, 0, -0.2))
    hip = s.spherical(s.ground, upper, at=(0, 0, 0), name="hip")
    knee = s.revolute(upper, lower, at=(0, 0.1, -1.0), axis="y", name="knee")
    slide = s.prismatic(lower, tip, axis="z", name="slide")
    s.universal(upper, tail, at=(0.1, 0, -0.2), axis="y", axis2="z", name="hook")
    s.add(po.TorsionSpring(hip, stiffness=4.0))
    s.add(po.JointDamper(knee, 0.2))
    s.add(po.Stop(knee, lower=-0.2, upper=0.35, stiffness=300.0, damping=1.0, blend=0.05))
    s.add(po.JointSpring(slide, stiffness=80.0))
    s.add(po.Spring(tail, tip, at=((0.3, 0, -0.2), (0, 0.1, -1.9)), stiffness=5.0, damping=0.1, length=1.5))
    s.add(po.Force(lower, (1.0, 0.0, 0.5)))
    hip.set(rotation=("y", 0.4))
    knee.set(angle=0.3, rate=-1.0)
    return s


def swept(build, vary, duration=0.3, **settings):
    return po.sweep(build, vary, duration, **{"step": 0.01, "record": KEPT, "workers": 1, "lanes": True} | settings)


@pytest.fixture(scope="module", params=METHODS)
def pair(request):
    """A sweep in lanes and without."""
    settings = {"integrator": request.param, "formulation": "tree"}
    return swept(arm(), VARY, **settings), swept(arm(), VARY, lanes=False, **settings), settings


def test_lanes_give_what_runs_of_their_own_give(pair):
    inside, outside, _ = pair
    assert np.all(inside.figure_values("lanes") == 4) and np.all(outside.figure_values("lanes") == 0)
    assert inside.lanes == "6 of 6 variants in 4 lanes" and outside.lanes == "none: lanes=False"
    assert "6 of 6 variants in 4 lanes" in str(inside) and inside.dataset.attrs["lanes"] == inside.lanes
    for name in inside.names:
        one, other = inside.values(name), outside.values(name)
        assert np.abs(one - other).max() <= 1e-11 * np.abs(other).max()
    assert np.array_equal(inside.figure_values("steps"), outside.figure_values("steps"))
    assert np.abs(inside.figure_values("iterations") - outside.figure_values("iterations")).max() <= 2


def test_bits_do_not_depend_on_the_company_or_the_place(pair):
    inside, _, settings = pair
    listed = [{"hip.rotation": rotation, "tip.mass": mass} for rotation in VARY["hip.rotation"] for mass in VARY["tip.mass"]]
    for order in ([4], [5, 0], [3, 2, 1, 0, 5], [1, 1, 1, 1, 4]):
        found = swept(arm(), [listed[k] for k in order], **settings)
        for one, other in zip((inside.store.figures, *inside.store.values), (found.store.figures, *found.store.values)):
            assert np.array_equal(one[order].view(np.int64), other.view(np.int64))
    fast = {"hip.rotation": ANGLES[5], "tip.mass": 1.0, "knee.rate": 25.0}  # needs more iterations than its company
    found = swept(arm(), [listed[4], fast, listed[1]], **settings)
    assert found.figure_values("iterations")[1] > found.figure_values("iterations")[[0, 2]].max() or "gauss" not in settings["integrator"]
    for one, other in zip(inside.store.values, found.store.values):
        assert np.array_equal(one[[4, 1]].view(np.int64), other[[0, 2]].view(np.int64))


def test_a_variant_is_computed_again_to_the_bit(pair):
    inside, _, _ = pair
    run = inside.run(3)
    assert np.array_equal(run.energy, inside.store.values[0][3]) and np.array_equal(run["tip"].position, inside.store.values[1][3])
    assert run.audit.lanes == 4 and "in 4 lanes" in str(run.audit)
    assert run.audit.energy_drift == inside.store.figures[3, 0] and run.audit.evaluations > 0


@pytest.mark.parametrize("settings", [{"workers": 3}, {"engine": "processes", "workers": 2}])
def test_the_same_bits_whoever_computes_in_lanes(settings, monkeypatch):
    monkeypatch.setattr("poinsot.sweeps.sweep.FEWEST", 2)
    vary = {"joint1.rotation": ANGLES}
    assert same(swept(chain(3), vary, record=["energy"]), swept(chain(3), vary, record=["energy"], **settings))


def test_a_sweep_in_lanes_is_resumed_in_lanes(tmp_path, monkeypatch):
    monkeypatch.setattr("poinsot.sweeps.sweep.FEWEST", 3)
    settings = {"record": ["energy"], "integrator": "rk4"}
    whole = swept(chain(2), {"joint1.rotation": ANGLES}, **settings)
    original, done = lanes.run_in_lanes, []

    def interrupted(work):
        if len(done) == 1:
            raise KeyboardInterrupt
        done.append(1)
        return original(work)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr("poinsot.sweeps.work.run_in_lanes", interrupted)
        swept(chain(2), {"joint1.rotation": ANGLES}, stream=tmp_path / "s.h5", **settings)
    assert not po.load(tmp_path / "s.h5").complete
    assert same(whole, po.resume(tmp_path / "s.h5")) and po.load(tmp_path / "s.h5").lanes == "6 of 6 variants in 4 lanes"


@pytest.mark.parametrize("method", ["rk4", "gauss2"])
def test_a_lane_that_fails_leaves_the_others_alone(method):
    """Values out of range, a state that explodes, steps by Newton's method: their own errors and results, those of the others to the bit."""
    s = chain(2)
    s.add(po.JointDamper(s["joint2"], 0.1, name="damper"))
    good = [{"joint2.rate": (0.1 * k, 0.0, 0.2)} for k in range(3)]
    bad = [
        {"joint2.rate": (1e60, 0.0, 0.0)},
        {"joint2.rate": (1e154, 1e154, 0.0)},
        {"joint2.rate": (1.0, 0.0, 0.0), "damper.damping": 3e4},
        {"link2.mass": -1.0},
    ]
    if method == "gauss2":  # its stages converge only in smaller steps, which lanes do not take
        bad.append({"joint2.rate": (300.0, 0.0, 40.0)})
    settings = {"step": 0.02, "integrator": method, "record": ["energy"]}
    alone, without = swept(s, good, **settings), swept(s, good + bad, lanes=False, **settings)
    for order in (list(range(3 + len(bad))), [3, 0, 4, 1, 5, 2, 6, 7][: 3 + len(bad)], [1, 2, 3 + len(bad) - 1, 0]):
        found = swept(s, [(good + bad)[k] for k in order], **settings)
        for at, k in enumerate(order):
            expected = alone if k < 3 else without
            assert np.array_equal(found.values("energy")[at], expected.values("energy")[k], equal_nan=True)
            assert found.store.failures.get(at) == expected.store.failures.get(k)
            assert k >= 3 or found.figure_values("lanes")[at] == 4
    assert np.all(alone.figure_values("lanes") == 4)


def rod(length):
    s = po.System("rod", gravity=(0, 0, -9.81))
    body = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (length, 0, 0)))
    s.spherical(s.ground, body, at=(0, 0, 0), name="hip").set(rate=(1.0, 2.0, 3.0))
    return s


def test_systems_built_by_a_function_share_lanes(monkeypatch):
    """Lengths, of which drawings depend: other tables in every lane."""
    groups, original = [], lanes.Side._march
    monkeypatch.setattr(lanes.Side, "_march", lambda self, some: groups.extend(map(len, some)) or original(self, some))
    monkeypatch.setattr("poinsot.sweeps.sweep.FEWEST", 1)
    vary, settings = {"length": [0.5, 0.7, 1.0, 1.3, 2.0]}, {"record": ["rod.position"], "integrator": "rk4"}
    found = swept(rod, vary, **settings)
    assert groups == [4, 1] and np.all(found.figure_values("lanes") == 4)
    assert np.abs(found.values("rod.position") - swept(rod, vary, lanes=False, **settings).values("rod.position")).max() < 1e-13


def falling(run):
    return run.energy[-1]


def to_the_ground(t, state):
    return state["link2"].position[2] + 5.0


def moving():
    s = chain(2)
    s.add(po.UserForce(lambda t, x, p, out: None, bodies=[s["link1"]]))
    return s


REASONS = {
    "steps are adaptive": (lambda: chain(2), {"step": None, "rtol": 1e-6}),
    "formulation 'tree' in the plane has no lanes": (lambda: pendulum(), {}),
    "formulation 'moving-frame' has no lanes": (lambda: chain(2), {"formulation": "moving-frame"}),
    "'falling' of record= needs whole runs": (lambda: chain(2), {"record": [falling]}),
    "its joints are enforced by multipliers": (four_bar, {}),
    "users' functions act in the system": (moving, {}),
    "until= ends runs at different times": (lambda: chain(2), {"until": to_the_ground}),
    "the duration is not a whole number of output steps": (lambda: chain(2), {"output_step": 0.02, "duration": 0.05}),
}


@pytest.mark.filterwarnings("ignore::poinsot.errors.ModelWarning")
@pytest.mark.parametrize("words", REASONS)
def test_where_lanes_do_not_apply_the_sweep_says_why(words):
    build, settings = REASONS[words]
    system, vary = build(), {"gravity": [(0, 0, -9.81), (0, 0, -1.0)]} if "plane" not in words else {"gravity": [(0, -9.81), (0, -1.0)]}
    found = swept(system, vary, **{"record": ["energy"], "duration": 0.04} | settings)
    assert words in found.lanes and found.lanes.startswith("none: ") and np.all(found.figure_values("lanes") == 0) and not found.failures


def test_lanes_are_chosen_where_they_pay(monkeypatch):
    """It depends on the sweep alone: its steps, links and variants."""
    settings = {"record": ["energy"], "lanes": None, "integrator": "rk4"}
    short = swept(chain(2), {"joint1.rotation": ANGLES}, **settings)
    assert "too short" in short.lanes and not short.task.lanes
    links, evaluations = 3, 30 * 4
    monkeypatch.setattr(lanes, "PAYS", 6 * links * evaluations * lanes.EVALUATION * (1 + 1e-9))
    assert not swept(chain(2), {"joint1.rotation": ANGLES}, **settings).task.lanes
    monkeypatch.setattr(lanes, "PAYS", 6 * links * evaluations * lanes.EVALUATION * (1 - 1e-9))
    assert swept(chain(2), {"joint1.rotation": ANGLES}, **settings).lanes == "6 of 6 variants in 4 lanes"


def test_files_without_this_figure_are_read(tmp_path, monkeypatch):
    """Those of sweeps before there were lanes."""
    from poinsot.sweeps import figures, file, header

    whole = {name: unit for name, unit in figures.FIGURES.items() if name != "lanes"}
    settings = {"record": ["energy"], "lanes": False, "stream": tmp_path / "old.h5"}
    found = swept(chain(2), {"joint1.rotation": ANGLES}, **settings)
    place = found.store
    assert place.places.header["figures"] == list(figures.FIGURES) and whole.keys() < figures.FIGURES.keys()
    original = header.header_of
    monkeypatch.setattr(file, "header_of", lambda task: {k: v for k, v in original(task).items() if k not in ("figures", "lanes", "lanes_words")})
    monkeypatch.setattr(file, "FIGURES", whole)
    path = tmp_path / "older.h5"
    task = found.task
    from dataclasses import replace

    store = file.create(path, replace(task), found.t)
    monkeypatch.undo()
    store.columns = list(range(len(whole)))
    for batch in range(task.batches):
        from poinsot.sweeps.work import Bench

        store.put(Bench(task).part(batch))
    store.finish()
    again = po.load(path)
    assert again.complete and np.array_equal(again.values("energy"), found.values("energy")) and np.all(np.isnan(again.figure_values("lanes")))
    assert np.array_equal(again.figure_values("end"), found.figure_values("end"))
