"""Which models bodies in absolute coordinates cannot describe, and at which positions."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from poinsot.errors import ModelError
from poinsot.layout.freeze import Frozen
from poinsot.layout.serial import independence, is_serial
from poinsot.layout.welds import shares
from poinsot.model.forces import JointSpring
from poinsot.model.joint import Ball, Joint

LOCKED = 1e-6  # independence of motions in series below which they cannot be told apart


def reasons_against(frozen: Frozen, name: str, joints: Collection[Joint] | None = None) -> list[str]:
    """Why a model is not accepted by the formulation of this name: bodies without inertia about some axis, even with those welded to them.

    `joints`: those that it describes by poses of bodies; None: all. Where it describes only some so, bodies without any mass may stand
    between joints: what they carry gives these inertia, and `check` reports those that carry nothing.
    """
    reasons = []
    for body, lacking in zip(frozen.system.bodies, shares(frozen.layout, frozen.joints).lacking[1:]):
        between = joints is not None and body.mass == 0
        if lacking and not between:
            reasons.append(
                f"body '{body.name}' has no mass, or no inertia about some axis, nor has what is welded to it, and '{name}' divides by it: "
                "give it a radius"
            )
    for load in [load for load in frozen.system.loads if isinstance(load, JointSpring)]:
        motions = load.joint.motions()
        if joints is not None and load.joint not in joints:
            continue
        if is_serial(motions) and any(isinstance(motions[k], Ball) for k in load.motions()):
            reasons.append(
                f"{load.label()} acts on a ball among other motions of {load.joint.label()}, whose turn '{name}' does not see by itself: "
                "put a spring on each of three turns instead"
            )
    return reasons


def refuse_locked(frozen: Frozen, coordinates: np.ndarray, joints: Collection[int] | None = None) -> None:
    """Raise where the motions of a joint in series are not independent at these coordinates; `joints`: numbers of those to look at, None: all."""
    for k in np.flatnonzero(frozen.layout.joints["serial"]):
        if joints is not None and k not in joints:
            continue
        joint, at = frozen.alike.joints[k], int(frozen.layout.motions["ic"][frozen.layout.joints["motion"][k]])
        if independence(joint.motions(), coordinates[at:]) < LOCKED:
            raise ModelError(
                f"{joint.label()}: its motions are not independent at this position ('gimbal lock'), so that its coordinates are not defined; "
                "start elsewhere, or use other axes or a ball"
            )
