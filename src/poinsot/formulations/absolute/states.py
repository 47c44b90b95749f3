"""Between joint coordinates and configurations of bodies in absolute coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.accepts import refuse_locked
from poinsot.formulations.contract import BODY_MOTION, motion_row
from poinsot.layout.feedback import initial_controls
from poinsot.layout.freeze import Frozen
from poinsot.tables.records import BALL, COORDINATES, N_C, N_R, Layout


def configured(frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A state with poses and angles from joint coordinates, bodies placed along the spanning tree; and twists (bodies, 6) from the rates.

    A twist is that of the point in which the directors are fixed: the centre of mass, of welded bodies with shares that of their group.
    """
    from poinsot.formulations.tree.placement import placed

    layout = frozen.layout
    refuse_locked(frozen, coordinates)
    bodies, twists = placed(layout, coordinates, rates)
    n, at = len(bodies), layout.places[0]
    turn = bodies[:, 3:].reshape(n, 3, 3)
    y = np.zeros(int(at["state"]))
    poses = y[: POSE * n].reshape(n, POSE)
    poses[:, :3] = bodies[:, :3] + np.einsum("bij,bj->bi", turn, layout.frames["com"])
    poses[:, 3:] = (turn @ layout.frames["axes"]).reshape(n, 9)
    first, angles = at["angles"], layout.coordinates["angle"]
    y[first + angles[angles >= 0]] = _scalars(layout, coordinates)[angles >= 0]
    for motion in layout.motions[layout.motions["kind"] == BALL]:
        angle = angles[motion["ir"]]
        if angle >= 0:  # a ball among other motions
            y[first + angle : first + angle + 4] = coordinates[motion["ic"] : motion["ic"] + 4]
    shared = layout.frames["shared"] == 1
    away = np.einsum("bij,bj->bi", turn, layout.frames["com"] - layout.bodies["com"])
    twists[shared, :3] += np.cross(twists[:, 3:], away)[shared]
    set_controls(layout, y)
    return y, twists


def set_controls(layout: Layout, y: np.ndarray) -> None:
    """Set what controllers keep in a state to its initial values."""
    controls = initial_controls(layout)
    y[len(y) - 1 - len(controls) : -1] = controls


def _scalars(layout: Layout, coordinates: np.ndarray) -> np.ndarray:
    """Joint coordinates in the order of joint rates; those of balls, which have no such order, as zeros."""
    values = np.zeros(int(layout.sizes[N_R]))
    for motion in layout.motions:
        if motion["kind"] != BALL:
            count = COORDINATES[motion["kind"]]
            values[motion["ir"] : motion["ir"] + count] = coordinates[motion["ic"] : motion["ic"] + count]
    return values


def unpack(observe_motion: Any, layout: Layout, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Joint coordinates and rates of a state y, rates as the constraints allow them, by the kernel that observes motion."""
    row = np.zeros(motion_row(layout))
    observe_motion(0.0, y, layout, np.zeros(int(layout.places["work"][0])), row)
    first = len(layout.bodies) * BODY_MOTION
    second = first + int(layout.sizes[N_C])
    return row[first:second].copy(), row[second : second + int(layout.sizes[N_R])].copy()
