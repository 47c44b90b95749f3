"""Impulses: velocities jump at fixed positions, and constraints react at once.

    M v+ + G' p = M v- + j,    G v+ = b:    p = (G M^-1 G')^-1 (G (v- + M^-1 j) - b)

v are the twists of all bodies, j the given impulses, and -p those of the constraints along their rows G. For one body that may turn about one
axis only this is hemami2002 (18), corrected: N_c = -(C' A J^-1 A' C)^-1 C' A Omega-.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from poinsot.analysis.constraints import Geometry
from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.rotation import matrices
from poinsot.tables.records import GEAR, N_C, N_R


class Singular(Exception):
    """Constraints that cannot be satisfied by impulses."""


@dataclass(frozen=True)
class Instant:
    """Poses (n, 12) and twists (n, 6) of all bodies, the ground first, joint coordinates and rates, from a motion row."""

    geometry: Geometry
    poses: np.ndarray
    twists: np.ndarray
    coordinates: np.ndarray
    rates: np.ndarray

    @staticmethod
    def of(geometry: Geometry, motion: np.ndarray) -> Instant:
        """From a motion row (see `formulations/contract.py`)."""
        frozen, n = geometry.frozen, geometry.n
        bodies = motion[: BODY_MOTION * n].reshape(n, BODY_MOTION)
        turns = matrices(bodies[:, 3:7])
        arms = np.einsum("bij,bj->bi", turns, frozen.layout.bodies["com"])
        twists = np.concatenate([bodies[:, 7:10] + np.cross(bodies[:, 10:13], arms), bodies[:, 10:13]], axis=1)
        poses = np.concatenate([bodies[:, :3], turns.reshape(n, 9)], axis=1)
        first = BODY_MOTION * n
        second = first + int(frozen.layout.sizes[N_C])
        rates = motion[second : second + int(frozen.layout.sizes[N_R])]
        return Instant(geometry, poses, twists, np.array(motion[first:second]), np.array(rates))

    def centres(self) -> np.ndarray:
        """Centres of mass (n, 3), m."""
        turns = self.poses[:, 3:].reshape(-1, 3, 3)
        return self.poses[:, :3] + np.einsum("bij,bj->bi", turns, self.geometry.layout.bodies["com"])

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Values of all rows and their blocks on the twists."""
        return self.geometry.rows(self.poses, self.coordinates)

    def masses(self) -> np.ndarray:
        """Mass matrices (n - 1, 6, 6) of all bodies but the ground, world axes."""
        bodies, turns = self.geometry.layout.bodies[1:], self.poses[1:, 3:].reshape(-1, 3, 3)
        inertia = bodies["inertia"][:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
        found = np.zeros((len(bodies), 6, 6))
        found[:, :3, :3] = bodies["mass"][:, None, None] * np.eye(3)
        found[:, 3:, 3:] = turns @ inertia @ np.swapaxes(turns, 1, 2)
        return found

    def rates_of(self, twists: np.ndarray) -> np.ndarray:
        """Rates of all joints from twists."""
        return self.geometry.rates(self.geometry.joints(self.poses, self.coordinates)[1], twists)


def jump(at: Instant, rows: np.ndarray, given: np.ndarray, goal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Twists after an impulse (n, 6), and the impulses p of all rows, zero for those not in use.

    Parameters
    ----------
    rows : independent rows that hold after it
    given : (n, 6) impulses on the bodies: N s, and N m s about their centres of mass, world axes
    goal : rates of these rows after it
    """
    geometry, masses = at.geometry, at.masses()
    blocks = at.rows[1]
    G = geometry.jacobian(blocks[rows], geometry.row_bodies[rows])
    M = sparse.block_diag(list(masses), format="csr")
    size, count = M.shape[0], len(rows)
    diagonal = M.diagonal()
    scale = 1.0 / np.sqrt(np.where(diagonal > 0, diagonal, max(diagonal.max(initial=0.0), 1e-300)))
    length = np.sqrt(np.asarray((G @ sparse.diags(scale)).power(2).sum(axis=1)).ravel())
    weight = np.concatenate([scale, 1.0 / np.where(length > 0, length, 1.0)])
    D = sparse.diags(weight)
    matrix = sparse.bmat([[M, G.T], [G, None]], format="csr") if count else M
    before = at.twists[1:].reshape(-1)
    right = np.concatenate([given[1:].reshape(-1), goal - G @ before])  # of the change of the twists, so that what is small stays exact
    try:
        factor = splu(sparse.csc_matrix(D @ matrix @ D))
    except RuntimeError as error:
        raise Singular(str(error)) from None
    found = weight * factor.solve(weight * right)
    found += weight * factor.solve(weight * (right - matrix @ found))  # refined once
    if not np.all(np.isfinite(found)):
        raise Singular("not finite")
    twists, p = at.twists.copy(), np.zeros(len(blocks))
    twists[1:] += found[:size].reshape(-1, 6)
    p[rows] = found[size:]
    return twists, p


def rates_of_rows(at: Instant, twists: np.ndarray) -> np.ndarray:
    """Rates G v of all rows at these twists."""
    geometry = at.geometry
    return np.asarray(np.einsum("rsi,rsi->r", at.rows[1], twists[geometry.row_bodies]))


def reactions(at: Instant, p: np.ndarray) -> np.ndarray:
    """Impulses (owners, 6) on the second body of every joint and constraint, at its joint frame, world axes: N s and N m s.

    Of a gear the first number is the impulse on its first coordinate.
    """
    layout, blocks = at.geometry.layout, at.rows[1]
    joints, centres = layout.joints, at.centres()
    second, turns = joints["second"], at.poses[:, 3:].reshape(-1, 3, 3)
    points = at.poses[second, :3] + np.einsum("jab,jb->ja", turns[second], joints["second_origin"])
    found = np.zeros((len(joints), 6))
    gear = layout.rows["kind"] == GEAR
    np.add.at(found, layout.rows["joint"][~gear], -p[~gear, None] * blocks[~gear, 1])
    found[:, 3:] -= np.cross(points - centres[second], found[:, :3])
    found[layout.rows["joint"][gear], 0] = -p[gear]
    return found
