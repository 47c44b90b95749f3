"""Attitude of a body of a run: its Euler angles, and Poinsot's construction of its rotation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError, SettingsError
from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.body import Point
from poinsot.model.rotation import matrices
from poinsot.model.words import short_repr
from poinsot.results.euler import EulerAngles
from poinsot.results.poinsot_motion import PoinsotMotion
from poinsot.results.quantities import Quantity
from poinsot.results.sequences import read_sequence

if TYPE_CHECKING:
    from poinsot.model.body import Body
    from poinsot.results.trajectory import Samples, Trajectory

AT_REST = 1e-9  # largest speed of a fixed point, relative to that of the body's farthest motion about it
MARK = ".euler_"


def _body(run: Samples, index: int) -> Body:
    return (run.frozen.system.ground, *run.frozen.system.bodies)[index]


def _rows(run: Samples, index: int) -> np.ndarray:
    return run.motion[..., BODY_MOTION * index : BODY_MOTION * (index + 1)]


def euler_angles(run: Samples, index: int, sequence: Any, extrinsic: bool, near: float) -> EulerAngles:
    """Euler angles of a body by its index, the ground 0; see `BodyView.euler`."""
    label = _body(run, index).label()
    if not 0.0 < near <= 0.5:
        raise ModelError(f"{label}: near must be an angle from 0 to 0.5 rad, not {short_repr(near)}")
    rows = _rows(run, index)
    return EulerAngles(run.t, rows[..., 3:7], rows[..., 10:13], read_sequence(sequence, extrinsic, f"{label}: euler"), float(near), label)


def poinsot_motion(run: Samples, index: int, about: Any) -> PoinsotMotion:
    """Poinsot's construction of a body by its index; `about` as in `BodyView.poinsot`."""
    body = _body(run, index)
    label = body.label()
    if run.frozen.system.plane is not None:
        raise ModelError(f"{label}: turns about the normal of a planar system only; Poinsot's construction is for motion in space")
    if index == 0:
        raise ModelError("ground: does not turn; ask for a body")
    rows = _rows(run, index)
    rotation, spin = matrices(rows[..., 3:7]), rows[..., 10:13]
    inertia, arm = body.inertia_matrix(), np.zeros(3)
    centre = rows[..., :3] + rotation @ np.array(body.com)
    if about is not None:
        if isinstance(about, Point):
            raise ModelError(f"{label}: about is a point of {about.body.label()}; give one of this body")
        point = np.array(run.frozen.system.vector(about, f"{label}: about"))
        arm = point - np.array(body.com)
        inertia = inertia + body.mass * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        moved = rotation @ point
        centre, speed = rows[..., :3] + moved, np.linalg.norm(rows[..., 7:10] + np.cross(spin, moved), axis=-1)
        size = np.linalg.norm(arm) + np.sqrt(np.trace(inertia) / max(body.mass, 1e-300))
        if np.max(speed) > AT_REST * size * np.max(np.linalg.norm(spin, axis=-1)):
            raise ModelError(
                f"{label}: the point about={short_repr(tuple(point.tolist()))} moves, at up to {np.max(speed):.3g} m/s; give a point that does not, "
                "or leave about= out for the centre of mass"
            )
    return PoinsotMotion(run.t, inertia, rotation, spin, centre, label)


def euler_quantity(run: Trajectory, name: str) -> Quantity | None:
    """Euler angles as a result by name, "top.euler_zxz", "top.euler_rpy", "top.euler_xyz_extrinsic", their rates "top.euler_zxz_rate", and one
    of them, "top.euler_rpy.pitch"; None for other names.
    """
    owner, mark, rest = name.rpartition(MARK)
    if not mark or owner not in ("ground", *(body.name for body in run.frozen.system.bodies)):
        return None
    whole, _, component = rest.partition(".")
    stem = whole.removesuffix("_rate")
    try:
        sequence = read_sequence(stem.removesuffix("_extrinsic"), stem.endswith("_extrinsic"), f"result {name!r}")
    except ModelError as wrong:
        raise SettingsError(str(wrong)) from None
    if component and component not in sequence.names:
        raise SettingsError(f"'{owner}{MARK}{whole}' has no component {short_repr(component)}; it has {', '.join(sequence.names)}")
    angles = run[owner].euler(stem.removesuffix("_extrinsic"), extrinsic=stem.endswith("_extrinsic"))
    rate = whole.endswith("_rate")
    words = f"{'rates of ' if rate else ''}Euler angles {stem.replace('_', ' ')} of {owner}"
    values, unit = (angles.rates, "rad/s") if rate else (angles.angles, "rad")
    whole_quantity = Quantity(f"{owner}{MARK}{whole}", run.t, values, sequence.names, unit, words)
    return whole_quantity if not component else whole_quantity.parts()[sequence.names.index(component)]
