"""Directors: centre of mass and three directors per body, constant mass matrix, constraint rows with multipliers (uhlar2008).

Takes every joint, loops, redundant constraints; the default for closed loops and long conservative runs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from poinsot.elements.director_scalars import POSE as SPAN
from poinsot.errors import ModelError
from poinsot.formulations.contract import POSE, Formulation, motion_row
from poinsot.formulations.directors.tables import with_tables
from poinsot.formulations.directors.work import ANGLES, EFFORTS, MAX_STAGES, STATE, VELOCITIES, WORK, stage_numbers
from poinsot.layout.freeze import Frozen
from poinsot.layout.serial import independence, is_serial
from poinsot.layout.welds import shares
from poinsot.model.forces import JointSpring
from poinsot.model.joint import Ball
from poinsot.tables.records import BALL, N_C, N_R, Layout

NAME = "directors"
LOCKED = 1e-6  # independence of motions in series below which they cannot be told apart


def accepts(frozen: Frozen) -> list[str]:
    """Why the model is not accepted: bodies without inertia about some axis, even together with those welded to them."""
    reasons = []
    for body, lacking in zip(frozen.system.bodies, shares(frozen.layout, frozen.joints).lacking[1:]):
        if lacking:
            reasons.append(
                f"body '{body.name}' has no mass, or no inertia about some axis, nor has what is welded to it, and '{NAME}' divides by it: "
                "give it a radius"
            )
    for load in [load for load in frozen.system.loads if isinstance(load, JointSpring)]:
        motions = load.joint.motions()
        if is_serial(motions) and any(isinstance(motions[k], Ball) for k in load.motions()):
            reasons.append(
                f"{load.label()} acts on a ball among other motions of {load.joint.label()}, whose turn '{NAME}' does not see by itself: "
                "put a spring on each of three turns instead"
            )
    return reasons


def formulation(frozen: Frozen) -> Formulation:
    """The equations of a system, loops included, with all rows."""
    return complete(frozen)[1]


def complete(frozen: Frozen, dropped: Collection[int] = ()) -> tuple[Frozen, Formulation]:
    """The tables of this formulation added to a frozen system, redundant rows left out, and the equations for them."""
    from poinsot.formulations.directors.observe import no_rate

    frozen = replace(frozen, layout=with_tables(frozen, dropped))
    layout = frozen.layout
    head, bodies, driven = layout.pattern, len(layout.bodies), len(layout.drives) > 0
    equations = Formulation(
        name=NAME,
        position_rate=_loads(layout),
        velocity_rate=_kernels("drives").drive if driven else no_rate,
        observe_motion=_kernels("observe_driven" if driven else "observe").observe_motion,
        observe_loads=lambda: _kernels("observe_driven" if driven else "reactions").observe_loads,
        stiffness=None,
        at_state=lambda: _kernels("reactions"),
        state_size=int(head[STATE]),
        work_size=int(head[WORK]),
        pack=lambda coordinates, rates: pack(_independent(frozen, coordinates).layout, coordinates, rates),
        unpack=lambda y: unpack(layout, y),
        complete=complete,
        bodies=bodies,
        stage_size=stage_numbers(head, bodies),
        continuous=False,
        grip=(lambda: _kernels("observe_driven").observe_grip) if driven else None,
        efforts=(int(head[EFFORTS]), MAX_STAGES * len(layout.drives)),
        dropped=tuple(sorted(dropped)),
    )
    return frozen, equations


def _independent(frozen: Frozen, coordinates: np.ndarray) -> Frozen:
    """A frozen system, unless the motions of a joint in series are not independent at these coordinates."""
    for k in np.flatnonzero(frozen.layout.joints["serial"]):
        joint, at = frozen.joints[k], int(frozen.layout.motions["ic"][frozen.layout.joints["motion"][k]])
        if independence(joint.motions(), coordinates[at:]) < LOCKED:
            raise ModelError(
                f"{joint.label()}: its motions are not independent at this position ('gimbal lock'), so that its coordinates are not defined; "
                "start elsewhere, or use other axes or a ball"
            )
    return frozen


def _kernels(name: str) -> Any:
    return import_module(f"poinsot.formulations.directors.{name}")


def _loads(layout: Layout) -> Any:
    """The kernel of the loads, compiled only when there are any."""
    if not len(layout.loads):
        return _kernels("observe").no_rate
    return _kernels("loads").add_loads


def pack(layout: Layout, coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """State y from joint coordinates and rates; bodies are placed along the spanning tree."""
    from poinsot.formulations.tree.placement import placed

    bodies, twists = placed(layout, coordinates, rates)
    n = len(bodies)
    turn = bodies[:, 3:].reshape(n, 3, 3)
    D = turn @ layout.frames["axes"]
    head = layout.pattern
    y = np.zeros(int(head[STATE]))
    poses, velocities = y[: head[VELOCITIES]].reshape(n, SPAN), y[head[VELOCITIES] : head[ANGLES]].reshape(n, SPAN)
    poses[:, :3] = bodies[:, :3] + np.einsum("bij,bj->bi", turn, layout.frames["com"])
    poses[:, 3:] = D.reshape(n, 9)
    velocities[:, :3] = twists[:, :3]
    shared = layout.frames["shared"] == 1
    away = np.einsum("bij,bj->bi", turn, layout.frames["com"] - layout.bodies["com"])
    velocities[shared, :3] += np.cross(twists[:, 3:], away)[shared]
    velocities[:, 3:] = np.cross(twists[:, None, 3:], D.swapaxes(1, 2)).swapaxes(1, 2).reshape(n, 9)
    angles = layout.coordinates["angle"]
    y[head[ANGLES] + angles[angles >= 0]] = _scalars(layout, coordinates)[angles >= 0]
    for motion in layout.motions[layout.motions["kind"] == BALL]:
        angle = angles[motion["ir"]]
        if angle >= 0:  # a ball among other motions
            y[head[ANGLES] + angle : head[ANGLES] + angle + 4] = coordinates[motion["ic"] : motion["ic"] + 4]
    return y


def _scalars(layout: Layout, coordinates: np.ndarray) -> np.ndarray:
    """Joint coordinates in the order of joint rates; those of balls, which have no such order, as zeros."""
    values = np.zeros(int(layout.sizes[N_R]))
    for motion in layout.motions:
        if motion["kind"] != 1:
            count = 1 if motion["kind"] == 0 else 3
            values[motion["ir"] : motion["ir"] + count] = coordinates[motion["ic"] : motion["ic"] + count]
    return values


def unpack(layout: Layout, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joint coordinates and rates of a state y, rates as the constraints allow them."""
    from poinsot.formulations.directors.observe import observe_motion

    row = np.zeros(motion_row(layout))
    observe_motion(0.0, y, layout, np.zeros(int(layout.pattern[WORK])), row)
    first = len(layout.bodies) * POSE
    second = first + int(layout.sizes[N_C])
    return row[first:second].copy(), row[second : second + int(layout.sizes[N_R])].copy()
