"""A run owns a copy of its system: later changes of the system, its arrays or its results do not affect it."""

import copy
import pickle
import time

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot import signals
from poinsot.files.runs.stream import Stream
from poinsot.model.snapshot import Snapshot, snapshot
from systems import chain, pendulum


def drag(t, x, params, out):
    for i in range(3):
        out[0, i] = -params[0] * x[0, 7 + i]


class Drawing:
    """A system made of arrays and lists that the user keeps, and may write to later."""

    def __init__(self):
        self.arrays = {
            "vector": np.array([0.1, 0.0, 0.2]),
            "params": np.array([0.5]),
            "inertia": np.diag([0.1, 0.2, 0.2]),
            "at": np.array([[0.0, 0.0, -0.5], [0.0, 0.0, -1.5]]),
            "rest": np.array([0.1, 0.0, 0.0]),
            "times": np.array([0.0, 0.5, 1.0]),
            "values": np.array([0.0, 0.3, 0.1]),
            "place": np.array([0.0, 0.0, -1.5]),
            "spin": np.array([0.0, 0.1, 0.2]),
            "part": np.array([0.1, 0.0, 0.0]),
        }
        given = self.arrays
        self.parts = [(po.Box(0.1, 0.2, 1.0, mass=1.0), given["part"])]
        s = self.system = po.System("drawing", gravity=np.array([0.0, 0.0, -9.81]))
        a = s.body("a", po.Composite(self.parts), position=(0, 0, -0.5))
        b = s.body("b", mass=1.0, inertia=given["inertia"], position=given["place"])
        self.hinge = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="hinge")
        self.ball = s.spherical(a, b, at=[0, 0, -1], name="ball")
        s.add(po.Spring(a, b, at=given["at"], stiffness=5.0, name="rope"))
        s.add(po.TorsionSpring(self.ball, stiffness=3.0, rest=given["rest"], name="cup"))
        s.add(po.Force(b, given["vector"], name="push"))
        s.add(po.UserForce(drag, bodies=[b], params=given["params"], name="drag"))
        self.signal = signals.spline(given["times"], given["values"])
        s.add(po.Motor(self.hinge, self.signal, name="motor"))
        self.hinge.set(angle=0.3)
        self.ball.set(rate=given["spin"])

    def ruin(self):
        """Everything that can happen to a system and to what was given to it."""
        s = self.system
        for array in self.arrays.values():
            array += 3.0
        self.parts.append(po.Sphere(1.0, mass=100.0))
        self.hinge.set(angle=2.5, rate=7.0)
        late = s.body("late", po.Sphere(0.1, mass=1.0), position=(5, 0, 0))
        s.revolute(s["b"], late, at=(4, 0, 0), axis="x", name="late_joint")
        s.add(po.Force(late, (0, 0, 1), name="late_force"))
        s.name, s.gravity = "renamed", (1.0, 2.0, 3.0)
        s.loads.pop(0)
        s.joints.reverse()
        object.__setattr__(self.ball, "name", "egg")
        self.signal.times = np.array([0.0, 1.0])
        self.signal.function = lambda t: 1e3
        s.initial.clear()


def told(run):
    """All that a run reports."""
    names = [body.name for body in run.system.bodies]
    values = [run[name].position for name in names] + [run["ball"].force, run["rope"].effort, run["motor"].effort]
    audit = {name: value for name, value in run.audit.to_dict().items() if name != "seconds"}
    return run.system.to_yaml(), audit, np.concatenate([np.ravel(v) for v in values]), run.energy


def assert_same(one, other):
    assert one[0] == other[0] and one[1] == other[1]
    assert np.array_equal(one[2], other[2]) and np.array_equal(one[3], other[3])


def test_a_run_says_what_ran_whatever_becomes_of_its_system(tmp_path):
    whole = told(po.simulate(Drawing().system, 0.2, step=0.01))
    drawing = Drawing()
    run = po.simulate(drawing.system, 0.2, step=0.01)  # none of its results has been used yet
    drawing.ruin()
    assert_same(told(run), whole)
    assert_same(told(po.load(run.save(tmp_path / "run.h5"), system=run.system)), whole)
    page = run.write_html(tmp_path / "run.html").read_text()
    assert "late_joint" not in page and "renamed" not in page and "drawing" in page
    run.plot()
    run.to_xarray()
    for key in ("late", "late_joint", drawing.system["late"]):
        with pytest.raises(po.ModelError, match="this run has no element"):
            run[key]
    assert np.array_equal(run[drawing.hinge].angle, run["hinge"].angle)
    assert (run.system.name, run.system.gravity) == ("drawing", (0.0, 0.0, -9.81))


