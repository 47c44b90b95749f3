"""Tables that are refilled hold the numbers that a system frozen anew has: whatever changes, through warm caches or without any, to the bit.

Changes are all those that elements offer, on random systems with joints and loads of the registries.
"""

import numpy as np
import pytest

import poinsot as po
from loops import parallelogram
from poinsot import simulation
from poinsot.analysis.least_motion import LeastMotion
from poinsot.layout import change as changing
from poinsot.layout.refill import Refill
from poinsot.model.body import Body
from poinsot.model.change import with_change
from poinsot.model.contents import likeness
from poinsot.model.joint import Joint
from poinsot.model.parameters import initial_names, parameters, value_of
from poinsot.sweeps import stacked, work
from poinsot.sweeps.bulk import is_initial
from refilled import forked, never_refilled, outcome, random_closed, random_open, same, sprung_bar, turning_bars
from systems import chain, pendulum

pytestmark = pytest.mark.filterwarnings("ignore::poinsot.errors.AssemblyWarning", "ignore::poinsot.errors.ModelWarning")

SYSTEMS = {
    "open": (random_open, {"step": 0.005, "integrator": "gauss2"}, (1, 2, 3)),
    "open, adaptive": (random_open, {"rtol": 1e-6, "atol": 1e-8}, (4,)),
    "in other frames": (random_open, {"step": 0.005, "integrator": "rk4", "formulation": "moving-frame"}, (5,)),
    "forked": (forked, {"step": 0.005}, (0,)),
    "planar": (lambda _: pendulum(), {"step": 0.005}, (0,)),
    "closed by rows": (random_closed, {"step": 0.005}, (1, 2)),
    "closed tree": (random_closed, {"rtol": 1e-6, "atol": 1e-8}, (3,)),
    "four-bar": (sprung_bar, {"step": 0.005}, (0,)),
    "four-bar as a tree": (sprung_bar, {"rtol": 1e-6, "atol": 1e-8}, (0,)),
    "five-bar in motion": (turning_bars, {"step": 0.005}, (0,)),
    "redundant": (lambda _: parallelogram(), {"step": 0.005}, (0,)),
    "rotation matrices": (sprung_bar, {"rtol": 1e-6, "formulation": "rotation-matrix"}, (0,)),
}
CASES = [(name, seed) for name, (_, _, seeds) in SYSTEMS.items() for seed in seeds]


def another(element, name):
    """Another value of a parameter, and whether there is one."""
    if element.free_form(name):
        return [0.2, 0.1, -0.1]
    now = np.asarray(value_of(element, name), float)
    if isinstance(element, Body) and name == "com":
        return (now + 0.01).tolist()
    return float(now * 1.1 + 0.01 * (now == 0)) if now.ndim == 0 else (now * 1.1).tolist()


def offered(system):
    """Every number that can change, by its key, with another value."""
    yield "gravity", [0.3, 0.0, -9.0] if system.plane is None else [0.3, -9.0]
    for element in system.elements():
        for name in parameters(element):
            yield f"{element.name}.{name}", another(element, name)
        coordinates = dict(zip(element.names, element.motions())) if isinstance(element, Joint) else {}
        for name in initial_names(element) if coordinates else ():
            rates = {known: motion.rates for known, motion in zip(element.rate_names, element.motions())}
            size = sum(rates.values()) if name == "rate" else rates.get(name) or coordinates[name].rates
            yield f"{element.name}.{name}", 0.2 if size == 1 else [0.1 * (k + 1) for k in range(size)]


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_every_change_through_warm_tables_and_frozen_anew(name, seed, monkeypatch):
    build, settings, _ = SYSTEMS[name]
    system, anew = build(seed), []
    ready = po.prepare(system, **settings)
    first = outcome(ready, None)
    monkeypatch.setattr(changing, "frozen_anew", lambda *args, original=changing.frozen_anew: anew.append(args[1]) or original(*args))
    found = []
    for key, value in offered(system):
        anew.clear()
        run = outcome(ready, {key: value})
        found.append((key, value, run, not anew))
    refilled = [key for key, *_, quickly in found if quickly]
    if settings.get("formulation") != "rotation-matrix":  # which builds its tables anew
        assert "gravity" in refilled and any(key.endswith(".mass") for key in refilled)
    for key, value, run, _ in found:
        assert same(run, never_refilled(system, settings, {key: value})), key
    assert same(outcome(ready, None), first)


