"""Chains that the benchmarks share, built for Poinsot and for its peers from the same numbers.

A chain hangs straight down in the drawing: boxes of 0.2 x 0.2 x 2 m and 50 kg, joined at their ends. Its state is bent:
every joint is turned and moves, by seeded random numbers. Or it is let go at rest with given turns of its joints.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

import poinsot as po

GRAVITY = (0.0, 0.0, -9.81)  # m/s^2
MASS, WIDTH, LENGTH = 50.0, 0.2, 2.0  # kg, m
INERTIA = (MASS / 12 * (WIDTH**2 + LENGTH**2), MASS / 12 * (WIDTH**2 + LENGTH**2), MASS / 6 * WIDTH**2)  # kg m^2
TIP = (0.0, 0.0, -LENGTH / 2)  # m, in the frame of a link
BEND, SPIN = 0.3, 0.5  # rad, rad/s: size of the random angles and rates


@dataclass(frozen=True)
class Chain:
    """A chain of n links: `joint` is "spherical", or "revolute" with axes x, y, x, y, ..."""

    joint: str
    n: int

    @property
    def freedoms(self) -> int:
        """Of one joint."""
        return 3 if self.joint == "spherical" else 1

    @cached_property
    def coordinates(self) -> np.ndarray:
        """(n, 4) quaternions wxyz, or (n, 1) angles (rad)."""
        turn = np.random.default_rng(1).uniform(-BEND, BEND, (self.n, self.freedoms))
        if self.joint == "revolute":
            return turn
        angle = np.linalg.norm(turn, axis=1, keepdims=True)
        return np.hstack([np.cos(angle / 2), np.sin(angle / 2) * turn / angle])

    @cached_property
    def rates(self) -> np.ndarray:
        """(n, freedoms), rad/s; of a ball in the axes of the outer body."""
        return np.random.default_rng(2).uniform(-SPIN, SPIN, (self.n, self.freedoms))

    def axis(self, k: int) -> int:
        """Axis of the revolute joint k: 0 is x, 1 is y."""
        return k % 2


def system(chain: Chain) -> po.System:
    """The chain in Poinsot, in its drawing; no initial values."""
    s = po.System(f"{chain.joint} chain of {chain.n}", gravity=GRAVITY)
    parent = s.ground
    for k in range(chain.n):
        top = -LENGTH * k
        link = s.body(f"link{k + 1}", mass=MASS, inertia=INERTIA, position=(0, 0, top - LENGTH / 2))
        if chain.joint == "spherical":
            s.spherical(parent, link, at=(0, 0, top), name=f"joint{k + 1}")
        else:
            s.revolute(parent, link, at=(0, 0, top), axis="xy"[chain.axis(k)], name=f"joint{k + 1}")
        parent = link
    return s


def pinocchio_chain(pin: Any, chain: Chain) -> tuple[Any, np.ndarray, np.ndarray]:
    """Model of Pinocchio, its coordinates q and its rates v; link frames lie in the joints, parallel to the world in the drawing."""
    model = pin.Model()
    model.gravity.linear = np.array(GRAVITY)
    inertia = pin.Inertia(MASS, np.array([0, 0, -LENGTH / 2]), np.diag(INERTIA))
    kinds = {"spherical": [pin.JointModelSpherical], "revolute": [pin.JointModelRX, pin.JointModelRY]}[chain.joint]
    parent = 0
    for k in range(chain.n):
        place = pin.SE3(np.eye(3), np.array([0, 0, -LENGTH if k else 0.0]))
        parent = model.addJoint(parent, kinds[k % len(kinds)](), place, f"joint{k + 1}")
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    q = np.roll(chain.coordinates, -1, axis=1) if chain.joint == "spherical" else chain.coordinates  # wxyz -> xyzw
    return model, q.ravel().copy(), chain.rates.ravel().copy()


Turns = list[tuple[str, float]]  # axis and angle (rad) of every joint


def swung(n: int, angle: float) -> Turns:
    """The first joint turned about x, as in saetran2018: a motion in a plane."""
    return [("x", angle if k == 0 else 0.0) for k in range(n)]


def zigzag(n: int, angle: float) -> Turns:
    """Every joint turned, about x and y by turns: a motion in space."""
    return [("xy"[k % 2], angle) for k in range(n)]


def let_go(turns: Turns) -> po.System:
    """A spherical chain in Poinsot, at rest."""
    s = system(Chain("spherical", len(turns)))
    for k, turn in enumerate(turns):
        s[f"joint{k + 1}"].set(rotation=turn)
    return s


def quaternions(turns: Turns) -> np.ndarray:
    """(n, 4), wxyz."""
    q = np.zeros((len(turns), 4))
    for k, (axis, angle) in enumerate(turns):
        q[k, 0], q[k, 1 + "xyz".index(axis)] = np.cos(angle / 2), np.sin(angle / 2)
    return q


# What a chain without contacts, limits, springs, dampers and motors does not need; names differ between versions.
MUJOCO_OFF = [
    "ACTUATION",
    "AUTORESET",
    "CLAMPCTRL",
    "CONSTRAINT",
    "CONTACT",
    "DAMPER",
    "EQUALITY",
    "EULERDAMP",
    "FILTERPARENT",
    "FRICTIONLOSS",
    "ISLAND",
    "LIMIT",
    "MIDPHASE",
    "NATIVECCD",
    "PASSIVE",
    "REFSAFE",
    "SENSOR",
    "SPRING",
    "WARMSTART",
]  # fmt: skip)


def mujoco_chain(mujoco: Any, n: int, step: float) -> Any:
    """Model of MuJoCo of a spherical chain, for steps of the classical Runge-Kutta method (s).

    Body frames lie in the joints, parallel to the world in the drawing; coordinates are quaternions wxyz, rates are in
    the axes of the outer body, both as in `Chain`. No geometry, no damping; everything is switched off that can be.
    """
    spec = mujoco.MjSpec()
    bits = [getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0) for name in MUJOCO_OFF]
    spec.option.disableflags = sum(int(bit) for bit in bits)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep, spec.option.gravity = step, GRAVITY
    body = spec.worldbody
    for k in range(n):
        place, centre = (0, 0, -LENGTH if k else 0.0), (0, 0, -LENGTH / 2)
        body = body.add_body(pos=place, mass=MASS, ipos=centre, inertia=INERTIA, explicitinertial=True)
        body.add_joint(type=mujoco.mjtJoint.mjJNT_BALL)
    return spec.compile()


def mujoco_tip(mujoco: Any, model: Any, data: Any) -> np.ndarray:
    """Position of the free end (m)."""
    mujoco.mj_kinematics(model, data)
    return data.xpos[-1] + data.xmat[-1].reshape(3, 3) @ (0, 0, -LENGTH)
