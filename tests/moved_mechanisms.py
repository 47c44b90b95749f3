"""The mechanisms of dumitriu2016 as models of the oracle, every parameter moved by 1 to 5 %, up or down, by a seed.

Bars differ from each other in all they have; what is zero in the paper (tilts out of the plane, offsets of centres of mass) is moved by 1 to
5 % of its scale where the mechanism is spatial. Bodies are drawn where they start: all coordinates of joints are zero there.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

import bridge
import oracle
import poinsot as po
from poinsot.studies.dumitriu2016_stewart import BASE, FORCES, TOP
from random_models import drawn_coordinates

BAR = {"mass": 0.108, "sides": (0.2, 0.02, 0.01)}  # kg; length, width in the plane, thickness (m)
SPINS = ((0.5, 3.0, 1.0), (-1.0, 2.0, 0.5))  # of the two bars in space, world axes (rad/s)


class Mover:
    """Moves numbers by 1 to 5 %; `moves` lists by how much."""

    def __init__(self, seed):
        self.rng, self.moves = np.random.default_rng(seed), []

    def part(self, shape=()):
        """Between 0.01 and 0.05 in size, of either sign."""
        found = self.rng.uniform(0.01, 0.05, shape) * self.rng.choice([-1.0, 1.0], shape)
        self.moves += np.atleast_1d(found).ravel().tolist()
        return found

    def by_parts(self, x):
        """A number or an array, each of its numbers moved by itself, and what is zero from there."""
        x = np.asarray(x, float)
        return x + np.where(x == 0.0, 1.0, x) * self.part(x.shape)


@dataclass
class Moved:
    """A mechanism: the oracle's model, its rates at the start (one array per joint), and efforts of its legs by joint."""

    model: oracle.OModel
    rates: list
    moves: list
    legs: dict

    def system(self):
        """The same mechanism in the package: legs have springs and motors at their joints, the oracle springs between points."""
        bare = oracle.OModel(self.model.bodies, self.model.joints, [], self.model.gravity)
        system = bridge.to_system(bare, drawn_coordinates(bare), self.rates)
        for name, (stiffness, force) in self.legs.items():
            system.add(po.JointSpring(system[name], stiffness))
            system.add(po.Motor(system[name], force))
        return system


def bars(seed, angles, closed=False, spatial=False, spins=None):
    """Bars on balls, x down: angles from x in the drawing (rad); closed: the far end is held where it starts."""
    to = Mover(seed)
    bodies, joints, end = [], [], np.zeros(3)
    for k, angle in enumerate(to.by_parts(angles)):
        axes = Rotation.from_euler("z", angle).as_matrix()
        if spatial:
            axes = Rotation.from_rotvec(to.part(3)).as_matrix() @ axes
        mass, length, sides = to.by_parts(BAR["mass"]), to.by_parts(BAR["sides"][0]), to.by_parts(BAR["sides"])
        inertia = mass / 12 * np.diag(np.sum(sides**2) - sides**2)
        com = 0.5 * length * np.array([to.part(), *(to.part(2) if spatial else (to.part(), 0.0))])
        if spatial:
            turn = Rotation.from_rotvec(to.part(3)).as_matrix()
            inertia = turn @ inertia @ turn.T
        bodies.append(oracle.OBody(f"bar{k + 1}", float(mass), com, inertia, end + 0.5 * length * axes[:, 0], axes))
        joints.append(oracle.OJoint(f"ball{k + 1}", "spherical", k - 1, k, end))
        end = end + length * axes[:, 0]
    if closed:
        joints.append(oracle.OJoint("closing", "spherical", len(bodies) - 1, oracle.GROUND, end))
    gravity = to.by_parts(9.81) * np.array([1.0, to.part(), to.part() if spatial else 0.0])
    rates = [np.zeros(3) for _ in joints]
    if spins is not None:
        turning = to.by_parts(spins)
        rates = [w - before for w, before in zip(turning, [np.zeros(3), *turning])]
    return Moved(oracle.OModel(bodies, joints, [], gravity), rates, to.moves, {})


def platform(seed, case):
    """The Stewart platform with the forces of case A or B: no two legs are alike."""
    to = Mover(seed)
    place, turn = to.by_parts((0.02, -0.03, 0.6)), Rotation.from_rotvec(to.by_parts((0.1, -0.05, 0.15))).as_matrix()
    com = 0.1 * to.part(3)
    bodies = [oracle.OBody("platform", float(to.by_parts(5.0)), com, np.diag(to.by_parts((0.12, 0.12, 0.2))), place, turn)]
    joints, loads, legs = [], [], {}
    for k, (a, b, force) in enumerate(zip(to.by_parts(BASE), to.by_parts(TOP), to.by_parts(FORCES[case])), 1):
        low = to.by_parts(0.5) * np.array([np.cos(a), np.sin(a), to.part()])
        high = place + turn @ (to.by_parts(0.3) * np.array([np.cos(b), np.sin(b), to.part()]))
        length = np.linalg.norm(high - low)
        u, g = (high - low) / length, np.array([-np.sin(a), np.cos(a), 0.0])
        across = np.cross(g, u) / np.linalg.norm(np.cross(g, u))
        axes = np.array([u, np.cross(across, u), across]).T
        for name, mass, at, along, thick in (
            ("cylinder", 1.0, low + to.by_parts(0.2) * u, 0.001, 0.0125),
            ("piston", 0.6, high - to.by_parts(0.2) * u, 0.0004 / 0.6, 0.008 / 0.6),
        ):
            mass = float(to.by_parts(mass))
            inertia = np.diag(mass * np.array([to.by_parts(along), *(to.by_parts(thick) * (1.0 + 0.2 * to.part(2)))]))
            bodies.append(oracle.OBody(f"{name}{k}", mass, np.zeros(3), inertia, at, axes))
        cylinder, piston = len(bodies) - 2, len(bodies) - 1
        joints.append(oracle.OJoint(f"base{k}", "universal", oracle.GROUND, cylinder, low, g, across))
        joints.append(oracle.OJoint(f"leg{k}", "prismatic", cylinder, piston, low, u))
        joints.append(oracle.OJoint(f"top{k}", "spherical", piston, 0, high))
        stiffness = float(to.by_parts(3000.0))
        loads.append(oracle.OSpring(cylinder, piston, low, high, stiffness, 0.0, length + force / stiffness))
        legs[f"leg{k}"] = (stiffness, float(force))
    gravity = -to.by_parts(9.81) * np.array([to.part(), to.part(), 1.0])
    rates = [np.zeros(oracle.FREEDOMS[joint.kind]) for joint in joints]
    return Moved(oracle.OModel(bodies, joints, loads, gravity), rates, to.moves, legs)


DOUBLE, CHAIN, LOOP = (np.radians(x) for x in ((20, 10), (20, 10, 0, -10, -20), (10, 60, 150)))
CASES = {
    "double pendulum": lambda seed: bars(seed, DOUBLE),
    "double pendulum in space": lambda seed: bars(seed, DOUBLE, spatial=True, spins=SPINS),
    "chain of five": lambda seed: bars(seed, CHAIN),
    "chain of five in space": lambda seed: bars(seed, CHAIN, spatial=True),
    "closed loop": lambda seed: bars(seed, LOOP, closed=True),
    "closed loop in space": lambda seed: bars(seed, LOOP, closed=True, spatial=True),
    "Stewart platform A": lambda seed: platform(seed, "A"),
    "Stewart platform B": lambda seed: platform(seed, "B"),
}
