"""Euler angles over time, continuous where that is possible, with their rates and the times at which the sequence is singular."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from poinsot.errors import warn
from poinsot.model.words import NearNames
from poinsot.results.sequences import Sequence

ZERO = 1e-12  # a modulus below which the phase of a complex number is rounding
UNSURE = np.pi / 4  # deviation from what the rates predict (of half a sum or difference): where it is larger, turns may be miscounted
PARTS = 8  # chords per interval between outputs, for passages through singular attitudes


class EulerAngles(NearNames):
    """Euler angles of a body: R = R_1(angle 1) R_2(angle 2) R_3(angle 3), body to world, about turned axes; extrinsic sequences the other way round.

    Attributes
    ----------
    t : (n,) s
    sequence : the axes; `sequence.describe()` says it in words
    names : of the three angles
    angles : (n, 3) rad. At the start in their principal ranges, then continuous: whole turns are counted, and the second angle goes through a
        singular attitude rather than letting the others jump by half a turn
    rates : (n, 3) rad/s, from the angular velocity. In an exactly singular attitude, where two axes are parallel, these two share their rate equally
    singular : list of (start, end), s: times when the first and the last axis are parallel to within `near`, outputs or not
    near : rad

    Near a singular attitude two of the angles vary rapidly and only their sum or difference is well determined: `regular` says how well.
    """

    def __init__(self, t: np.ndarray, quaternions: np.ndarray, angular_velocity: np.ndarray, sequence: Sequence, near: float, where: str):
        self.sequence, self.near, self.where = sequence, near, where
        self.names = sequence.names
        self.single = np.ndim(t) == 0
        self.t = np.atleast_1d(t)
        q, w = np.atleast_2d(quaternions), np.atleast_2d(angular_velocity)
        q = q / np.linalg.norm(q, axis=1, keepdims=True)
        z, dz = sequence.numbers(q, quaternion_rates(q, w))
        self._axis = 2.0 * z[:, 0] * z[:, 1]  # the last axis across the first, in the world
        self._axis_rate = 2.0 * (dz[:, 0] * z[:, 1] + z[:, 0] * dz[:, 1])
        self._follow(z, dz, np.linalg.norm(w, axis=1))

    def _follow(self, z: np.ndarray, dz: np.ndarray, speed: np.ndarray) -> None:
        """Angles and rates from two complex numbers with signed moduli: no phase jumps by half a turn where a number passes through zero."""
        h = np.diff(self.t)
        size = np.abs(z)
        turning = np.where(size > ZERO, (np.conj(z) * dz).imag / np.maximum(size, ZERO) ** 2, 0.0)
        raw = np.stack([_phases(z[:, k], dz[:, k], speed) for k in (0, 1)], axis=1)
        if self.sequence.shift > 0:
            raw[:, 1] += np.pi
        along = np.abs((z.conj() * dz).real) / np.maximum(size, ZERO)  # how fast the moduli change
        low, fast = np.minimum(size[1:], size[:-1]), np.maximum(along[1:], along[:-1])
        predicted = 0.5 * h[:, None] * (turning[1:] + turning[:-1])
        regular = h[:, None] * fast < low
        predicted = np.where(regular, predicted, np.where(regular[:, ::-1], -predicted[:, ::-1], 0.0))  # else the first angle changes least
        phases, off = _continued(raw, predicted)
        modulus = (z * np.exp(-1j * phases)).real
        change = (dz * np.exp(-1j * phases)).real
        tilting = 2.0 * (modulus[:, 0] * change[:, 1] - modulus[:, 1] * change[:, 0])
        half = np.arctan2(modulus[:, 1], modulus[:, 0])[:, None]
        tilt, tilt_off = _continued(half, 0.25 * (h * (tilting[1:] + tilting[:-1]))[:, None])
        found = np.stack([phases[:, 0] + phases[:, 1], 2.0 * tilt[:, 0] + self.sequence.shift, phases[:, 0] - phases[:, 1]], axis=1)
        found -= 2.0 * np.pi * np.ceil(found[0] / (2.0 * np.pi) - 0.5)
        rates = np.stack([turning[:, 0] + turning[:, 1], tilting, turning[:, 0] - turning[:, 1]], axis=1)
        bad = np.any(regular & (off > UNSURE), axis=1) | (tilt_off[:, 0] > UNSURE)
        self._unsure = np.flatnonzero(bad)
        if len(self._unsure):
            k = int(self._unsure[0])
            warn(
                f"{self.where}: outputs are too far apart to count the turns of Euler angles, first between {self.t[k]:.6g} and "
                f"{self.t[k + 1]:.6g} s; give a smaller output_step",
                UserWarning,
            )
        back = slice(None, None, -1 if self.sequence.reversed else 1)
        self.angles, self.rates = self._out(found[:, back]), self._out(rates[:, back])

    def _out(self, values: np.ndarray) -> np.ndarray:
        values = np.ascontiguousarray(values[0] if self.single else values)
        values.flags.writeable = False
        return values

    @property
    def regular(self) -> np.ndarray:
        """Sine of the angle between the first and the last axis, (n,), from 0 (singular) to 1; rates are at most the angular velocity over it."""
        return self._out(np.abs(self._axis))

    @cached_property
    def singular(self) -> list[tuple[float, float]]:
        """Intervals (start, end), s, in which the sequence is singular or nearly so; passages between outputs are found as well."""
        return stretches(self.t, self._axis, self._axis_rate, np.sin(self.near))

    @property
    def principal(self) -> np.ndarray:
        """The same angles in their principal ranges, (n, 3) rad: -pi to pi, the second one 0 to pi, or -pi/2 to pi/2 for three different axes."""
        a, b, c = np.atleast_2d(self.angles).T
        b = _wrapped(b)
        if self.sequence.proper:
            other, b = b < 0.0, np.abs(b)
        else:
            other = np.abs(b) > np.pi / 2
            b = np.where(other, _wrapped(np.pi - b), b)
        half = np.where(other, np.pi, 0.0)
        return self._out(np.stack([_wrapped(a + half), b, _wrapped(c + half)], axis=1))

    def plot(self, **options: Any) -> Any:
        """A matplotlib figure of the angles and their rates over time, singular times shaded; in degrees with `degrees=True`."""
        from poinsot.view.attitude import euler_figure

        return euler_figure(self, **options)

    def _called(self) -> str:
        return f"Euler angles of {self.where}"

    def __repr__(self) -> str:
        many = len(self.singular)
        note = f", singular {many} time{'s' if many != 1 else ''}" if many else ""
        return f"EulerAngles({self.where}: {self.sequence.describe()}, {len(self.t)} output{'s' if len(self.t) != 1 else ''}{note})"


def quaternion_rates(q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Rates (n, 4) of quaternions (n, 4), body to world, from angular velocities (n, 3) in world axes, rad/s."""
    first = -np.sum(w * q[:, 1:], axis=1, keepdims=True)
    return 0.5 * np.concatenate([first, q[:, :1] * w + np.cross(w, q[:, 1:])], axis=1)


