"""Make quaternions that were computed from matrices continuous in time: q and -q are the same rotation."""

from __future__ import annotations

import numpy as np

from poinsot.formulations.contract import BODY_MOTION
from poinsot.tables.records import BALL, Layout


def keep_signs(rows: np.ndarray, layout: Layout) -> None:
    """Flip the signs of quaternions in motion rows (n, width), of bodies and of balls, so that none jumps between outputs."""
    n = len(layout.bodies)
    balls = layout.motions["ic"][layout.motions["kind"] == BALL]
    first = np.concatenate([np.arange(n) * BODY_MOTION + 3, n * BODY_MOTION + balls])
    columns = first[:, None] + np.arange(4)
    quaternions = rows[:, columns]
    agree = np.einsum("tbi,tbi->tb", quaternions[1:], quaternions[:-1]) >= 0.0
    signs = np.cumprod(np.where(agree, 1.0, -1.0), axis=0)
    rows[1:, columns] = quaternions[1:] * signs[..., None]
