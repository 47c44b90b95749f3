"""The systems of hemami2002, its matrices A and B, and the known numbers of the study. SI units, angles in rad."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as po


@cache
def reference() -> dict[str, Any]:
    """The numbers of `hemami2002_reference.json`."""
    return json.loads(Path(__file__).with_name("hemami2002_reference.json").read_text())


def defined(case: str) -> dict[str, Any]:
    """The parameters of a case; the paper gives none, these are ours."""
    return reference()[case]["definition"]


def hat(v: Any) -> np.ndarray:
    """The matrix of the cross product v x."""
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def A(theta: Any) -> np.ndarray:
    """Body to inertial axes, A1(theta1) A2(theta2) A3(theta3); angles may be complex."""
    (c1, c2, c3), (s1, s2, s3) = np.cos(theta), np.sin(theta)
    first = np.array([[1, 0, 0], [0, c1, -s1], [0, s1, c1]])
    second = np.array([[c2, 0, s2], [0, 1, 0], [-s2, 0, c2]])
    return first @ second @ np.array([[c3, -s3, 0], [s3, c3, 0], [0, 0, 1]])


def B(theta: Any) -> np.ndarray:
    """Theta' = B Omega, as printed."""
    (_, c2, c3), (_, s2, s3) = np.cos(theta), np.sin(theta)
    return np.array([[c3 / c2, -s3 / c2, 0], [s3, c3, 0], [-s2 * c3 / c2, s2 * s3 / c2, 1]])


def B_inverse(theta: Any) -> np.ndarray:
    """Omega = B^-1 Theta', as printed."""
    (_, c2, c3), (_, s2, s3) = np.cos(theta), np.sin(theta)
    return np.array([[c3 * c2, s3, 0], [-s3 * c2, c3, 0], [s2, 0, 1]])


def angles(rotation: Any) -> np.ndarray:
    """Theta of rotation matrices, (..., 3); the outer angles unwrapped along a run."""
    found = Rotation.from_matrix(rotation).as_euler("XYZ")
    return np.unwrap(found, axis=0) if found.ndim > 1 else found


def pinned() -> po.System:
    """A body with its point R at the origin, under gravity."""
    given = defined("pinned body")
    turn = Rotation.from_euler("XYZ", given["Theta0"])
    s = po.System("pinned body", gravity=(0, 0, -given["g"]))
    place = -turn.apply(given["R"])
    body = s.body("body", mass=given["m"], inertia=given["J"], position=place, rotation=turn.as_rotvec())
    s.spherical(s.ground, body, at=(0, 0, 0), name="pin").set(rate=turn.apply(given["Omega0"]))
    return s


def free() -> po.System:
    """A body without torques."""
    given = defined("sign test")
    s = po.System("free body", gravity=None)
    s.body("body", mass=1.0, inertia=given["J"]).set(angular_velocity=given["Omega0"])
    return s


def axis(held: bool = True) -> po.System:
    """A body on a ball joint that turns about tau only, by two axis constraints, with the feedback (17); not `held`, impulses keep it so."""
    given = defined("axis")
    s = po.System("axis example", gravity=None)
    body = s.body("body", mass=1.0, inertia=given["J"])
    for k, column in enumerate(given["C_cols"]):
        s.add(po.AxisConstraint(s.ground, body, axis=column, name=f"c{k + 1}", active=held))
    s.spherical(s.ground, body, at=(0, 0, 0), name="pin").set(rate=given["w0"] * np.array(given["tau"]))
    po.control.euler_attitude(body, K=given["K"], L=given["L"], name="law")
    return s


def steered(rotation: Rotation, spin: Any, euler: bool = False) -> po.System:
    """A free body from an attitude and an angular velocity in body axes, with the law on SO(3) or with that of Euler angles (17)."""
    given = defined("SO(3) law")
    s = po.System("attitude", gravity=None)
    body = s.body("body", mass=1.0, inertia=given["J"], rotation=rotation.as_rotvec())
    body.set(angular_velocity=rotation.apply(spin))
    if euler:
        po.control.euler_attitude(body, K=defined("axis")["K"], L=defined("axis")["L"], name="law")
    else:
        po.control.attitude(body, given["kR"], given["kOmega"], P=given["P"], name="law")
    return s


def sleigh() -> po.System:
    """Chaplygin's sleigh: a blade at the origin, the centre of mass ahead of it."""
    given = defined("sleigh")
    s = po.System("sleigh", plane="xy", gravity=None)
    body = s.body("sleigh", mass=given["m"], inertia=given["I"], com=(given["a"], 0))
    body.set(velocity=(given["v0"], 0), angular_velocity=given["w0"])
    s.add(po.KnifeEdge(s.ground, body, at=(0, 0), axis="y", name="blade"))
    return s


def disc(steady: bool = False) -> po.System:
    """A thin disc that rolls; its angular velocity is given along its horizontal diameter, its line of steepest descent and its axis."""
    given = defined("disc")
    lean, spin = np.radians(given["theta0_deg"]), given["w0"]
    if steady:
        other = defined("steady disc")
        lean, spin = np.radians(other["theta_deg"]), (0.0, other["w2"], other["w3"])
    up = np.array([0.0, np.cos(lean), np.sin(lean)])
    axes = np.array([[1.0, 0.0, 0.0], up, np.cross([1.0, 0.0, 0.0], up)]).T
    s, centre = po.System("disc", gravity=(0, 0, -given["g"])), given["r"] * up
    body = s.body("disc", mass=given["m"], inertia=(given["I1"], given["I1"], given["I3"]), position=centre, rotation=axes)
    s.add(po.Rolling(s.ground, body, at=centre, radius=given["r"], axis=axes[:, 2], name="rim"))
    omega = axes @ np.array(spin)
    body.set(velocity=np.cross(omega, centre), angular_velocity=omega)
    return s
