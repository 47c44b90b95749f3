"""The Stewart platform 6-UPS that dumitriu2016 names as its goal: with elastic legs, and driven along a path. SI units, z up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as po

BASE, TOP = np.radians([15, 105, 135, 225, 255, 345]), np.radians([45, 75, 165, 195, 285, 315])  # where the joints are
BASE_RADIUS, TOP_RADIUS = 0.5, 0.3  # m
PLATFORM, CYLINDER, PISTON = 5.0, 1.0, 0.6  # kg
PLATFORM_INERTIA = (0.12, 0.12, 0.2)  # kg m^2, principal
CYLINDER_INERTIA, PISTON_INERTIA = (0.001, 0.0125, 0.0125), (0.0004, 0.008, 0.008)  # along the leg, across, across
ARM = 0.2  # m, of the centres of mass of cylinder and piston from the joints at the ends of the leg
STIFFNESS = 3000.0  # of a leg, N/m
FORCES = {
    "A": (20.0, 12.0, 18.0, 14.0, 21.0, 10.0),
    "B": (60.0, -20.0, 50.0, -10.0, 70.0, -30.0),
}  # at the first lengths, N
PLACE, TURN = (0.02, -0.03, 0.6), (0.1, -0.05, 0.15)  # of the platform at the start: m, rotation vector in rad
FIRST = Rotation.from_rotvec(TURN).as_matrix()  # the same as a matrix
LEGS = range(1, 7)
GRAVITY = 9.81
PERIOD, RADIUS, TWIST = 2.0, 0.05, 0.2  # of the driven motion: s, m, rad
WATCHED = ((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), (0.0, 0.3, 0.0))  # points of the platform that the servo moves, m
AXES = ("xyz", "yz", "z")  # which of their coordinates


def feet() -> np.ndarray:
    """Joints at the base (6, 3)."""
    return BASE_RADIUS * np.stack([np.cos(BASE), np.sin(BASE), 0.0 * BASE], axis=-1)


def heads() -> np.ndarray:
    """Joints at the platform in its frame (6, 3)."""
    return TOP_RADIUS * np.stack([np.cos(TOP), np.sin(TOP), 0.0 * TOP], axis=-1)


def tangents() -> np.ndarray:
    """Axes of the universal joints that are fixed to the ground (6, 3)."""
    return np.stack([-np.sin(BASE), np.cos(BASE), 0.0 * BASE], axis=-1)


def leg_axes(along: np.ndarray, tangent: np.ndarray) -> np.ndarray:
    """Frame of a leg, as columns: along it, and the axis of the universal joint in it as the last."""
    across = np.cross(tangent, along)
    across /= np.linalg.norm(across)
    return np.stack([along, np.cross(across, along), across], axis=-1)


def mechanism(place: Sequence[float] = PLACE, turn: Sequence[float] = TURN) -> po.System:
    """The platform in its initial pose, at rest, its legs free to slide: 13 bodies, 6 degrees of freedom."""
    s = po.System("Stewart platform", gravity=(0, 0, -GRAVITY))
    R, p = Rotation.from_rotvec(turn).as_matrix(), np.array(place, float)
    shape = po.Cylinder(radius=TOP_RADIUS, length=0.02, mass=PLATFORM)
    platform = s.body("platform", shape, inertia=PLATFORM_INERTIA, position=p, rotation=turn)
    for k, foot, head, tangent in zip(LEGS, feet(), p + heads() @ R.T, tangents()):
        along = (head - foot) / np.linalg.norm(head - foot)
        frame = leg_axes(along, tangent)
        cylinder = s.body(
            f"cylinder{k}",
            po.Rod(radius=0.02, length=2 * ARM, mass=CYLINDER),
            inertia=CYLINDER_INERTIA,
            position=foot + ARM * along,
            rotation=frame,
        )
        piston = s.body(
            f"piston{k}",
            po.Rod(radius=0.01, length=2 * ARM, mass=PISTON),
            inertia=PISTON_INERTIA,
            position=head - ARM * along,
            rotation=frame,
        )
        s.universal(s.ground, cylinder, at=foot, axis=tangent, axis2=frame[:, 2], name=f"base{k}")
        s.prismatic(cylinder, piston, at=foot, axis=along, name=f"leg{k}")
        s.spherical(piston, platform, at=head, name=f"top{k}")
    return s


def stewart(
    forces: Sequence[float],
    stiffness: float = STIFFNESS,
    place: Sequence[float] = PLACE,
    turn: Sequence[float] = TURN,
) -> po.System:
    """The platform on elastic legs, at rest at first: leg i pushes with forces[i] - stiffness (L_i - L_i(0)), N."""
    s = mechanism(place, turn)
    for k, force in zip(LEGS, forces):
        s.add(po.JointSpring(s[f"leg{k}"], stiffness, name=f"stiffness{k}"))
        s.add(po.Motor(s[f"leg{k}"], force, name=f"force{k}"))
    return s


def driven() -> po.System:
    """The platform driven along a circle and twisted, by the forces of its legs: a servo on six coordinates of three of its points."""
    s = mechanism()
    motors = [s.add(po.Motor(s[f"leg{k}"], name=f"force{k}")) for k in LEGS]
    outputs = [getattr(s["platform"].at(p), axis) for p, axes in zip(WATCHED, AXES) for axis in axes]
    s.add(po.Servo(outputs, target=path(), inputs=motors, name="servo"))
    return s


def phase(t: float) -> tuple[float, float, float]:
    """Angle on the circle, from rest to rest in one period, with its first two derivatives (rad, s); constant before and after."""
    x = min(max(t / PERIOD, 0.0), 1.0)
    a = x**4 * (35 + x * (-84 + x * (70 - 20 * x)))
    b = 140 * x**3 * (1 - x) ** 3
    c = 420 * x**2 * (1 - x) ** 2 * (1 - 2 * x)
    return 2 * math.pi * a, 2 * math.pi * b / PERIOD, 2 * math.pi * c / PERIOD**2


def pose(t: float) -> tuple[np.ndarray, np.ndarray]:
    """Driven motion of the platform: position with two derivatives (3, 3), angle about world z with two derivatives (3,).

    A circle in the horizontal plane through the first position, and a twist there and back.
    """
    a, b, c = phase(t)
    sine, cosine = math.sin(a), math.cos(a)
    x = (cosine - 1.0, -sine * b, -sine * c - cosine * b * b)
    y = (sine, cosine * b, cosine * c - sine * b * b)
    place = RADIUS * np.stack([x, y, (0.0, 0.0, 0.0)], axis=-1)
    place[0] += PLACE
    return place, TWIST * np.array(y)


def point(t: float, p: Sequence[float]) -> np.ndarray:
    """Position, velocity and acceleration (3, 3) of a point p of the driven platform (its frame)."""
    place, (angle, rate, acceleration) = pose(t)
    x, y, z = FIRST @ np.array(p)
    sine, cosine = math.sin(angle), math.cos(angle)
    arm = np.array([cosine * x - sine * y, sine * x + cosine * y, z])
    turned, level = np.array([-arm[1], arm[0], 0.0]), np.array([arm[0], arm[1], 0.0])
    return place + np.stack([arm, rate * turned, acceleration * turned - rate**2 * level])


def path() -> po.Signal:
    """The target of the servo: coordinates of the watched points, m, with their derivatives."""

    def derivative(k: int) -> Callable[[float], tuple[float, ...]]:
        def values(t: float) -> tuple[float, ...]:
            places = [point(t, p)[k] for p in WATCHED]
            return tuple(place["xyz".index(axis)] for place, axes in zip(places, AXES) for axis in axes)

        return values

    return po.Signal(*(derivative(k) for k in range(3)))
