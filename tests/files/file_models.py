"""Systems with every element and every option that a file can hold, and comparisons of two systems."""

import math

import numpy as np

import further
import poinsot as po
from poinsot.files.models.functions import file_names
from poinsot.files.models.read_write import read_text
from poinsot.layout.freeze import freeze
from poinsot.model.rotation import matrix
from systems import taken


def torque_of_time(t):
    return 0.3 * math.sin(2.0 * t)


def feedback(t, angle, rate):
    return -0.5 * angle - 0.1 * rate


def push(t):
    return (0.1 * t, 0.0, math.cos(t))


def control(t, x, p, u, z, dz):
    """Some law of a feedback with a state."""
    u[0] = -p.kp * x[0] - z[0]
    dz[0] = p.K[1, 1] * x[1]


def judge(t, x, p, z):
    """Some function of what a feedback sees."""
    return x[0] ** 2 + z[0] ** 2


def judge_rate(t, x, p, z):
    """Some rate of it."""
    return 2.0 * x[0] * x[1]


def drag(t, x, params, out):
    for k in range(len(x)):
        for i in range(3):
            out[k, i] = -params[0] * x[k, 7 + i]


def level(t, x, params, out):
    out[0, 2], out[1, 8] = 1.0, params[0]


def swing(t):
    return 0.2 * t**4 / (1.0 + t**4)


def path(t):
    return (0.5 + 0.05 * t**4, 0.4 - 0.02 * t**4)


def path_rate(t):
    return (0.2 * t**3, -0.08 * t**3)


def path_acceleration(t):
    return (0.6 * t**2, -0.24 * t**2)


def shapes():
    """Every shape, with every option, and composites in composites."""
    inner = po.Composite([po.Sphere(0.1, mass=1), (po.Box(0.1, 0.2, 0.3, density=700.0), np.array([0.1, 0, 0.2]))])
    parts = [
        (po.Rod(radius=0.02, length=0.7, mass=0.3), (0.1, 0.2, 0.3), ("z", 0.4)),
        (po.Cylinder(0.05, 0.2, axis="y", density=1000.0), [0, 0, 1], np.array([0.1, 0.2, 0.3])),
        (po.Disc(0.2, axis="x", mass=0.5), (0, 1 / 3, 0), ((0, 1, 1), 0.7)),
        (po.Disc(0.2, thickness=0.01, density=2700.0), None, [("x", 0.1), (1, 2, 3), ((1, 0, 1), 0.2)]),
        (inner, (0, 0, -1), matrix((0.5, 0.1, 0.7, 0.5))),
    ]
    return po.Composite(parts)


