"""Wrong kinds of arguments, misspelt names and missing ones are refused; errors name the element, what was expected, the nearest right name."""

import time
import traceback

import numpy as np
import pytest

import poinsot as po
from poinsot.model.guard import TEXT, door


@pytest.fixture(scope="module")
def parts():
    s = po.System("s", gravity=(0, 0, -9.81))
    a = s.body("a", po.Box(0.1, 0.1, 1, mass=1), position=(0, 0, -0.5))
    b = s.body("b", po.Sphere(0.1, mass=1), position=(0, 0, -1))
    j = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="j")
    s.spherical(a, b, at=(0, 0, -1), name="ball")
    p = po.System("p", plane="xy", gravity=None)
    c = p.body("c", po.Sphere(0.1, mass=1))
    run = po.simulate(s, 0.05, step=0.01)
    return {"s": s, "a": a, "b": b, "j": j, "p": p, "c": c, "run": run, "ready": po.prepare(s, step=0.01), "d": po.dynamics(s)}


NAN, INF, HUGE = float("nan"), float("inf"), 10**400
DOORS = {  # call: words of the error
    # --- systems and bodies
    "po.System()": "System: needs gravity=",
    "po.System('q', gravty=None)": "did you mean gravity=?",
    "po.System(3, gravity=None)": "name must be a text, not 3",
    "po.System('q', gravity='down')": "system 'q': gravity: must be three numbers, not 'down'",
    "po.System('q', gravity=(0, -9.81))": "must be three numbers",
    "po.System('q', gravity=None, plane='xw')": "plane must be one of xy, yz, zx, xz or None",
    "po.System('q', gravity=None, plane=3)": "plane must be a text",
    "s.body('q', 'box')": "body 'q': shape must be a shape, such as po.Box",
    "s.body('q', po.Box)": "shape must be a shape",
    "s.body(3, mass=1)": "name must be a text",
    "s.body('q', mass='heavy')": "body 'q': mass must be a number, or None, not 'heavy'",
    "s.body('q', mass=True)": "mass must be a number",
    "s.body('q', mass=1j)": "mass must be a number",
    "s.body('q', mass=HUGE)": "mass must be a number",
    "s.body('q', mass=np.array([1.0]))": "mass must be a number",
    "s.body('q', mass=np.ma.masked)": "mass must be a number",
    "s.body('q', mas=1)": "body 'q': has no argument 'mas'; did you mean mass=?",
    "s.body('q', None, (0, 0, 0))": "give by name: position=",
    "s.body('q', mass=1, inertia='big')": "body 'q': inertia must be 3 principal values",
    "s.body('q', mass=1, inertia=(1, 1))": "inertia must be 3 principal values",
    "s.body('q', mass=1, com='left')": "body 'q': com: must be three numbers",
    "s.body('q', mass=1, position=('1', '2', '3'))": "position: must be three numbers",
    "s.body('q', mass=1, position=(x for x in (1, 2, 3)))": "must be three numbers",
    "s.body('q', mass=1, position={1, 2, 3})": "must be three numbers",
    "s.body('q', mass=1, position=np.ma.array([1., 2, 3], mask=[0, 1, 0]))": "must be three numbers",
    "s.body('q', mass=1, position=np.zeros((3, 1)))": "must be three numbers",
    "s.body('q', mass=1, rotation='90deg')": "cannot read the rotation '90deg'",
    "s.body('q', mass=1, rotation=('x', '90deg'))": "the angle of rotation",
    "s.body('q', mass=1, rotation=('x', NAN))": "must be a finite number of radians",
    "s.body('q', mass=1, between=3)": "between must be a pair of points",
    "s.body('q', mass=1, between=((0, 0, 0), 'x'))": "between: must be three numbers",
    "p.body('q', mass=1, inertia=(1, 2))": "inertia must be",
    "p.body('q', mass=1, rotation='x')": "cannot read the rotation",
    "a.at('x')": "body 'a': at: must be three numbers, not 'x'",
    "a.at()": "body 'a': needs point=",
    "a.world('x')": "must be three numbers",
    "a.positon": "body 'a' has no 'positon'; did you mean 'position'?",
    "s['c']": "system 's' has no element 'c'; it has ground, a, b",
    "s['bal']": "did you mean 'ball'?",
    "s[[]]": "elements are looked up by name",
    "s.bodis": "did you mean 'bodies'?",
    "s.add(3)": "cannot add 3; add takes forces",
    "s.add(po.Spring)": "cannot add",
    "s.check(rank='yes')": "rank must be True or False",
    "po.Sping": "did you mean 'Spring'?",
    # --- shapes
    "po.Box(1, 1)": "Box: needs z=",
    "po.Box(1, 1, '1')": "Box: z must be a number, not '1'",
    "po.Box(1, 1, 1, dens=3)": "did you mean density=?",
    "po.Box(1, 1, -1)": "z must be a positive length",
    "po.Box(1, 1, INF)": "z must be a positive length",
    "po.Sphere(1e60)": "the largest is 1e+50",
    "po.Cylinder(1, 1, axis='w')": "axis must be 'x', 'y' or 'z'",
    "po.Disc(1, thickness=NAN)": "thickness must be",
    "po.Composite(3)": "parts must be a list of shapes",
    "po.Composite([3])": "3 is not a shape",
    "po.Composite([(po.Sphere(1, mass=1), 'here')])": "a position must be three numbers",
    "po.Composite([po.Sphere(1, mass=0.0)]).properties()": "must have a positive mass",
    "po.Box(1, 1, 1).hight": "has no 'hight'",
    # --- joints
    "s.revolute(1, a, at=(0, 0, 0), axis='y')": "first must be a body of the system, or system.ground, not 1",
    "s.revolute('ground', a, at=(0, 0, 0), axis='y', name='hinge')": "revolute 'hinge': first must be a body",
    "s.revolute(a, b, at=5, axis='y')": "at: must be three numbers, not 5",
    "s.revolute(a, b, axis='y')": "revolute: needs at=",
    "s.revolute(a, b, at=(0, 0, 0), axs='y')": "did you mean axis=?",
    "s.revolute(a, b, at=(0, 0, 0), axis='w')": "axis must be a vector or one of x, y, z",
    "s.revolute(a, b, at=(0, 0, 0), axis=3)": "axis: must be three numbers",
    "s.screw(a, b, at=(0, 0, 0), axis='x', pitch='fine')": "pitch must be a number",
    "s.hinge(a, b)": "has no 'hinge'",
    "j.set(angle='90deg')": "revolute 'j': angle: must be 1 number, not '90deg'",
    "j.set(angel=1)": "did you mean angle=?",
    "j.set(angle=NAN)": "angle must be finite",
    "j.set(angle=(1, 2))": "must be 1 number",
    "j.set(rate=True)": "must be 1 number",
    "s['ball'].set(rotation='up')": "cannot read the rotation",
    "a.set(velocty=(1, 0, 0))": "did you mean velocity=?",
    "a.set(velocity=1)": "velocity: must be three numbers",
    "j.angel": "did you mean 'angle'?",
    "j.coordinate(3)": "revolute 'j': name must be a text",
    # --- forces, constraints, drives, signals
    "po.Force('x', (0, 0, 1))": "force: body must be a body or a point of one",
    "po.Force(a, 'up', name='push')": "force 'push': vector must be numbers or a function of time",
    "po.Force(a, (0, 0, 1), frame=3)": "frame must be a text",
    "po.Torque(3, (0, 0, 1))": "torque: body must be",
    "po.Spring(a, b, at=3, stifness=2)": "did you mean stiffness=?",
    "po.Spring(a, b, at=((0, 0, 0), (1, 0, 0)), stiffness='soft')": "stiffness must be a number",
    "s.add(po.Spring(a, b, at=3, stiffness=1))": "at must be a pair of points, not 3",
    "po.Spring(a, 'b', at=3, stiffness=1)": "second must be a body",
    "po.JointSpring(a, 1.0)": "target must be a joint or one of its coordinates, such as joint.angle, not body 'a'",
    "po.TorsionSpring(j, 1.0, law=3)": "law must be a text",
    "po.JointSpring(j, 1.0, rest=np.ma.masked, name='soft')": "joint spring 'soft': rest must be a number or a rotation, as a quaternion",
    "po.TorsionSpring(s['ball'], 1.0, rest=[np.ma.masked] * 3)": "torsion spring: rest must be a number or a rotation",
    "po.Bushing(a, b, at=(0, 0, 0), stiffness=[1.0] * 6, rotation=np.ma.masked)": "bushing: rotation must be a rotation, as a quaternion",
    "po.JointDamper(j, 'x')": "damping must be a number",
    "po.Motor('j')": "motor: target must be a joint",
    "po.Motor(j, 'strong')": "law must be a number or a function of time",
    "po.UserForce(3, [a])": "function must be a function",
    "po.UserForce(print, [3])": "bodies must be a list of bodies",
    "po.UserForce(print, [a], ['x'])": "params must be numbers",
    "po.Distance(a, 3, at=3)": "distance: second must be a body",
    "po.Gear(j.angle, j.angle, 'half')": "ratio must be a number",
    "s.add(po.Motion(j.angle, 3))": "must follow a po.Signal or a function of time, not 3",
    "po.Servo(j.angle, print, [])": "servo: outputs must be a list",
    "po.Signal(3)": "function must be a function of time",
    "po.signals.step(0, 1, 'x')": "step: to must be numbers",
    "po.signals.step(0, 1, 1, begn=2)": "did you mean begin=?",
    "po.signals.step(0, 0, 1)": "must end after it starts",
    "po.signals.spline([0, 1], 'x')": "values must be numbers",
    "po.signals.table(3, 4)": "give at least two times",
    "po.signals.table([0, NAN], [0, 1])": "times must increase",
    "po.signals.Polynomials([0, 1], 'x')": "coefficients must be numbers",
    # --- runs
    "po.simulate('file.yaml', 1)": "system must be a po.System (po.read reads one from a model file), not 'file.yaml'",
    "po.simulate(s)": "simulate: needs duration=",
    "po.simulate(s, 1, stp=0.1)": "did you mean step=?",
    "po.simulate(s, '1')": "duration must be a positive time in s, not '1'",
    "po.simulate(s, None)": "duration must be a positive time in s, not None",
    "ready.run(None)": "duration must be a positive time in s, not None",
    "po.simulate(s, True)": "duration must be a positive time",
    "po.simulate(s, 1, step=INF)": "step must be a positive time",
    "po.simulate(s, 1, step=HUGE)": "step must be a positive time",
    "po.simulate(s, 1, step=np.ma.masked)": "simulate: step must be a positive time in s, or None, not masked",
    "po.prepare(s, step=np.ma.masked)": "step must be a positive time in s, or None, not masked",
    "po.sweep(s, {'a.mass': [1.0]}, 1, step=np.ma.masked)": "sweep: step must be a positive time in s, or None, not masked",
    "po.simulate(s, 1, step=0.1, state=3)": "state must be a State, such as run.state()",
    "po.simulate(s, 1, step=0.1, state=po.State(0.0, [NAN] * 5, [0.0] * 4))": "state must have finite numbers",
    "po.simulate(s, 1, step=0.1, until=3)": "until must be a function g(t, state)",
    "po.simulate(s, 1, step=0.1, formulation=3)": "formulation must be a text",
    "po.simulate(s, 1, rtol='small')": "rtol must be a number",
    "po.simulate(s, 1, rtol=2.0)": "rtol is relative, and must be less than 1",
    "po.simulate(s, 1, step=0.1, start=1e30)": "start 1e+30 s is so large",
    "po.simulate(s, 1, step=0.1, stream=3)": "stream must be the path of a file",
    "po.prepare(None)": "system must be a po.System",
    "po.prepare(s, setp=1)": "did you mean step=?",
    "ready.run(1, change=3)": "change must be a dictionary",
    "ready.run(1, change={3: 4})": "change must be a dictionary",
    "po.State('now', [0], [0])": "t must be a number",
    "po.State(0, 'x', [0])": "coordinates must be numbers",
    "po.assemble(None)": "assemble: system must be a po.System",
    "po.assemble(s, 3)": "hold must be a dictionary",
    "po.assemble(s)['j.angel']": "did you mean 'j.angle'?",
    "po.dynamics('s')": "dynamics: system must be a po.System",
    "d.state('x')": "coordinates must be numbers",
    "d.acceleration(3)": "state must be a State",
    "d.acceleration(effort='x')": "effort must be numbers",
    "d.acceleration(effort=[NAN] * 4)": "effort must be finite numbers",
    "d.acelleration()": "did you mean 'acceleration'?",
    # --- results
    "run['aa']": "this run has no element 'aa'; did you mean 'a'?",
    "run[3]": "this run has no element 3",
    "run['a'].positon": "body 'a' of this run has no 'positon'; did you mean 'position'?",
    "run['j'].froce": "did you mean 'force'?",
    "run['a'].point('x')": "point: must be three numbers",
    "run.enrgy": "did you mean 'energy'?",
    "run.state('last')": "k must be a whole number",
    "run.state(99)": "there is no output 99; this run has 6",
    "run.index('x')": "t must be a number",
    "run.plot(3)": "a row of a plot is a name",
    "run.plot('enrgy')": "did you mean energy",
    "run.snapshots('x')": "snapshots are given by a number of them or by times",
    "run.snapshots(10**9)": "too many for one picture",
    "run.snapshots([NAN])": "times of snapshots must lie between",
    "run.snapshots(2, paths=3)": "paths: 3 is neither a body of this run nor a point of one",
    "run.to_dataframe(3)": "a result is selected by its name",
    "run.save(3)": "path must be the path of a file",
    "run.write_html(3)": "path must be the path of a file",
    "run.write_html('x.html', plot=[])": "did you mean plots=?",
    "run.write_html('x.html', plots=3)": "plots must be a list of names",
    "run.write_html('x.html', names=3)": "names must be a list of one name per run",
    "run.write_video('x.gif', fps='x')": "fps must be a number",
    "run.write_video('x.gif', size=(10**9, 10**9))": "pixels",
    "run.write_video('x.gif', fsp=3)": "did you mean fps=?",
    "po.write_html(3, 'x.html')": "3 is not a run",
    "po.load(3)": "path must be the path of a file",
    "po.load('x.h5', sytem=3)": "did you mean system=?",
    "po.read(3)": "path must be the path of a file",
    "po.read('x.yaml', functions=3)": "functions must be a dictionary",
    "po.resume(3)": "path must be the path of a file",
}  # fmt: skip


