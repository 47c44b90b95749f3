"""Joints made of motions in series whose coordinates have no closed-form solution, described for `elements/serial.py`.

Closed formulas (`elements/director_scalars.py`) cover slides along perpendicular axes, followed by a ball or at most two rotations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.model.joint import Ball, Helical, Motion, Translation
from poinsot.model.rotation import matrices, quaternion
from poinsot.tables.records import BALL, HELICAL, TRANSLATION

SQUARE = 1e-12  # largest cosine between axes that count as perpendicular


def is_serial(motions: Sequence[Motion]) -> bool:
    """Whether the coordinates of these motions in series must be found by iteration."""
    sliding = [isinstance(m, Translation) or (isinstance(m, Helical) and m.rot == 0.0) for m in motions]
    slides, turns = motions[: sum(sliding)], motions[sum(sliding) :]
    if not all(sliding[: len(slides)]):
        return True
    if len(slides) > 1 and any(isinstance(m, Translation) for m in slides):
        return True
    axes = np.array([m.axis for m in slides if isinstance(m, Helical)]).reshape(-1, 3)
    if np.abs(axes @ axes.T - np.eye(len(axes))).max(initial=0.0) > SQUARE:
        return True
    if any(isinstance(m, Helical) and m.lin != 1.0 for m in slides):
        return True
    if any(isinstance(m, Ball) for m in turns):
        return len(turns) > 1
    screws = any(isinstance(m, Helical) and (m.rot != 1.0 or (m.lin != 0.0 and bool(slides))) for m in turns)
    return len(turns) > 2 or screws


def described(bodies: tuple[int, int], points: np.ndarray, axes: np.ndarray, motions: Sequence[Motion]) -> np.ndarray:
    """The numbers that describe a joint: its bodies, its points (2, 3) and axes (2, 3, 3) on them, its motions."""
    each = []
    for motion in motions:
        if isinstance(motion, Helical):
            each.append([HELICAL, motion.rot, motion.lin, *motion.axis])
        elif isinstance(motion, Ball):
            each.append([BALL, 1.0, 0.0, 0.0, 0.0, 0.0])
        else:
            each.append([TRANSLATION, 0.0, 1.0, 0.0, 0.0, 0.0])
    return np.concatenate([[*bodies, len(motions)], np.ravel(points), np.ravel(axes), np.ravel(each)]).astype(float)


def independence(motions: Sequence[Motion], q: np.ndarray) -> float:
    """How independent motions in series are at coordinates q: 0 where they are linearly dependent (gimbal lock), at most about 1."""
    p, R, at = np.zeros(3), np.eye(3), 0
    linear: list[np.ndarray] = []
    turns: list[np.ndarray] = []
    places: list[np.ndarray] = []
    for motion in motions:
        if isinstance(motion, Helical):
            e = R @ np.array(motion.axis)
            p = p + motion.lin * q[at] * e
            linear, turns, places = [*linear, motion.lin * e], [*turns, motion.rot * e], [*places, p]
            R = R @ matrices(np.array(quaternion(np.multiply(motion.axis, motion.rot * q[at]), "a turn")))
            at += 1
        elif isinstance(motion, Ball):
            R = R @ matrices(np.array(q[at : at + 4]))
            linear, turns, places = [*linear, *np.zeros((3, 3))], [*turns, *R.T], [*places, p, p, p]
            at += 4
        else:
            linear, turns, places = [*linear, *R.T], [*turns, *np.zeros((3, 3))], [*places, p, p, p]
            p, at = p + R @ q[at : at + 3], at + 3
    S = np.concatenate([np.array(linear) + np.cross(turns, p - np.array(places)), np.array(turns)], axis=1)
    return float(np.linalg.svd(S / np.linalg.norm(S, axis=1, keepdims=True), compute_uv=False)[-1])
