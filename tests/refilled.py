"""Systems whose numbers change, runs of them, and whether two runs are the same to the bit."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import bridge
import poinsot as po
import random_models
from loops import four_bar
from poinsot.files.models.compare import differences
from poinsot.layout.refill import Refill
from poinsot.studies.dumitriu2016_stewart import FORCES, stewart


def random_open(seed):
    return bridge.to_system(*random_models.random_tree(np.random.default_rng(seed), 4))


def random_closed(seed):
    return bridge.to_system(*random_models.random_loop(np.random.default_rng(seed), 4))


def sprung_bar(_):
    s = four_bar()
    s.add(po.Spring(s.bodies[0], s.bodies[2], at=((0, 0, 0.5), (2, 0, 0.7)), stiffness=30.0, length=1.5, name="tie"))
    s.add(po.JointDamper(s.joints[1], 0.2, name="oil"))
    return s


def turning_bars(_):
    """Two freedoms and one rate that is set: the other is what masses make of it."""
    s = po.System("five-bar", gravity=(0, 0, -9.81))
    corners = ((0, 0, 0), (0.2, 0, 1.0), (1.0, 0, 1.8), (1.9, 0, 1.1), (2.0, 0, 0))
    bars = [s.body(f"bar{k + 1}", po.Rod(radius=0.02, mass=1.0 + k), between=corners[k : k + 2]) for k in range(4)]
    for k, (a, b) in enumerate(zip([s.ground, *bars], [*bars, s.ground])):
        s.revolute(a, b, at=corners[k], axis="y", name=f"joint{k + 1}")
    s["joint1"].set(rate=1.0)
    return s


def forked(_):
    """Links of several bodies, a fork of two branches, and a tip that is a needle askew in its body."""
    s = po.System("forked", gravity=(0, 0, -9.81))
    trunk = s.body("trunk", po.Box(0.2, 0.1, 0.5, mass=3.0), position=(0, 0, -0.3))
    hump = s.body("hump", po.Sphere(0.1, mass=0.4), position=(0.1, 0.05, -0.3))
    s.fixed(trunk, hump, at=(0.1, 0, -0.3))
    left = s.body("left", po.Rod(radius=0.02, mass=1.0), between=((0.3, 0, -0.6), (0.9, 0.2, -0.8)))
    right = s.body("right", po.Rod(radius=0.02, mass=0.8), between=((-0.3, 0, -0.6), (-0.8, 0.1, -0.9)))
    weight = s.body("weight", po.Box(0.1, 0.2, 0.15, mass=0.5), position=(1.0, 0.3, -0.8), rotation=("x", 0.4))
    s.fixed(left, weight, at=(0.9, 0.2, -0.8))
    turn = Rotation.from_rotvec((0.3, 0.7, -0.4)).as_matrix()
    needle = s.body("needle", mass=0.3, inertia=turn @ np.diag([1e-7, 0.01, 0.01]) @ turn.T, position=(-0.8, 0.1, -0.9))
    s.spherical(s.ground, trunk, at=(0, 0, 0), name="top").set(rotation=("y", 0.5), rate=(0.1, 0.2, 0.3))
    for name, branch, at in (("to_left", left, (0.3, 0, -0.6)), ("to_right", right, (-0.3, 0, -0.6))):
        s.spherical(trunk, branch, at=at, name=name).set(rate=(0.5, -0.2, 0.1))
    s.spherical(right, needle, at=(-0.8, 0.1, -0.9), name="tip").set(rate=(1.0, 2.0, 0.5))
    return s


def hung(_):
    """The plate on its legs, with two bobs: its own axes point to that which carries as much as the other, or nearly."""
    s = stewart(FORCES["A"])
    for k, place in ((1, (0.15, 0.05, 0.4)), (2, (-0.1, 0.05, 0.4))):
        bob = s.body(f"bob{k}", po.Sphere(0.03, mass=1.0), position=place)
        s.spherical(s["platform"], bob, at=(place[0], place[1], 0.55), name=f"string{k}")
    return s


def outcome(ready, change):
    """A run, or why there is none."""
    try:
        return ready.run(0.02, change=change)
    except po.PoinsotError as error:
        return f"{type(error).__name__}: {error}"


def same(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    bits = all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("t", "raw", "motion", "loads"))
    figures = [{k: v for k, v in run.audit.to_dict().items() if k != "seconds"} for run in (one, other)]
    return bits and figures[0] == figures[1] and not differences(one.system, other.system)


def counting(function, counted):
    """The function, which writes its name down when it is called."""
    return lambda *args, **more: counted.append(function.__name__) or function(*args, **more)


def never_refilled(system, settings, change):
    """The same of a system whose tables are made anew."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Refill, "read", lambda self, change: None)
        return outcome(po.prepare(system, **settings), change)
