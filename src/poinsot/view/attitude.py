"""Figures of attitude: Euler angles with singular times shaded, polhode and herpolhode, the ellipsoid on its plane, the momentum sphere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.guard import NUMBER, TRUTH, maybe, settings_door
from poinsot.model.words import nearest, short_repr
from poinsot.results.poinsot_motion import energy_curves, separatrix
from poinsot.view.plots import DOTS, beside, blank_figure, thinned

if TYPE_CHECKING:
    from poinsot.results.euler import EulerAngles
    from poinsot.results.poinsot_motion import PoinsotMotion

RISE, SIDES = 22.0, (-52, -97, -142, 173, 128, 83, 38, -7)  # elevation of pictures in space, and azimuths to choose from, degrees
LEVELS = np.array([0.04, 0.2, 0.45, 0.75])  # energies of the other curves, between those of two principal axes
PATH, OTHER, BORDER, SOLID = "C0", "0.55", "C3", "0.9"


@settings_door(degrees=TRUTH)
def euler_figure(angles: EulerAngles, *, degrees: bool = False) -> Any:
    """Euler angles and their rates over time, in rad or degrees; times when the sequence is singular, or nearly so, are shaded."""
    figure = blank_figure((8.0, 5.2))
    scale, unit = (180.0 / np.pi, "deg") if degrees else (1.0, "rad")
    grid = figure.subplots(2, 1, sharex=True)
    stretches = angles.singular
    for axes, values, words in zip(grid, (angles.angles, angles.rates), ("Euler angles", "rates")):
        for name, column in zip(angles.names, np.atleast_2d(values).T):
            axes.plot(*thinned(angles.t, scale * column), linewidth=1.2, label=name)
        for k, (start, end) in enumerate(stretches):
            axes.axvspan(start, end, color="C3", alpha=0.25, linewidth=1.0, label="singular" if k == 0 else None)
        axes.set_ylabel(f"{words} [{unit}{'/s' if words == 'rates' else ''}]")
        axes.grid(color="0.92", linewidth=0.6)
        axes.set_axisbelow(True)
    away = np.atleast_1d(angles.regular) > np.sin(angles.near)
    if stretches and away.any():  # rates of nearly singular times are beyond any scale
        shown = scale * np.atleast_2d(angles.rates)[away]
        low, high = np.percentile(shown, [1.0, 99.0])
        room = 0.15 * (high - low) or 1.0
        grid[1].set_ylim(low - room, high + room)
    beside(grid[0])
    grid[0].set_title(f"{angles.where}: {angles.sequence.describe()}", fontsize="medium")
    grid[1].set_xlabel("t [s]")
    return figure


@settings_door(at=maybe(NUMBER))
def poinsot_figure(motion: PoinsotMotion, what: Sequence[str] = (), *, at: float | None = None) -> Any:
    """Pictures of Poinsot's construction by name: "polhode", "herpolhode", "momentum", "rolling" (at the time `at`, s; default: the end)."""
    for name in what:
        if name not in DRAWN:
            near = nearest(name, DRAWN)
            remedy = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(DRAWN)}"
            raise SettingsError(f"plot: there is no picture {short_repr(name)}; {remedy}")
    first, last = float(np.min(motion.t)), float(np.max(motion.t))
    if at is not None and not first <= at <= last:
        raise SettingsError(f"plot: at must be a time of the run, {first:g} to {last:g} s, not {short_repr(at)}")
    names = list(what) or list(DRAWN)
    assert np.all(motion.distance > 0.0)  # otherwise it is an error: the body must turn
    k = int(np.argmin(np.abs(np.atleast_1d(motion.t) - (last if at is None else at))))
    columns = min(len(names), 2)
    rows = -(-len(names) // columns)
    figure = blank_figure((4.6 * columns, 4.4 * rows))
    for j, name in enumerate(names, 1):
        space = {} if name == "herpolhode" else {"projection": "3d", "computed_zorder": False, "proj_type": "ortho"}
        axes = figure.add_subplot(rows, columns, j, **space)
        DRAWN[name](axes, motion, k)
    figure.suptitle(motion.where, fontsize="medium")
    return figure


def draw_polhode(axes: Any, motion: PoinsotMotion, k: int) -> None:
    """The polhode on the ellipsoid of the energy at the start, angular velocities in body axes; other polhodes, and the separatrix between them."""
    size = float(np.sqrt(2.0 * np.atleast_1d(motion.energy)[0]))
    path = size * _few(motion.contact_body)
    side = _side(path @ motion.inertia)
    for curves, colour, width in _families(motion):
        for curve in curves:
            omega = curve / motion.moments
            omega *= size / np.sqrt(np.sum(curve * omega, axis=1, keepdims=True))
            _on_surface(axes, omega @ motion.axes.T, motion.inertia, side, colour, width)
    _solid(axes, size * motion.semi_axes * motion.axes, side)
    _on_surface(axes, path, motion.inertia, side, PATH, 2.0)
    _space(axes, size * motion.semi_axes.max(), side, "polhode [rad/s]", ("ω x", "ω y", "ω z"))


def draw_herpolhode(axes: Any, motion: PoinsotMotion, k: int) -> None:
    """The herpolhode seen along the angular momentum, between the circles of its smallest and largest distance from it."""
    path = motion.herpolhode_plane
    radii = np.linalg.norm(path, axis=1)
    u = np.linspace(0.0, 2.0 * np.pi, 181)
    for radius in (radii.min(), radii.max()):
        axes.plot(radius * np.cos(u), radius * np.sin(u), color=OTHER, linewidth=0.8, linestyle=":")
    axes.plot(*_few(path).T, color=PATH, linewidth=1.2)
    axes.plot(*path[0], "o", color="black", markersize=4)
    axes.plot(0.0, 0.0, "+", color="black")
    axes.set_aspect("equal")
    axes.grid(color="0.92", linewidth=0.6)
    axes.set(title="herpolhode [rad/s]", xlabel="across the angular momentum", ylabel="")


def draw_momentum(axes: Any, motion: PoinsotMotion, k: int) -> None:
    """Angular momentum in body axes on its sphere, with curves of constant energy and the separatrix."""
    sizes = np.linalg.norm(np.atleast_2d(motion.momentum_body), axis=1, keepdims=True)
    path = _few(sizes[0] * np.atleast_2d(motion.momentum_body) / sizes)
    side = _side(path)
    for curves, colour, width in _families(motion):
        for curve in curves:
            _on_surface(axes, sizes[0] * curve @ motion.axes.T, np.eye(3), side, colour, width)
    _solid(axes, float(sizes[0, 0]) * np.eye(3), side)
    _on_surface(axes, path, np.eye(3), side, PATH, 2.0)
    _space(axes, float(sizes[0, 0]), side, "momentum sphere [kg m²/s]", ("L x", "L y", "L z"))


def draw_rolling(axes: Any, motion: PoinsotMotion, k: int) -> None:
    """The inertia ellipsoid on its plane at output k, the plane below, with the polhode on the one and the herpolhode on the other."""
    normal, distance = np.atleast_2d(motion.normal)[k], float(np.atleast_1d(motion.distance)[k])
    first = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = first - (first @ normal) * normal
    first /= np.linalg.norm(first)
    frame = np.stack([first, -np.cross(normal, first), -normal])  # the plane is below
    turned = frame @ motion.rotation.reshape(-1, 3, 3)[k]
    inertia = turned @ motion.inertia @ turned.T
    path, trace = _few(motion.contact_body) @ turned.T, _few(np.atleast_2d(motion.contact)[: k + 1]) @ frame.T
    reach, side = float(motion.semi_axes.max()), _side(path @ inertia)
    wide = max(1.15 * float(np.linalg.norm(np.atleast_2d(motion.contact) @ frame[:2].T, axis=1).max()), 0.8 * reach)
    u = np.linspace(0.0, 2.0 * np.pi, 61)
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    rim = np.stack([wide * np.cos(u), wide * np.sin(u), np.full(61, -distance)], axis=1)
    axes.add_collection3d(Poly3DCollection([rim], facecolor="C1", alpha=0.15, edgecolor="C1", linewidth=0.8))
    for order, alpha in ((1, 1.0), (3, 0.35)):  # seen through the ellipsoid
        axes.plot(*trace.T, color="C1", linewidth=1.6, alpha=alpha, zorder=order)
    _solid(axes, turned @ (motion.semi_axes * motion.axes), side)
    _on_surface(axes, path, inertia, side, PATH, 1.6)
    touch = np.atleast_2d(motion.contact)[k] @ frame.T
    axes.plot(*np.stack([np.zeros(3), touch]).T, color="black", linewidth=1.0, linestyle="--", zorder=5)
    axes.plot(*touch[:, None], "o", color="black", markersize=4, zorder=5)
    _space(axes, max(reach, wide), side, f"rolling, t = {np.atleast_1d(motion.t)[k]:.6g} s", None)


DRAWN = {"polhode": draw_polhode, "herpolhode": draw_herpolhode, "momentum": draw_momentum, "rolling": draw_rolling}


def _few(points: np.ndarray) -> np.ndarray:
    """At most as many points of a path as can be seen, the last among them."""
    points = np.atleast_2d(points)
    return points[np.unique(np.linspace(0, len(points) - 1, min(len(points), DOTS)).astype(int))]


def _families(motion: PoinsotMotion) -> list[tuple[list[np.ndarray], str, float]]:
    """Curves on the unit momentum sphere, principal axes: of several energies on both sides of the separatrix, and this; colours and widths."""
    low, middle, high = 0.5 / motion.moments[::-1]
    levels = [*(low + LEVELS * (middle - low)), *(high + LEVELS * (middle - high))]
    others = [curve for level in levels for curve in energy_curves(motion.moments, 1.0, level)]
    return [(others, OTHER, 0.7), (separatrix(motion.moments, 1.0), BORDER, 1.0)]


def _toward(side: float) -> np.ndarray:
    """Unit vector towards the viewer at an azimuth, degrees."""
    up, round_ = np.radians([RISE, side])
    return np.array([np.cos(up) * np.cos(round_), np.cos(up) * np.sin(round_), np.sin(up)])


def _side(normals: np.ndarray) -> float:
    """The azimuth (degrees) from which most of a curve with these normals (n, 3) of its surface is seen; of several the first."""
    return max(SIDES, key=lambda side: np.count_nonzero(normals @ _toward(side) > 0.0))


def _on_surface(axes: Any, points: np.ndarray, inertia: np.ndarray, side: float, colour: str, width: float) -> None:
    """A curve (n, 3) on the surface x . J x = constant: faint where the solid hides it."""
    front = (points @ inertia) @ _toward(side) > 0.0
    for seen, alpha, order in ((~front, 0.2, 3), (front, 1.0, 4)):
        kept = seen | np.roll(seen, 1)
        kept[0] = seen[0]
        axes.plot(*np.where(kept[:, None], points, np.nan).T, color=colour, linewidth=width, alpha=alpha, zorder=order)


def _solid(axes: Any, half: np.ndarray, side: float) -> None:
    """An ellipsoid with the semi-axes in the columns of (3, 3)."""
    u, v = np.meshgrid(np.linspace(2 * np.pi, 0, 73), np.linspace(0, np.pi, 37))
    surface = np.einsum("ij,juv->iuv", half, np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)]))
    from matplotlib.colors import LightSource

    light = LightSource(azdeg=90.0 - side + 20.0, altdeg=45.0)  # from beside the viewer
    axes.plot_surface(*surface, color=SOLID, linewidth=0, antialiased=False, lightsource=light, rstride=1, cstride=1, zorder=2)


def _space(axes: Any, reach: float, side: float, title: str, labels: tuple[str, str, str] | None) -> None:
    """Equal scales, the view, title and labels."""
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), zlim=(-reach, reach), title=title)
    axes.set_box_aspect((1, 1, 1), zoom=0.95 if labels else 1.35)
    axes.view_init(RISE, side)
    if labels is None:
        axes.set_axis_off()
        return
    axes.set(xlabel=labels[0], ylabel=labels[1], zlabel=labels[2])
    axes.locator_params(nbins=3)
    power = 3 * int(np.floor(np.log10(reach) / 3)) if reach > 0 else 0
    if power:  # numbers with many digits would cover the names of the axes
        name, _, unit = title.partition(" [")
        axes.set_title(f"{name} [$10^{{{power}}}$ {unit}")
        for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
            axis.set_major_formatter(lambda x, _: f"{x / 10.0**power:.3g}".replace("-", "\u2212"))
