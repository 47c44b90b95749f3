"""Poinsot's construction: polhode, herpolhode, and the inertia ellipsoid of a body that rolls on a plane perpendicular to its angular momentum.

The inertia ellipsoid x . J x = 1 is fixed to the body. It touches the plane perpendicular to the angular momentum L = J w at the distance
sqrt(2 T)/|L| from its centre in the point w/sqrt(2 T), T = w . L/2, which is on the axis of rotation, so that it rolls without slipping. Where no
torque acts about the centre, L and T are constant, and so are the direction and the distance of the plane: the invariable plane.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.words import NearNames

ALIKE = 1e-9  # relative difference of moments that count as equal
SLENDER = 1e-12  # relative to the largest moment: smaller ones count as zero


class PoinsotMotion(NearNames):
    """Rotation of a body about its centre of mass, or about a point of it that is at rest. Names of components in body axes end in `_body`.

    Attributes
    ----------
    t : (n,) s
    inertia : (3, 3) about the centre, body axes, kg m^2
    rotation : (n, 3, 3) body to world
    centre : (n, 3) m, world
    polhode : (n, 3) angular velocity in body axes, rad/s
    herpolhode : (n, 3) angular velocity in world axes, rad/s
    """

    def __init__(self, t: np.ndarray, inertia: np.ndarray, rotation: np.ndarray, angular_velocity: np.ndarray, centre: np.ndarray, where: str):
        self.t, self.inertia, self.where = t, inertia, where
        self.rotation, self.herpolhode, self.centre = rotation, angular_velocity, centre
        self.polhode = np.einsum("...ji,...j->...i", rotation, angular_velocity)
        moments = np.linalg.eigvalsh(inertia)
        if not moments[0] > SLENDER * moments[2]:
            raise ModelError(
                f"{where}: has no moment of inertia about one of its axes, so that its inertia ellipsoid has no end; "
                "give it a shape with a radius, or inertia="
            )

    @cached_property
    def _principal(self) -> tuple[np.ndarray, np.ndarray]:
        moments, axes = np.linalg.eigh(self.inertia)
        return moments, axes * np.array([1.0, 1.0, np.sign(np.linalg.det(axes))])

    @property
    def moments(self) -> np.ndarray:
        """Principal moments of inertia (3,), kg m^2, in ascending order."""
        return self._principal[0]

    @property
    def axes(self) -> np.ndarray:
        """Their axes, columns of (3, 3), body axes, right-handed."""
        return self._principal[1]

    @property
    def semi_axes(self) -> np.ndarray:
        """Semi-axes of the inertia ellipsoid x . J x = 1 along `axes`, (3,), 1/sqrt(kg m^2)."""
        return 1.0 / np.sqrt(self.moments)

    @cached_property
    def momentum_body(self) -> np.ndarray:
        """Angular momentum about the centre, body axes, (n, 3), kg m^2/s: a path on the momentum sphere."""
        return self.polhode @ self.inertia

    @cached_property
    def momentum(self) -> np.ndarray:
        """Angular momentum about the centre, world axes, (n, 3), kg m^2/s."""
        return np.einsum("...ij,...j->...i", self.rotation, self.momentum_body)

    @cached_property
    def energy(self) -> np.ndarray:
        """Kinetic energy of the rotation about the centre, (n,), J."""
        return 0.5 * np.sum(self.polhode * self.momentum_body, axis=-1)

    @cached_property
    def _root(self) -> np.ndarray:
        """sqrt(2 T), (n,); the body must turn."""
        if not np.all(self.energy > 0.0):
            k = int(np.argmin(np.atleast_1d(self.energy)))
            raise ModelError(
                f"{self.where}: does not turn at t = {np.atleast_1d(self.t)[k]:.6g} s, where no plane is defined; "
                "polhode and herpolhode are known there too"
            )
        return np.sqrt(2.0 * self.energy)

    @property
    def contact_body(self) -> np.ndarray:
        """The point in which ellipsoid and plane touch, from the centre, body axes, (n, 3), 1/sqrt(kg m^2): the polhode on the ellipsoid."""
        return self.polhode / self._root[..., None]

    @property
    def contact(self) -> np.ndarray:
        """The point in which ellipsoid and plane touch, from the centre, world axes, (n, 3), 1/sqrt(kg m^2): the herpolhode on the plane."""
        return self.herpolhode / self._root[..., None]

    @property
    def normal(self) -> np.ndarray:
        """Unit normal of the plane, that of the angular momentum, world axes, (n, 3)."""
        size = np.linalg.norm(self.momentum, axis=-1)
        assert np.all(self._root > 0.0)
        return self.momentum / size[..., None]

    @property
    def distance(self) -> np.ndarray:
        """Distance of the plane from the centre, sqrt(2 T)/|L|, (n,), 1/sqrt(kg m^2)."""
        return self._root / np.linalg.norm(self.momentum_body, axis=-1)

    @property
    def rolling_velocity(self) -> np.ndarray:
        """Velocity of the ellipsoid's own point at the contact, world axes, (n, 3), 1/(s sqrt(kg m^2)): zero to rounding, it rolls."""
        return np.cross(self.herpolhode, self.contact)

    @property
    def plane_drift(self) -> float:
        """How far the plane has moved since the start at most: change of its normal (rad) plus relative change of its distance."""
        normal, distance = np.atleast_2d(self.normal), np.atleast_1d(self.distance)
        return float(np.max(np.linalg.norm(normal - normal[0], axis=1) + np.abs(distance / distance[0] - 1.0)))

    @property
    def herpolhode_plane(self) -> np.ndarray:
        """The herpolhode seen along the angular momentum at the start, (n, 2) rad/s; the first coordinate is along the world axis most across it."""
        return np.atleast_2d(self.herpolhode) @ self._across().T

    def _across(self) -> np.ndarray:
        """Two unit vectors (2, 3) across the plane's normal at the start, right-handed with it."""
        normal = np.atleast_2d(self.normal)[0]
        first = np.eye(3)[int(np.argmin(np.abs(normal)))]
        first = first - (first @ normal) * normal
        first /= np.linalg.norm(first)
        return np.stack([first, np.cross(normal, first)])

    def plot(self, *what: str, **options: Any) -> Any:
        """A matplotlib figure: "polhode" on the ellipsoid, "herpolhode" in its plane, "momentum" sphere with curves of constant energy,
        "rolling": the ellipsoid on its plane at the time `at` (s); all of them without a name.
        """
        from poinsot.view.attitude import poinsot_figure

        return poinsot_figure(self, what, **options)

    def _called(self) -> str:
        return f"Poinsot's construction of {self.where}"

    def __repr__(self) -> str:
        n = np.size(self.t)
        moments = ", ".join(f"{m:.6g}" for m in self.moments)
        return f"PoinsotMotion({self.where}: {n} output{'s' if n != 1 else ''}, principal moments {moments} kg m^2)"