def spatial():
    """Every joint, load and constraint in space; bodies given in every way."""
    s = po.System("every: element, in 'space'", gravity=np.array([0.1, -0.0, -9.81]))
    rng = np.random.default_rng(3)
    a = s.body("a", shapes(), position=(0, 0, 1), rotation=("x", 0.3))
    looks = [po.Look(po.Box(0.1, 0.2, 0.3), position=rng.normal(size=3), rotation=("x", 0.1), colour="#ff8800"), po.Sphere(0.1)]
    place = {"position": rng.normal(size=3), "rotation": rng.normal(size=3)}
    b = s.body("b", mass=2.0, inertia=(0.1, 0.2, 0.25), com=(0.01, 0, np.float64(0.02)), looks=looks, **place)
    c = s.body("c", po.Box(0.1, 0.2, 0.3, mass=1.5), inertia=np.diag([0.3, 0.2, 0.2]) + 0.01, rotation=[0.5, 0.5, -0.5, 0.5], position=(1, 1, 1))
    d = s.body("d", po.Rod(radius=0.02, mass=np.float32(0.7)), between=((1.0, 1, 1), np.array([2, 1 / 3, 0.1])), com=(0.1, 0, 0))
    e = s.body("e", po.Cylinder(0.1, 0.3, mass=2), position=(2, 0, 0), rotation=matrix((0.1, 0.7, 0.5, 0.5)))
    f = s.body("f", po.Disc(0.3, mass=1), position=(3, 0, 0), rotation=[("x", 0.2), ("-y", 0.1), (0.1, 0.2, 0.3)])
    g = s.body("g", po.Sphere(0.2, density=500.0), position=(3, 1, 0), rotation=((1, 1, 0), 0.4))
    h = s.body("h", po.Sphere(0.2, mass=1), position=(4, 1, 0))
    i = s.body("i", po.Sphere(0.2, mass=1), position=(5, 1, 0))
    j = s.body("j", po.Sphere(0.2, mass=1), position=(6, 1, 0))
    loose = s.body("loose", po.Sphere(0.1, mass=1), position=(-3, 0, 0))
    hinge = s.revolute(s.ground, a, at=(0, 0, 0), axis=(1, 2, 3), name="hinge")
    slide = s.prismatic(a, b, axis="-y")
    ball = s.spherical(a, c, at=c.at((0.1, 0, 0)), name="ball")
    cylinder = s.cylindrical(c, d, at=d.start, axis=(0.1, 0.2, 0.9), name="cylinder")
    cardan = s.universal(d, e, at=(d.end, (2, 1 / 3, 0.1)), axis="x", axis2=(0, 1, 0.1), name="cardan")
    screw = s.screw(e, f, at=(2.5, 0, 0), axis="z", pitch=0.3, name="screw")
    s.fixed(f, g)
    flat = s.planar(g, h, at=(3.5, 1, 0), axis=(0, 1, 1), direction="x", name="flat")
    free = s.free(h, i, at=(4.5, 1, 0), name="free")
    s.fixed(i, j, at=np.array([5.5, 1, 0]))
    s.spherical(j, s.ground, at=((5.9, 1, 0), (6.1, 1, 0)), name="closing")
    s.add(po.Spring(a, s.ground, at=((0, 0, 0.5), s.ground.at((1, 0, 0))), stiffness=3.0, damping=0.1, length=0.7, name="spring"))
    s.add(po.Spring(d, e, at=(d.end, e.at((0, 0, 0.1))), stiffness=np.float64(5.0)))
    s.add(po.TorsionSpring(ball, 2.0, rest=("y", 0.1)))
    s.add(po.TorsionSpring(ball, 2.0, rest=((0, 0, 1), 0.1), law="euler-angles", name="euler"))
    s.add(po.TorsionSpring(cylinder.angle, 2.0, rest=0.2))
    s.add(po.JointSpring(slide, stiffness=30.0, rest=np.float64(0.1)))
    s.add(po.JointSpring(cylinder, 10.0))
    s.add(po.JointDamper(cardan, 0.1))
    s.add(po.JointDamper(cardan.coordinate("angle2"), 0.2))
    s.add(po.Stop(cardan.coordinate("angle1"), lower=-0.5, upper=np.float64(0.7), stiffness=50, damping=0.3, blend=0.02))
    s.add(po.Motor(hinge, 0.5, name="constant"))
    s.add(po.Motor(hinge, torque=torque_of_time, name="timed"))
    s.add(po.Motor(slide, force=-2.0))
    s.add(po.Motor(screw.angle, feedback, name="feedback"))
    s.add(po.Motor(flat.coordinate("x"), po.signals.step(0.0, 1.0, to=2.0), name="stepped"))
    s.add(po.Motor(flat.angle, po.Signal(torque_of_time), name="signalled"))
    s.add(po.Force(b, (0, 0, 1)))
    s.add(po.Force(d.end, np.array([1, 0, 0]), frame="body"))
    s.add(po.Force(e, push, at=e.at((0, 0.1, 0)), name="pushed"))
    s.add(po.Force(e, (0, 1, 0), at=(2.1, 0, 0)))
    s.add(po.Torque(loose, (0, 0, 0.1), frame="body"))
    s.add(po.Torque(loose, push))
    s.add(po.UserForce(drag, bodies=[loose, a], params=[0.3, np.float64(1 / 3)], name="drag"))
    s.add(po.UserForce(drag, [b], (0.2,)))
    fed = [s.add(po.Motor(hinge, name="fed")), s.add(po.Torque(loose, name="turned"))]
    seen = [hinge.angle, hinge.rate, "loose.rotation", d.end, d.at((0.1, 0, 0)).x.rate]
    kept = {"states": {"integral": 0.5}, "period": 0.02, "limits": [5.0, (-1.0, 2.0), 3.0, 3.0], "target": torque_of_time}
    judged = {"lyapunov": judge, "lyapunov_rate": judge_rate}
    s.add(po.Feedback(control, fed, seen, {"kp": 2.0, "K": [[1.0, 2.0], [3.0, 1 / 3]]}, **kept, **judged, name="control"))
    s.add(po.Distance(a, loose, at=((0, 0, 1), loose.at((0, 0, 0)))))
    s.add(po.Distance(b, loose, at=((0, 0, 1), (-3, 0, 0)), length=3.5, name="rod"))
    s.add(po.Gear(hinge.angle, slide.displacement, -0.3))
    s.add(po.Rolling(a, loose, at=loose.at((0, 0, 0.1)), radius=0.2, axis=(0, 1, 0.1), normal="z", through=(0, 0, -3), name="wheel"))
    s.add(po.KnifeEdge(s.ground, loose, at=(-3, 0, 0), axis="y"))
    s.add(po.AxisConstraint(a, loose, axis=(0.6, 0, 0.8)))
    s.add(po.VelocityRows(level, bodies=[loose, a], rows=2, params=[0.5], name="rows"))
    s.add(po.VelocityRows(level, bodies=[loose], active=False))
    s.add(po.Lock(hinge.angle, value=0.3, active=False))
    s.add(po.Lock(slide, name="brake"))
    s.add(po.Distance(a, loose, at=((0, 0, 1), loose.at((0, 0, 0))), active=False))
    s.add(po.Gear(hinge.angle, slide.displacement, -0.3, active=False))
    s.add(po.Rolling(a, loose, at=loose.at((0, 0, 0.1)), radius=0.2, active=False))
    s.add(po.KnifeEdge(s.ground, loose, at=(-3, 0, 0), axis="y", active=False))
    s.add(po.AxisConstraint(a, loose, axis=(0.6, 0, 0.8), active=False))
    add_further(s, rng, (loose, s.ground), hinge, (hinge.angle, slide.displacement))
    hinge.set(angle=0.1, rate=2.0)
    ball.set(rotation=rng.normal(size=3), rate=(0.1, 0.2, 0.3))
    cylinder.set(displacement=0.1, angle_rate=0.3)
    free.set(rotation=("x", 0.1), position=(0, 0, 0.1))
    free.set(rate=(0, 0, 0, 1, 2, 3))
    flat.set(rate=(1, 2, 3))
    flat.set(x_rate=5.0)
    flat.set(rate=(4, 2, 3))
    loose.set(velocity=(1, 0, 0), angular_velocity_body=(0, 0, 1), rotation=[("x", 0.3), ("y", 0.1)])
    return s