def test_a_prepared_system_runs_as_it_was_prepared():
    whole = told(po.prepare(Drawing().system, step=0.01).run(0.2))
    drawing = Drawing()
    ready = po.prepare(drawing.system, step=0.01)
    drawing.ruin()
    assert_same(told(ready.run(0.2)), whole)
    change = {"rope.stiffness": 9.0, "a.mass": 2.0, "motor.values": [0.0, 0.2, 0.3]}
    wanted = po.prepare(Drawing().system, step=0.01).run(0.2, change=change)
    assert_same(told(ready.run(0.2, change=change)), told(wanted))


def test_a_stream_and_its_resumption_know_what_ran(tmp_path):
    whole = told(po.simulate(Drawing().system, 0.2, step=0.01))
    drawing, other = Drawing(), Drawing()
    run = po.simulate(drawing.system, 0.2, step=0.01, stream=tmp_path / "run.h5")
    drawing.ruin()
    assert_same(told(run), whole)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ZeroDivisionError):
        patch.setattr(Stream, "keep", lambda self, p: (self.segment(p), 1 / (p.t < 0.1)))
        po.simulate(other.system, 0.2, step=0.01, stream=tmp_path / "half.h5")
    same = Drawing()
    resumed = po.resume(tmp_path / "half.h5", same.system)
    same.ruin()
    assert_same(told(resumed), whole)


def test_a_partial_run_of_an_error_and_an_estimate_know_what_ran():
    s = pendulum()
    s.add(po.Motor(s["pin"], lambda t: 1.0 if t < 0.05 else 1 / 0, name="motor"))
    with pytest.raises(ZeroDivisionError) as caught:
        po.simulate(s, 1.0, step=0.01)
    s["pin"].set(angle=2.0)
    s.body("late", mass=1.0, inertia=1.0)
    run = caught.value.trajectory
    assert "angle: 0.5" in run.system.to_yaml() and [b.name for b in run.system.bodies] == ["bob"]
    plain = pendulum()
    run = po.simulate(plain, 0.5, step=0.01, estimate_error=True)
    plain["pin"].set(angle=2.0)
    assert run.audit.error_position is not None and "angle: 0.5" in run.system.to_yaml()


def test_a_law_that_changes_its_system_while_it_runs():
    """It changes the next run, not this one."""

    def law(t):
        if len(s.bodies) < 3:
            s.body(f"added{len(s.bodies)}", mass=1.0, inertia=1.0, position=(3, len(s.bodies)))
            s["pin"].set(angle=1.0)
        return float(np.asarray([0.1]).sum() + len(s.name[:0]))

    s = pendulum()
    s.add(po.Motor(s["pin"], law, name="motor"))
    run = po.simulate(s, 0.1, step=0.01)
    still = pendulum()
    still.add(po.Motor(still["pin"], 0.1, name="motor"))
    assert [b.name for b in run.system.bodies] == ["bob"]
    assert run["bob"].position == pytest.approx(po.simulate(still, 0.1, step=0.01)["bob"].position, abs=1e-14)


def test_assemblies_and_dynamics_know_what_they_were_made_from():
    s = four_bar()
    assembly, dynamics = po.assemble(s, hold={s["base"].angle: 0.2}), po.dynamics(s, "directors")
    words, before = str(assembly), dynamics.acceleration()
    s["base"].set(angle=1.0, rate=3.0)
    s.body("late", po.Sphere(0.1, mass=1.0))
    s.gravity = (0.0, 0.0, 0.0)
    assert str(assembly) == words and assembly["base.angle"] == pytest.approx(0.2)
    assert np.array_equal(dynamics.acceleration(), before)
    dynamics.state().coordinates[:] = 5.0
    assert np.array_equal(dynamics.acceleration(), before)