def energy_curves(moments: np.ndarray, size: float, energy: float, count: int = 200) -> list[np.ndarray]:
    """The two closed curves (count, 3), principal axes, in which the sphere |L| = size meets the ellipsoid of an energy (J): sum of L_i^2/I_i = 2 T.

    `moments` (3,), kg m^2, are in ascending order; `size` in kg m^2/s. Empty where they do not meet; the separatrix, through the axis of the
    middle moment, is two great circles.
    """
    inverse = 1.0 / np.asarray(moments, float)
    gaps = np.array([inverse[0] - inverse[1], inverse[0] - inverse[2], inverse[1] - inverse[2]])
    if gaps[1] <= ALIKE * inverse[0]:
        return []
    over, under = 2.0 * energy - size**2 * inverse[2], size**2 * inverse[0] - 2.0 * energy
    u = np.linspace(0.0, 2.0 * np.pi, count)
    if over < 0.0 or under < 0.0:
        return []
    around = 2 if 2.0 * energy <= size**2 * inverse[1] else 0  # the axis that the curves go round
    far, near = (gaps[1], gaps[2]) if around == 2 else (gaps[1], gaps[0])
    level = over if around == 2 else under
    first = np.sqrt(level / far) * np.cos(u)
    second = np.sqrt(level / near) * np.sin(u) if near > 0.0 else np.zeros(count)
    last = np.sqrt(np.maximum(size**2 - first**2 - second**2, 0.0))
    curve = np.zeros((count, 3))
    curve[:, 2 - around], curve[:, 1], curve[:, around] = first, second, last
    other = curve.copy()
    other[:, around] *= -1.0
    return [curve, other]


def separatrix(moments: np.ndarray, size: float, count: int = 200) -> list[np.ndarray]:
    """The two great circles (count, 3), principal axes, of the sphere |L| = size on which the energy is that of rotation about the middle axis.

    Empty where two moments are equal: there is none.
    """
    low, middle, high = 1.0 / np.asarray(moments, float)
    if low - middle <= ALIKE * low or middle - high <= ALIKE * low:
        return []
    first, last = np.sqrt(np.array([middle - high, low - middle]) / (low - high))
    u = np.linspace(0.0, 2.0 * np.pi, count)
    return [size * np.stack([first * np.sin(u), np.cos(u), side * last * np.sin(u)], axis=1) for side in (1.0, -1.0)]
