"""Masses and inertias of links: the part of their tables that depends on the bodies' numbers, for one system or for many alike at once.

Arrays of numbers begin with one axis for the systems. All sums are written out, so that their bits do not depend on how many systems there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.model.joint import perpendicular

ROUNDING = 4e-16  # relative to the largest number of the same link
SLENDER = 12.0  # by how much the moment of inertia about the axis of a leaf may exceed the smallest one: a digit of an elimination
LIGHTER = 0.5  # of what the heaviest child carries: a child that carries as much may decide in its place
Row = tuple[float, ...]
Matrix = tuple[Row, ...]


@dataclass(frozen=True)
class Loose:
    """A ball whose axes depend on masses, but on no small change of them unless its link is slender in a direction that no drawing shows.

    Attributes
    ----------
    link : its link
    children : those whose directions may decide: the first that carries nearly what the heaviest does; empty at a leaf
    frames : of a leaf, (n, 3, 3), axes in columns, for geometric directions: to centres of mass of its bodies, and their axes. The first about
        which its moment of inertia is small decides; where there is none, the smallest principal axis does
    """

    link: int
    children: list[int]
    frames: np.ndarray

    @cached_property
    def directions(self) -> list[Row]:
        """The third axes of `frames`."""
        return [(x, y, z) for x, y, z in self.frames[:, :, 2].tolist()]

    def heaviest(self, carried: Sequence[float]) -> int:
        """The child that decides, from what every link carries (kg)."""
        enough = LIGHTER * max(carried[child] for child in self.children)
        return next(child for child in self.children if carried[child] >= enough)

    def fitting(self, inertia: Matrix) -> int:
        """The number of the direction that decides, from the inertia about the joint (kg m^2); -1 where a principal axis does."""
        (xx, _, _), (xy, yy, _), (xz, yz, zz) = inertia
        return next((k for k, direction in enumerate(self.directions) if _fits((xx, yy, zz, xy, xz, yz), direction)), -1)

    def frames_for(self, inertia: np.ndarray) -> np.ndarray:
        """Axes of a leaf for several inertias (systems, 3, 3): the same choice as that of `fitting`."""
        six = tuple(inertia[:, i, j] for i, j in ((0, 0), (1, 1), (2, 2), (1, 0), (2, 0), (2, 1)))
        fits = np.array([_fits(six, direction) for direction in self.directions])
        axes, none = self.frames[fits.argmax(axis=0)], ~fits.any(axis=0)
        if none.any():
            axes[none] = frames(np.linalg.eigh(inertia[none])[1][:, :, 0])
        return axes


def _fits(six: tuple[Any, ...], direction: Row) -> Any:
    """Whether the moment of inertia about a direction is at most SLENDER times the smallest, or as good as zero: of numbers, or of arrays alike."""
    size = six[0] + six[1] + six[2]
    xx, yy, zz, xy, xz, yz = (part / (size + (size == 0.0)) for part in six)
    u, v, w = direction
    moment = xx * u * u + yy * v * v + zz * w * w + 2.0 * (xy * u * v + xz * u * w + yz * v * w)
    a, b, c = yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy
    product = xx * a - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz)  # of all three principal moments; a + b + c: of every two of them
    return (moment * (a + b + c) <= SLENDER * product) | (moment <= ROUNDING)


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
    loose : balls whose axes may depend on masses
    """

    link_of: np.ndarray
    alone: bool
    turns: np.ndarray
    arms: np.ndarray
    parents: list[int]
    offsets: np.ndarray
    axes: np.ndarray
    loose: list[Loose]

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
        carried = self.carried(list(mass.T)) if any(loose.children for loose in self.loose) else []
        for loose in self.loose:
            if loose.children:
                on_top = np.stack([carried[child] for child in loose.children], axis=1)
                first = (on_top >= LIGHTER * on_top.max(axis=1, keepdims=True)).argmax(axis=1)
                axes[:, loose.link] = frames(self.offsets[np.array(loose.children)[first]])
            else:
                axes[:, loose.link] = loose.frames_for(inertia[:, loose.link])
        return axes

    def carried(self, mass: list[Any]) -> list[Any]:
        """Mass of every link and all that it carries (kg), from the masses of all links: numbers, or arrays of the systems."""
        found = list(mass)
        for i in range(len(found) - 1, 0, -1):
            found[self.parents[i]] = found[self.parents[i]] + found[i]
        return found

    @cached_property
    def members(self) -> list[list[int]]:
        """The bodies of every link."""
        found: list[list[int]] = [[] for _ in self.parents]
        for body, link in enumerate(self.link_of.tolist()):
            found[link].append(body)
        return found

    @cached_property
    def in_numbers(self) -> tuple[list[Matrix], list[Row]]:
        """`turns` and `arms` as numbers of Python."""
        return [tuple(map(tuple, turn)) for turn in self.turns.tolist()], list(map(tuple, self.arms.tolist()))


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


def one_link(parts: Sequence[tuple[Matrix, Row, float, Row]], axes: Matrix) -> tuple[float, Row, Row, Matrix]:
    """Mass, first moment and inertia, in its axes, of a link, and the inertia in drawing axes: the same sums as those of `placed` and `in_links`,
    with numbers of Python, which is faster for a single link. `parts`: turn, arm, mass and inertia of its bodies, in their order.
    """
    total = mx = my = mz = 0.0
    own: Matrix = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for turn, arm, mass, (xx, yy, zz, xy, xz, yz) in parts:
        x, y, z = arm
        length = x * x + y * y + z * z
        turned = _product(_product(turn, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))), tuple(zip(*turn)))
        total, mx, my, mz = total + mass, mx + mass * x, my + mass * y, mz + mass * z
        square = (length - x * x, 0.0 - x * y, 0.0 - x * z), (0.0 - y * x, length - y * y, 0.0 - y * z), (0.0 - z * x, 0.0 - z * y, length - z * z)
        own = _sum(own, _sum(turned, tuple((mass * a, mass * b, mass * c) for a, b, c in square)))
    inward = tuple(zip(*axes))
    S = _product(_product(inward, own), axes)
    first = tuple(x * mx + y * my + z * mz for x, y, z in inward)
    return total, _clean(first), _clean((S[0][0], S[1][1], S[2][2], S[0][1], S[0][2], S[1][2])), own


def _product(A: Matrix, B: Matrix) -> Matrix:
    (p, q, r), (s, t, u), (v, w, x) = B
    return tuple((a * p + b * s + c * v, a * q + b * t + c * w, a * r + b * u + c * x) for a, b, c in A)


def _sum(A: Matrix, B: Matrix) -> Matrix:
    return tuple((a + p, b + q, c + r) for (a, b, c), (p, q, r) in zip(A, B))


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
