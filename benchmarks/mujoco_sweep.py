"""Many chains in MuJoCo: `mujoco.rollout`, with steps of its RK4, in as many threads as are given."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco
import numpy as np
from models import LENGTH, mujoco_chain, quaternions, swung
from mujoco.rollout import Rollout as Threads


class Rollout:
    """Chains of n links that start at rest, the first joint of each turned about x by its angle (rad)."""

    def __init__(self, n: int, angles: Sequence[float], threads: int):
        self.n, self.threads = n, Threads(nthread=threads)
        self.initial = np.zeros((len(angles), 1 + 4 * n + 3 * n))  # time, quaternions, rates
        for row, angle in zip(self.initial, angles):
            row[1 : 1 + 4 * n] = quaternions(swung(n, angle)).ravel()
        self.count = threads

    def ends(self, duration: float, steps: int) -> np.ndarray:
        """All states after this many steps, (number of chains, numbers of a state)."""
        model = mujoco_chain(mujoco, self.n, duration / steps)
        data = [mujoco.MjData(model) for _ in range(self.count)]
        states, _ = self.threads.rollout(model, data, self.initial, nstep=steps)
        return states[:, -1]

    def centres(self, ends: np.ndarray) -> np.ndarray:
        """Centres of mass of the last links (m), for states at the end."""
        model = mujoco_chain(mujoco, self.n, 0.01)
        data, found = mujoco.MjData(model), np.zeros((len(ends), 3))
        for row, state in zip(found, ends):
            data.qpos[:] = state[1 : 1 + 4 * self.n]
            mujoco.mj_kinematics(model, data)
            row[:] = data.xpos[-1] + data.xmat[-1].reshape(3, 3) @ (0, 0, -LENGTH / 2)
        return found