def add_further(s, rng, bodies, hinge, scalars):
    """What the package has besides: joints, each with a body of its own, loads and constraints."""
    for k, kind in enumerate(further.joints([type(joint) for joint in s.joints])):
        body = s.body(f"further{k}", po.Sphere(0.1, mass=1), position=(-5, k, 0))
        given = taken(kind, at=(-4.5, k, 0), axis=(0.6, 0, 0.8), axis2="y", direction="y", pitch=0.3)
        getattr(s, kind)(s.ground, body, **given)
    for load in further.loads(rng, {type(present) for present in s.loads}):
        s.add(load.element(po, bodies, [hinge]))
    for entry in further.constraints({type(present) for present in s.constraints}):
        further.add_constraint(s, entry, bodies, ((0, 0, 1), (-3, 0, 0)), scalars)


def planar():
    """Drives and signals of every kind, in a plane whose normal is a negative axis."""
    p = po.System("plane", plane="xz", gravity=(0, -9.81))
    upper = p.body("upper", po.Rod(radius=0.02, mass=1.5), between=((0, 0), (0.5, 0)))
    lower = p.body("lower", po.Rod(radius=0.02, mass=1.0), between=((0.5, 0), (0.5, 0.4)))
    cart = p.body("cart", mass=2.0, inertia=0.1, position=(2, 0), rotation=0.3)
    wheel = p.body("wheel", po.Disc(0.1, axis="y", mass=1.0), position=(2, 1))
    floating = p.body("floating", mass=1.0, inertia=0.2, position=(-2, 1))
    chaser = p.body("chaser", mass=1.0, inertia=0.2, position=(-4, 1))
    shoulder = p.revolute(p.ground, upper, at=(0, 0), name="shoulder")
    elbow = p.revolute(upper, lower, at=upper.end, name="elbow")
    rail = p.prismatic(p.ground, cart, axis=(1, 0), at=(2, 0.1), name="rail")
    axle = p.revolute(cart, wheel, at=(2, 1), name="axle")
    m1, m2 = p.add(po.Motor(shoulder, name="m1")), p.add(po.Motor(elbow.angle, name="m2"))
    tip = lower.end
    p.add(po.Servo([tip.x, tip.z], target=po.Signal(path, path_rate, path_acceleration), inputs=[m1, m2], name="servo"))
    p.add(po.Motion(rail.displacement, swing, name="swing"))
    p.add(po.Motion(axle.angle, po.signals.spline([0, 1, 2], [0, 0.5, 0.1]), name="spline"))
    p.add(po.Motion(floating.x, po.signals.table([0, 1, 3], [-2, -2, -1.5]), name="table"))
    p.add(po.Motion(floating.at((0.1, 0.2)).z, po.signals.step(0, 2, to=1.1, begin=1.2), name="step"))
    polynomials = po.signals.Polynomials([0, 1, 2], np.array([[1.0, 0, 0.1], [1.1, 0.2, 0]]))
    p.add(po.Motor(axle, po.Signal(torque_of_time, rate=math.cos), name="m3"))
    p.add(po.Force(cart, lambda t: (0.1 * t, 0.0), at=cart.at((0, 0.1))))
    p.add(po.Torque(wheel, torque_of_time))
    p.add(po.Torque(wheel, 0.2, frame="body"))
    p.add(po.Motor(rail, polynomials, name="m4"))
    shoulder.set(angle=0.0)
    floating.set(angular_velocity=-0.3)
    chaser.set(velocity=(0.1, 0.2), rotation=0.2, angular_velocity=0.5)
    p.add(po.Motion(chaser.angle, po.signals.Polynomials([0, 2], np.ones((1, 2, 1)) * 0.2)))
    return p


