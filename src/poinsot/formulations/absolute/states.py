"""Between joint coordinates and configurations of bodies in absolute coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.elements.director_scalars import POSE as SPAN
from poinsot.formulations.absolute.work import ANGLES, STATE, WORK
from poinsot.formulations.contract import POSE, motion_row
from poinsot.tables.records import BALL, COORDINATES, N_C, N_R, Layout


def configured(layout: Layout, coordinates: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A state with poses and angles from joint coordinates, bodies placed along the spanning tree; and twists (bodies, 6) from the rates."""
    from poinsot.formulations.tree.placement import placed

    bodies, twists = placed(layout, coordinates, rates)
    n = len(bodies)
    turn = bodies[:, 3:].reshape(n, 3, 3)
    y = np.zeros(int(layout.pattern[STATE]))
    poses = y[: SPAN * n].reshape(n, SPAN)
    poses[:, :3] = bodies[:, :3] + np.einsum("bij,bj->bi", turn, layout.bodies["com"])
    poses[:, 3:] = (turn @ layout.frames["axes"]).reshape(n, 9)
    angles = layout.coordinates["angle"]
    y[layout.pattern[ANGLES] + angles[angles >= 0]] = _scalars(layout, coordinates)[angles >= 0]
    return y, twists


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
    observe_motion(0.0, y, layout, np.zeros(int(layout.pattern[WORK])), row)
    first = len(layout.bodies) * POSE
    second = first + int(layout.sizes[N_C])
    return row[first:second].copy(), row[second : second + int(layout.sizes[N_R])].copy()
