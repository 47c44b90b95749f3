"""Coordinates and rates of joints made of motions in series at given poses (`elements/serial.py`), for `constraints.py`."""

from __future__ import annotations

import ctypes

import numpy as np

from poinsot.elements.serial import GRADIENT, NUMBERS, ROOM, VALUES
from poinsot.layout.freeze import Frozen
from poinsot.layout.serial import described
from poinsot.tables.records import COORDINATES, RATES

NUMBER = ctypes.POINTER(ctypes.c_double)


class SerialJoints:
    """The joints in series of a frozen system; poses are (n, 12), origin and rotation of every body, the ground first."""

    def __init__(self, frozen: Frozen):
        self.layout = frozen.layout
        self.described: dict[int, np.ndarray] = {}
        for j in np.flatnonzero(frozen.layout.joints["serial"][: len(frozen.joints)]):
            table = frozen.layout.joints[j]
            points = np.array([table["first_origin"], table["second_origin"]])
            axes = np.array([table["first_rotation"], table["second_rotation"]])
            bodies = int(table["first"]), int(table["second"])
            self.described[int(j)] = described(bodies, points, axes, frozen.joints[j].motions())

    def __bool__(self) -> bool:
        return bool(self.described)

    def fill(self, poses: np.ndarray, old: np.ndarray, coordinates: np.ndarray, blocks: np.ndarray) -> None:
        """Write their coordinates near `old`, and the blocks (rates, 2, 6) of their rates; old ones and zeros where there are none."""
        from poinsot.elements.serial_call import called_kernel

        kernel, motions = called_kernel(True, False, False).ctypes, self.layout.motions
        flat = np.ascontiguousarray(poses, float).reshape(-1)
        for j, data in self.described.items():
            own = motions[motions["joint"] == j]
            first, rate = int(own["ic"][0]), int(own["ir"][0])
            count = int(COORDINATES[own["kind"]].sum())
            near = np.zeros(NUMBERS)
            near[:count] = old[first : first + count]
            coordinates[first : first + count] = near[:count]
            blocks[rate : rate + int(RATES[own["kind"]].sum())] = 0.0
            for k in range(int(RATES[own["kind"]].sum())):
                out = np.zeros(ROOM)
                kernel(k, *(array.ctypes.data_as(NUMBER) for array in (flat, near, data, out)))
                if np.isnan(out[VALUES]):
                    break
                coordinates[first : first + count] = out[VALUES : VALUES + count]
                blocks[rate + k] = self._about_centres(poses, j, out[GRADIENT : GRADIENT + 12])

    def _about_centres(self, poses: np.ndarray, j: int, gradient: np.ndarray) -> np.ndarray:
        """Blocks (2, 6) on the twists of the centres of mass from a gradient about the origins of both bodies."""
        found = gradient.reshape(2, 6).copy()
        for k, side in enumerate(("first", "second")):
            body = int(self.layout.joints[side][j])
            arm = poses[body, 3:].reshape(3, 3) @ self.layout.bodies["com"][body]
            found[k, 3:] -= np.cross(arm, found[k, :3])
        return found