def two_columns():
    """A servo whose target is a bare function of two numbers, and one of polynomials of two numbers."""
    p = po.System("columns", plane="xy", gravity=None)
    for k, target in enumerate((path, po.signals.Polynomials([0, 1], [[[0.5, 0.4], [0, 0], [0, 0], [0.01, 0.02]]]))):
        upper = p.body(f"upper{k}", po.Rod(radius=0.02, mass=1.5), between=((0, 0), (0.5, 0)))
        lower = p.body(f"lower{k}", po.Rod(radius=0.02, mass=1.0), between=((0.5, 0), (0.5, 0.4)))
        joints = p.revolute(p.ground, upper, at=(0, 0)), p.revolute(upper, lower, at=(0.5, 0))
        p.add(po.Servo([lower.end.x, lower.end.y], target, [p.add(po.Motor(joint)) for joint in joints]))
    return p


def again(system):
    """The system written and read, with its own functions."""
    return read_text(system.to_yaml(), "test.yaml", file_names(system))


def assert_same(one, other):
    """Two systems are the same to the bit: their contents and their tables, except for the addresses of functions."""
    assert [e.label() for e in one.elements()] == [e.label() for e in other.elements()]
    assert (one.name, one.plane, repr(one.gravity)) == (other.name, other.plane, repr(other.gravity))
    held = [{e.name: sorted(values.items()) for e, values in s.initial.items()} for s in (one, other)]
    assert repr(held[0]) == repr(held[1])
    a, b = freeze(one), freeze(other)
    for field in a.layout._fields:
        x, y = getattr(a.layout, field), getattr(b.layout, field)
        assert (x.dtype, x.shape) == (y.dtype, y.shape), field
        assert field == "addresses" or x.tobytes() == y.tobytes(), field
    assert [c.label for c in a.loads.callbacks] == [c.label for c in b.loads.callbacks]
