"""What the page needs for Poinsot's construction: angular velocities of the frames, principal moments and axes of the bodies that turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.rotation import from_matrix
from poinsot.results.poinsot_motion import SLENDER
from poinsot.view.resample import pack

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MOST = 24  # bodies of one run
REACH = 1.7  # largest semi-axis of the ellipsoid, in radii of gyration: about as far as the body itself reaches


def turning(run: Trajectory) -> list[int]:
    """Indices of bodies with an inertia ellipsoid, the ground being 0: in space, and with inertia about every axis."""
    if run.system.plane is not None:
        return []
    found = []
    for b, body in enumerate(run.system.bodies, 1):
        moments = np.linalg.eigvalsh(body.inertia_matrix())
        if body.mass > 0 and moments[0] > SLENDER * moments[2]:
            found.append(b)
    return found[:MOST]


def attitude_data(run: Trajectory, chosen: np.ndarray) -> list[dict[str, Any]]:
    """Of every such body that turns: its index, principal moments (kg m^2) and axes (quaternion, to body axes), angular velocity at
    the chosen outputs (world axes, rad/s), and how large its ellipsoid is drawn (m).
    """
    found = []
    for b in turning(run):
        omega = run.motion[chosen, b * BODY_MOTION + 10 : b * BODY_MOTION + 13]
        if not omega.any():
            continue
        body = run.system.bodies[b - 1]
        moments, axes = np.linalg.eigh(body.inertia_matrix())
        axes = axes * np.array([1.0, 1.0, np.sign(np.linalg.det(axes))])
        reach = REACH * float(np.sqrt(moments[2] / body.mass))
        found.append({"body": b, "moments": moments.tolist(), "turn": list(from_matrix(axes)), "omega": pack(omega), "reach": reach})
    return found
