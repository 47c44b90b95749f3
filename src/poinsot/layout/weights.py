"""Masses and inertias of links: the part of their tables that depends on the bodies' numbers, for one system or for many alike at once.

Arrays of numbers begin with one axis for the systems. All sums are written out, so that their bits do not depend on how many systems there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model.joint import perpendicular

ROUNDING = 4e-16  # relative to the largest number of the same link
Row = tuple[float, ...]
Matrix = tuple[Row, ...]


@dataclass(frozen=True)
class Skeleton:
    """What tables of links depend on besides masses and inertias: structure, and geometry in the world of the drawing (m).

    Attributes
    ----------
    link_of : of every body its link; `alone`: no two bodies have the same one
    turns, arms : of every body its rotation, and its centre of mass from the origin of its link
    parents : of every link
    offsets : of every link its point on the parent, from the parent's origin
    axes : of every link (n_links, 3, 3), columns; those of loose links have no meaning
    loose : balls whose axes depend on masses, each with the children that may decide: the heaviest of them, or itself where there are none
    """

    link_of: np.ndarray
    alone: bool
    turns: np.ndarray
    arms: np.ndarray
    parents: list[int]
    offsets: np.ndarray
    axes: np.ndarray
    loose: list[tuple[int, list[int]]]

    def placed(self, mass: np.ndarray, six: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mass, first moment and inertia of every link about its origin, drawing axes, from those of the bodies, (systems, n) and (systems, n, 6)."""
        arm = self.arms
        length = arm[:, 0] * arm[:, 0] + arm[:, 1] * arm[:, 1] + arm[:, 2] * arm[:, 2]
        square = length[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :]
        turned = product(product(self.turns, full(six)), np.swapaxes(self.turns, 1, 2))
        own = (mass, mass[..., None] * arm, turned + mass[..., None, None] * square)
        sums = tuple(np.zeros((len(mass), len(self.parents), *part.shape[2:])) for part in own)
        for total, part in zip(sums, own):
            if self.alone:
                total[:, self.link_of] += part
            else:
                np.add.at(total, (slice(None), self.link_of), part)  # type: ignore[arg-type]
        return sums  # type: ignore[return-value]

    def axes_of(self, placed: tuple[np.ndarray, ...]) -> np.ndarray:
        """Axes of all links (systems, n_links, 3, 3)."""
        mass, _, inertia = placed
        axes = np.repeat(self.axes[None], len(mass), axis=0)
        carried = self._carried(mass) if any(children for _, children in self.loose) else mass
        for link, children in self.loose:
            if children:
                directions = self.offsets[np.array(children)[np.argmax(carried[:, children], axis=1)]]
            else:
                directions = np.linalg.eigh(inertia[:, link])[1][:, :, 0]
            axes[:, link] = frames(directions)
        return axes

    def _carried(self, mass: np.ndarray) -> np.ndarray:
        """Mass of every link and all that it carries."""
        columns = list(mass.T)
        for i in range(len(self.parents) - 1, 0, -1):
            columns[self.parents[i]] = columns[self.parents[i]] + columns[i]
        return np.stack(columns, axis=1)


def frames(directions: np.ndarray) -> np.ndarray:
    """Axes (n, 3, 3), columns, whose third have given directions (n, 3)."""
    x, y, w = directions.T
    z = directions / np.sqrt(x * x + y * y + w * w)[:, None]
    across = [perpendicular((x, y, w)) for x, y, w in z.tolist()]
    return np.swapaxes(np.concatenate([np.array(across).reshape(-1, 2, 3), z[:, None, :]], axis=1), 1, 2)


def in_links(axes: np.ndarray, placed: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass (systems, n_links), first moment (.., 3) and inertia (.., 6) of every link in its axes."""
    mass, moment, inertia = placed
    inward = np.swapaxes(axes, -1, -2)
    return mass, clean(times(inward, moment), 1), clean(six_of(product(product(inward, inertia), axes)), 1)


def one_link(turn: Matrix, arm: Row, mass: float, six: Row, axes: Matrix) -> tuple[Row, Row, Matrix]:
    """First moment and inertia, in its axes, of a link that carries one body, and the inertia in drawing axes: the same sums as those of
    `placed` and `in_links`, with numbers of Python, which is faster for a single link.
    """
    xx, yy, zz, xy, xz, yz = six
    length = arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2]
    turned = _product(_product(turn, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))), tuple(zip(*turn)))
    three = (0, 1, 2)
    own = tuple(tuple(0.0 + (turned[i][j] + mass * ((length if i == j else 0.0) - arm[i] * arm[j])) for j in three) for i in three)
    moment = tuple(0.0 + mass * part for part in arm)
    inward = tuple(zip(*axes))
    S = _product(_product(inward, own), axes)
    first = tuple(row[0] * moment[0] + row[1] * moment[1] + row[2] * moment[2] for row in inward)
    return _clean(first), _clean((S[0][0], S[1][1], S[2][2], S[0][1], S[0][2], S[1][2])), own


def _product(A: Matrix, B: Matrix) -> Matrix:
    return tuple(tuple(a[0] * B[0][j] + a[1] * B[1][j] + a[2] * B[2][j] for j in (0, 1, 2)) for a in A)


def _clean(values: Row) -> Row:
    largest = max(map(abs, values))
    return tuple(0.0 if abs(value) < ROUNDING * largest else value for value in values)


def product(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Products of 3x3 matrices."""
    return A[..., :, 0, None] * B[..., None, 0, :] + A[..., :, 1, None] * B[..., None, 1, :] + A[..., :, 2, None] * B[..., None, 2, :]


def times(A: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Products of 3x3 matrices and vectors."""
    return A[..., 0] * v[..., None, 0] + A[..., 1] * v[..., None, 1] + A[..., 2] * v[..., None, 2]


def full(symmetric: np.ndarray) -> np.ndarray:
    """Symmetric matrices of (xx, yy, zz, xy, xz, yz)."""
    return symmetric[..., [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]


def six_of(S: np.ndarray) -> np.ndarray:
    """(xx, yy, zz, xy, xz, yz) of symmetric matrices."""
    return S[..., [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def clean(values: np.ndarray, last: int) -> np.ndarray:
    """Set to exactly zero what is rounding error relative to the largest number of the same link: aligned frames need exact zeros.

    `last` axes belong to one link.
    """
    largest = np.abs(values).max(axis=tuple(range(-last, 0)), keepdims=True)
    return np.where(np.abs(values) < ROUNDING * largest, 0.0, values)