def _wrapped(angle: np.ndarray) -> np.ndarray:
    """Angles from -pi to pi."""
    return angle - 2.0 * np.pi * np.ceil(angle / (2.0 * np.pi) - 0.5)


def _phases(z: np.ndarray, dz: np.ndarray, speed: np.ndarray) -> np.ndarray:
    """Phases (n,), up to half turns: where a number vanishes, that of its rate; where this vanishes too, the last known one, or the first."""
    moves = np.abs(dz) > 1e-9 * np.maximum(speed, 1e-300)
    known = (np.abs(z) > ZERO) | moves
    found = np.where(np.abs(z) > ZERO, np.angle(z), np.angle(dz))
    if not known.any():
        return np.zeros(len(z))
    last = np.maximum.accumulate(np.where(known, np.arange(len(z)), -1))
    return found[np.where(last < 0, int(np.argmax(known)), last)]


def _continued(raw: np.ndarray, predicted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Phases (n, m) known up to half turns, made to change as nearly as predicted (n - 1, m) as they can, and how far they are off that."""
    step = np.diff(raw, axis=0)
    turns = np.rint((predicted - step) / np.pi)
    total = np.concatenate([np.zeros((1, raw.shape[1])), np.cumsum(turns, axis=0)])  # whole numbers, so that no rounding adds up
    return raw + np.pi * total, np.abs(step + np.pi * turns - predicted)


def stretches(t: np.ndarray, p: np.ndarray, dp: np.ndarray, near: float) -> list[tuple[float, float]]:
    """Intervals of time in which a complex curve, given with its rates at times t, is within `near` of zero; cubic between the times."""
    if len(t) == 1:
        return [(float(t[0]), float(t[0]))] if abs(p[0]) < near else []
    h = np.diff(t)
    reach = np.minimum(np.abs(p[1:]), np.abs(p[:-1])) - h * np.maximum(np.abs(dp[1:]), np.abs(dp[:-1]))
    found: list[tuple[float, float]] = []
    for k in np.flatnonzero((reach < near) & (h > 0)):
        s = np.linspace(0.0, 1.0, PARTS + 1)
        points = (
            (1 + 2 * s) * (1 - s) ** 2 * p[k] + s * (1 - s) ** 2 * h[k] * dp[k]
            + s**2 * (3 - 2 * s) * p[k + 1] + s**2 * (s - 1) * h[k] * dp[k + 1]
        )  # fmt: skip
        for j, (start, way) in enumerate(zip(points, np.diff(points))):
            a, b, c = abs(way) ** 2, (np.conj(start) * way).real, abs(start) ** 2 - near**2
            if a > 0.0:
                root = b * b - a * c
                first, last = ((-b - root**0.5) / a, (-b + root**0.5) / a) if root > 0.0 else (2.0, 2.0)
            else:
                first, last = (0.0, 1.0) if c < 0.0 else (2.0, 2.0)
            if first < 1.0 and last > 0.0:
                begin, end = (float(t[k] + h[k] * (j + x) / PARTS) for x in (max(first, 0.0), min(last, 1.0)))
                if found and begin - found[-1][1] <= 1e-9 * h[k]:
                    found[-1] = (found[-1][0], end)
                else:
                    found.append((begin, end))
    return found