@pytest.mark.parametrize("call", DOORS)
def test_words_at_the_door(parts, call):
    with pytest.raises((po.PoinsotError, TypeError, AttributeError, KeyError)) as caught:
        eval(call, {"po": po, "np": np, "NAN": NAN, "INF": INF, "HUGE": HUGE, **parts})
    assert DOORS[call] in str(caught.value), str(caught.value)
    if not isinstance(caught.value, po.PoinsotError | KeyError):
        last = traceback.extract_tb(caught.value.__traceback__)[-1].filename
        assert last.endswith(("model/guard.py", "model/words.py", "results/views.py", "poinsot/__init__.py")), last


def test_long_values_and_odd_objects_make_short_messages(parts):
    class Odd:
        def __repr__(self):
            raise RuntimeError

    for value in ("x" * 10**6, 10**5000, [0] * 10**5, Odd(), np.zeros((500, 500))):
        with pytest.raises(po.ModelError) as caught:
            parts["s"].body("q", mass=value)
        assert len(str(caught.value)) < 250


def test_a_body_costs_no_more_than_before_for_its_guard():
    """A guard looks at arguments in microseconds: a hundred thousand bodies are made in seconds."""
    s = po.System("many", gravity=None)
    began = time.process_time()
    for k in range(5000):
        s.body(f"b{k}", mass=1.0, inertia=(1, 1, 1), position=(k, 0, 0))
    assert time.process_time() - began < 2.5