def test_the_system_of_a_run_does_not_change_and_its_copy_does(tmp_path):
    run = po.simulate(chain(2), 0.1, step=0.01)
    for system in (run.system, po.load(run.save(tmp_path / "run.h5")).system, po.prepare(chain(2)).frozen.system):
        text = system.to_yaml()
        for change in (
            lambda s=system: s["joint1"].set(rotation=("x", 1.0)),
            lambda s=system: s.body("late", mass=1.0, inertia=(1, 1, 1)),
            lambda s=system: s.add(po.Force(s["link1"], (0, 0, 1))),
            lambda s=system: s.spherical(s["link1"], s["link2"], at=(0, 0, 0)),
            lambda s=system: setattr(s, "gravity", (0, 0, 0)),
        ):
            with pytest.raises(po.ModelError, match="the copy that a run owns, and cannot be changed; change run.system.copy()"):
                change()
        with pytest.raises((AttributeError, TypeError)):
            system.bodies.append(1)
        with pytest.raises((AttributeError, TypeError)):
            system.initial.clear()
        assert system.to_yaml() == text
        mine = system.copy()
        mine["joint1"].set(rotation=("x", 1.0))
        mine.body("late", po.Sphere(0.1, mass=1.0), position=(3, 0, 0))
        assert mine.add(po.Force(mine["late"], (0, 0, 1))).name == "force1"
        assert po.simulate(mine, 0.1, step=0.01)["late"].position.shape == (11, 3)
        assert system.to_yaml() == text and mine["joint1"].system is mine and system["joint1"].system is system
        for twin in (copy.deepcopy(system), pickle.loads(pickle.dumps(system))):
            assert isinstance(twin, Snapshot) and twin.to_yaml() == text
    force = po.Force(run.system["link1"], (0, 0, 1))
    with pytest.raises(po.ModelError):
        run.system.add(force)
    assert force.system is None


def test_faults_are_found_in_the_copy_as_in_the_system():
    s, other = chain(2), chain(2)
    s.add(po.Force(other["link1"], (0, 0, 1), name="foreign"))
    s.body("link1", mass=-1.0, inertia=(1, 1, 1))
    assert snapshot(s).check().faults == s.check().faults and len(s.check().faults) >= 3


@pytest.mark.parametrize("closed", [False, True])
def test_results_cannot_be_written_to(closed, tmp_path):
    run = po.simulate(four_bar() if closed else chain(2), 0.1, step=0.01)
    body, joint = ("crank", "base") if closed else ("link1", "joint1")
    for known in (run, po.load(run.save(tmp_path / "run.h5"))):
        before = known.t.copy(), np.array(known.raw), known[body].position.copy(), known[joint].force.copy(), known.kinetic.copy()
        for values in (known.t, known.raw, known[body].position, known[joint].force, known.kinetic, known.work, known.coordinates):
            try:
                values[...] = 7.0  # arrays of the run are read-only, copies may be changed
            except ValueError as error:
                assert "read-only" in str(error)
        after = known.t, np.asarray(known.raw), known[body].position, known[joint].force, known.kinetic
        assert all(np.array_equal(a, b) for a, b in zip(before, after))
        known.state().coordinates[:] = 9.0
        known.state().raw["y"][:] = 9.0
        assert np.array_equal(known.state().raw["y"], before[1][-1])


def test_what_until_sees_cannot_be_written_to():
    def g(t, state):
        with pytest.raises(ValueError, match="read-only"):
            state.raw[:] = 0.0
        return 1.0

    run = po.simulate(chain(2), 0.1, step=0.01, until=g)
    assert np.array_equal(run.raw, po.simulate(chain(2), 0.1, step=0.01).raw)


def test_signals_own_their_tables():
    times, values = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 3.0])
    made = [signals.table(times, values), signals.spline(times, values), signals.Polynomials(times, np.ones((2, 2)))]
    before = [signal(1.5) for signal in made]
    times *= 2.0
    values *= 2.0
    assert [signal(1.5) for signal in made] == before
    with pytest.raises(ValueError, match="read-only"):
        made[0].times[0] = 5.0


def test_copies_are_cheap():
    """It takes a small fraction of the time of building."""
    began = time.process_time()
    s = chain(10_000)
    built = time.process_time() - began
    began = time.process_time()
    snapshot(s)
    assert time.process_time() - began < 0.6 * built


def test_a_law_cannot_write_to_its_parameters():
    def greedy(t, x, params, out):
        out[0, 0] = params[0]
        params[0] = 7.0

    s = chain(1)
    s.add(po.UserForce(greedy, bodies=[s["link1"]], params=[0.5], name="greedy"))
    ready = po.prepare(s, step=0.01)
    with pytest.raises(ValueError, match="read-only"):
        ready.run(0.1)
    assert ready.frozen.layout.values[3] == 0.5


def test_a_state_made_by_hand_from_results_is_its_own():
    run = po.simulate(chain(2), 0.2, step=0.01)
    coordinates = run.coordinates[10].copy()
    states = [po.State(0.1, q, run.rates[10]) for q in (run.coordinates[10], coordinates, run.coordinates[10].tolist())]
    coordinates[:] = 7.0
    ends = [po.simulate(chain(2), 0.1, step=0.01, state=state) for state in states]
    assert all(np.array_equal(end.raw, ends[0].raw) for end in ends)
    assert ends[0]["link2"].position[-1] == pytest.approx(run["link2"].position[-1], abs=1e-12)