@pytest.mark.parametrize("seed", [1, 2])
def test_several_at_once(seed):
    for build, settings in ((random_open, {"step": 0.005}), (random_closed, {"step": 0.005})):
        system, rng = build(seed), np.random.default_rng(seed)
        ready, known = po.prepare(system, **settings), list(offered(system))
        for _ in range(6):
            change = dict(known[k] for k in rng.choice(len(known), 4, replace=False))
            assert same(outcome(ready, change), never_refilled(system, settings, change)), change


@pytest.mark.parametrize(("build", "determined"), [(sprung_bar, True), (turning_bars, False)])
def test_masses_where_the_rates_that_are_set_determine_all(build, determined, monkeypatch):
    """Then they have no influence, not even in the last bit, and no matrix has to be built for other masses; with a freedom left they have."""
    system, built = build(0), []
    system.joints[0].set(rate=1.0)
    ready = po.prepare(system, step=0.005)
    first, made = ready.run(0.02), LeastMotion.__init__
    monkeypatch.setattr(LeastMotion, "__init__", lambda self, *args: built.append(args) or made(self, *args))
    other = ready.run(0.02, change={f"{system.bodies[1].name}.mass": 40.0})
    rates = [np.array([np.ravel(run[joint.name].rate[0]) for joint in system.joints]) for run in (first, other)]
    assert bool(built) != determined
    assert (np.abs(rates[0] - rates[1]).max() < 1e-15) == determined and abs(rates[0][0, 0] - 1.0) < 1e-15


def test_a_run_keeps_the_values_it_had():
    """Even if the user's arrays change before anybody asks for the system of the run."""
    ready, gravity = po.prepare(chain(2), step=0.01), np.array([0.0, 0.0, -3.0])
    run = ready.run(0.02, change={"gravity": gravity, "link1.inertia": [30.0, 30.0, 2.0]})
    gravity[:] = 7.0
    assert run.system.gravity == (0.0, 0.0, -3.0) and run.system["link1"].inertia[0] == 30.0
    assert run.frozen.layout.bodies["inertia"][1][0] == 30.0


def test_wrong_numbers_in_tables_are_told(monkeypatch):
    ready = po.prepare(chain(2), step=0.01)
    monkeypatch.setattr(Refill, "layout", lambda self, numbers: self.frozen.layout)  # forgets what has changed
    run = ready.run(0.02, change={"link1.mass": 3.0})
    with pytest.raises(po.RunError, match="bodies, links.*refilled with wrong numbers"):
        run.system.bodies  # noqa: B018


@pytest.mark.parametrize(("build", "seed"), [(random_open, 1), (random_open, 6), (lambda _: pendulum(), 0), (lambda _: chain(3), 0)])
def test_variants_stacked_and_alone(build, seed, monkeypatch):
    """Sweeps over numbers of tables, done together, give the bits of runs of their own."""
    monkeypatch.setattr("poinsot.sweeps.sweep.FEWEST", 1)
    system, counted = build(seed), []
    vary = [{key: value} for key, value in offered(system) if not key.startswith("gravity")]
    vary += [vary[0] | {"gravity": [0.0, 0.1, -9.0] if system.plane is None else [0.1, -9.0]}] * 3
    starts = [change for change in vary if all(is_initial(system, key) for key in change)]
    assert starts
    heavier = [{f"{body.name}.mass": (1.2 + 0.1 * k) * body.mass} for body in system.bodies for k in range(2)]
    vary += [heavy | starts[k % len(starts)] for k, heavy in enumerate(heavier)]  # both at once
    body, joint = system.bodies[-1].name, system.joints[0].name
    kept = ["energy", f"{body}.position", po.largest(f"{joint}.force"), po.last(f"{body}.velocity"), po.mean("momentum")]
    kept += [f"{load.name}.power" for load in system.loads[:2]]
    original = stacked.Stacked.run

    def counting(self, changes):
        results = original(self, changes)
        counted.append(int(results.done.sum()))
        return results

    monkeypatch.setattr(stacked.Stacked, "run", counting)
    for settings in ({"step": 0.005, "integrator": "rk4"}, {"rtol": 1e-6, "output_step": 0.01}):
        counted.clear()
        together = po.sweep(system, vary, 0.02, record=kept, workers=1, progress=False, **settings)
        assert sum(counted) >= len(system.bodies)
        with monkeypatch.context() as patched:
            patched.setattr(work, "suits", lambda ready, task: False)
            alone = po.sweep(system, vary, 0.02, record=kept, workers=1, progress=False, **settings)
        for one, other in zip((together.store.figures, *together.store.values), (alone.store.figures, *alone.store.values)):
            assert np.array_equal(one.view(np.int64), other.view(np.int64))
        assert together.store.failures == alone.store.failures


