"""What the page needs for Poinsot's construction, beside poses and angular velocities: principal moments and axes of the bodies that turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.rotation import from_matrix
from poinsot.results.poinsot_motion import SLENDER

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MOST = 24  # bodies of one run
REACH = 1.7  # largest semi-axis of the ellipsoid, in radii of gyration: about as far as the body itself reaches


def ellipsoids(run: Trajectory) -> list[dict[str, Any]]:
    """Of every body that turns in space and has inertia about every axis: its index (the ground is 0), principal moments (kg m^2) and axes
    (quaternion, to body axes), and how large its inertia ellipsoid is drawn (m).
    """
    found: list[dict[str, Any]] = []
    if run.system.plane is not None:
        return found
    for b, body in enumerate(run.system.bodies, 1):
        if len(found) == MOST:
            break
        moments, axes = np.linalg.eigh(body.inertia_matrix())
        turns = bool(np.any(run.motion[:, b * BODY_MOTION + 10 : b * BODY_MOTION + 13]))
        if turns and body.mass > 0 and moments[0] > SLENDER * moments[2]:
            axes = axes * np.array([1.0, 1.0, np.sign(np.linalg.det(axes))])
            reach = REACH * float(np.sqrt(moments[2] / body.mass))
            found.append({"body": b, "moments": moments.tolist(), "turn": list(from_matrix(axes)), "reach": reach})
    return found