def test_properties_keep_their_own_words(parts):
    s = parts["s"]
    with pytest.raises(po.ModelError, match="has no start and end"):
        _ = s["b"].start
    assert not hasattr(parts["run"]["a"], "nothing") and getattr(s["a"], "nothing", 3) == 3


def test_errors_from_inside_stay_what_they_are():
    @door(x=TEXT)
    def broken(x):
        raise TypeError("mine")

    with pytest.raises(TypeError, match="^mine$"):
        broken("x")
    with pytest.raises(po.ModelError, match="broken: x must be a text, not 3"):
        broken(3)
    with pytest.raises(TypeError, match="broken: has no argument 'y'; it takes x"):
        broken("x", y=3)
    with pytest.raises(TypeError, match="broken: x is given twice"):
        broken("x", x="y")


def test_a_call_that_fails_changes_nothing():
    s = po.System("s", gravity=None)
    a = s.body("a", po.Sphere(0.1, mass=1))
    hinge = s.revolute(s.ground, a, at=(0, 0, 0), axis="x", name="hinge")
    before = s.to_yaml()
    spring = po.Spring(s.ground, a, at=3, stiffness=1.0)
    for wrong in (
        lambda: a.set(velocity="fast"),
        lambda: hinge.set(angle=0.1, rate="x"),
        lambda: s.body("b", mass="x"),
        lambda: s.revolute(s.ground, a, at="x", axis="x"),
        lambda: s.add(spring),
    ):
        with pytest.raises(po.ModelError):
            wrong()
    assert s.to_yaml() == before and not s.check().faults and spring.system is None


def test_odd_objects_that_no_guard_saw_are_named_when_a_model_is_written():
    class Odd:
        def __repr__(self):
            raise RuntimeError

    s = po.System("s", gravity=None)
    s.add(po.Gear(Odd(), Odd(), 2.0))
    with pytest.raises(po.ModelError, match="gear 'gear1': a value of type Odd is not an element of system 's'"):
        s.to_yaml()
