"""Sequences of Euler angles: their names, and two complex numbers in which every one of the twelve is the same.

For R = R_i(a) R_j(b) R_i(c) the unit quaternion has w + i x_i = cos(b/2) exp(i (a + c)/2) and x_j + i e x_k = sin(b/2) exp(i (a - c)/2), with
e = 1 for right-handed i, j, k, else -1. A sequence of three different axes is one with a repeated axis of the body turned by -e pi/2 about its
second axis, so that b is e pi/2 less. Half of the sum or difference of a and c is undetermined where one of these numbers vanishes, only there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.words import nearest, short_repr

WORDS = {"roll pitch yaw": ("roll", "pitch", "yaw"), "yaw pitch roll": ("yaw", "pitch", "roll")}
SHORT = {"rpy": "roll pitch yaw", "ypr": "yaw pitch roll"}
SEQUENCES = tuple(a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b and b != c)
PROPER = ("precession", "nutation", "spin")


class Sequence(NamedTuple):
    """A sequence of rotations.

    Attributes
    ----------
    name : as in names of results: "zxz", "xyz", "rpy"
    axes : indices of the axes of the intrinsic sequence, x 0, y 1, z 2
    reversed : whether the angles are listed from the last rotation of the intrinsic sequence to the first
    extrinsic : whether the rotations are about the axes of the world
    names : of the three angles, as listed
    """

    name: str
    axes: tuple[int, int, int]
    reversed: bool
    extrinsic: bool
    names: tuple[str, str, str]

    @property
    def proper(self) -> bool:
        """Whether the first and the last axis are the same."""
        return self.axes[0] == self.axes[2]

    @property
    def hand(self) -> float:
        """1 when the first axis, the second and the remaining one are right-handed, else -1."""
        return 1.0 if (self.axes[1] - self.axes[0]) % 3 == 1 else -1.0

    @property
    def shift(self) -> float:
        """What the second angle is more than in the sequence with a repeated axis, rad."""
        return 0.0 if self.proper else self.hand * np.pi / 2

    def numbers(self, quaternions: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Complex numbers (n, 2) of quaternions (n, 4), and their rates, from those of the quaternions."""
        i, j, _ = self.axes
        k = 3 - i - j
        half = -0.5 * self.shift
        found = []
        for q in (quaternions, rates):
            w, v = q[..., 0], q[..., 1:]
            c, s = np.cos(half), np.sin(half)  # times the quaternion of the turn about the second axis
            plus = (c * w - s * v[..., j]) + 1j * (c * v[..., i] - self.hand * s * v[..., k])
            minus = (c * v[..., j] + s * w) + 1j * (self.hand * c * v[..., k] + s * v[..., i])
            found.append(np.stack([plus, minus], axis=-1))
        return found[0], found[1]

    def describe(self) -> str:
        """In words: axes, and whose they are."""
        if self.name in SHORT:
            return "roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll)"
        order = self.axes[::-1] if self.extrinsic else self.axes
        whose = "world" if self.extrinsic else "turned body"
        return f"{'-'.join('xyz'[k] for k in order)}, {'extrinsic' if self.extrinsic else 'intrinsic'} (axes of the {whose})"


def read_sequence(given: Any, extrinsic: Any, where: str) -> Sequence:
    """A sequence by its name; letters of either case are intrinsic unless `extrinsic` is True."""
    words = " ".join(given.replace("_", " ").replace("-", " ").replace(",", " ").lower().split()) if isinstance(given, str) else ""
    words = SHORT.get(words, words)
    if words in WORDS:
        if extrinsic:
            raise ModelError(f"{where}: roll, pitch and yaw are one set of angles, whichever way they are read; give them without extrinsic=")
        names = WORDS[words]
        return Sequence(next(short for short, long in SHORT.items() if long == words), (2, 1, 0), names[0] == "roll", False, names)
    letters = words.replace(" ", "")
    if letters not in SEQUENCES or not (given.islower() or given.isupper()):
        near = nearest(letters, [*SEQUENCES, *WORDS])
        remedy = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(SEQUENCES)}, 'roll pitch yaw' and 'yaw pitch roll'"
        raise ModelError(f"{where}: there is no sequence of Euler angles {short_repr(given)}; {remedy}")
    if extrinsic and given.isupper():
        raise ModelError(f"{where}: upper-case letters are intrinsic in SciPy, and extrinsic=True contradicts them; give '{letters}'")
    a, b, c = ("xyz".index(letter) for letter in (letters[::-1] if extrinsic else letters))
    first, second, third = (PROPER[::-1] if extrinsic else PROPER) if a == c else tuple(letters)
    name = f"{letters}_extrinsic" if extrinsic else letters
    return Sequence(name, (a, b, c), bool(extrinsic), bool(extrinsic), (first, second, third))