def renewed_systems(build, seed):
    """Systems built with other values, each with one of them changed as `change=` does it."""
    system = build(seed)
    yield system
    for key, value in offered(system):
        try:
            yield with_change(build(seed), {key: value})
        except po.PoinsotError:
            continue


@pytest.mark.parametrize(("name", "seed"), [case for case in CASES if case[1] < 3])
def test_new_systems_of_known_structure_and_without_memory(name, seed, monkeypatch):
    """`simulate` of systems that differ in numbers, one after the other, and with nothing remembered."""
    build, settings, _ = SYSTEMS[name]
    systems, frozen = list(renewed_systems(build, seed)), []
    monkeypatch.setattr(simulation, "freeze", lambda *args, original=simulation.freeze: frozen.append(args) or original(*args))

    def simulated(system):
        try:
            return po.simulate(system, 0.02, **settings)
        except po.PoinsotError as error:
            return f"{type(error).__name__}: {error}"

    forget()
    warm = [simulated(system) for system in systems]
    assert len(frozen) < 0.7 * len(systems)
    for system, run in zip(systems, warm):
        forget()
        assert same(run, simulated(system))


def forget():
    simulation._KNOWN.forget()
    simulation._ALIKE.forget()


def test_what_makes_another_structure():
    """An element more or less, another point, plane, name or setting: never the tables of a system alike."""
    def likeness_of(change=lambda s: None, **options):
        s = chain(2)
        change(s)
        return likeness(s, options)

    plain = likeness_of()
    assert plain is not None and plain == likeness_of(lambda s: setattr(s, "gravity", (0.0, 0.0, -1.0)))
    assert plain == likeness_of(lambda s: s["joint2"].set(rate=(1, 2, 3)))
    others = [
        likeness_of(lambda s: s.add(po.JointDamper(s["joint1"], 0.1))),
        likeness_of(lambda s: s.loads.append(po.JointDamper(s["joint1"], 0.1))),
        likeness_of(lambda s: s.bodies.pop()),
        likeness_of(lambda s: object.__setattr__(s["link1"], "position", (0.0, 0.0, -1.5))),
        likeness_of(lambda s: object.__setattr__(s["link1"], "com", (0.0, 0.0, 0.1))),
        likeness_of(lambda s: object.__setattr__(s["joint1"], "first_at", (0.0, 0.0, 0.1))),
        likeness_of(lambda s: setattr(s, "name", "other")),
        likeness_of(step=0.1),
    ]
    assert plain not in others and len(set(others)) == len(others)


def test_warnings_come_for_every_new_system():
    """Values that look odd are told, whatever was prepared for a system alike."""
    def tied(stiffness):
        s = chain(2)
        s.add(po.JointDamper(s["joint1"], stiffness, name="oil"))
        return s

    forget()
    po.simulate(tied(1.0), 0.02, step=0.01)
    with pytest.warns(po.ModelWarning, match="is the sign right"):
        po.simulate(tied(-1.0), 0.02, step=0.01)
    with pytest.raises(po.ModelError, match="finite"):
        po.simulate(tied(float("nan")), 0.02, step=0.01)
