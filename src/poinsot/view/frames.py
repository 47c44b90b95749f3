"""Frames of a video: only the moving parts of the picture are redrawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.view.drawing import COIL, Scene, coil, free_ends, same_scale
from poinsot.view.plots import blank_figure

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

HEIGHT = 5.4  # inches of a frame, whatever its pixels: text and lines scale with it
TRAILS = 6  # largest number of trails drawn by default
COLOURS = 10  # colours of bodies, used cyclically
ROOM = 0.05  # margin around the motion, relative to its size
VIEW = (18.0, -60.0)  # elevation and azimuth of motions in space, degrees


class Stage:
    """A run drawn frame by frame: bodies in their colours, springs, trails behind some points, the time.

    Attributes
    ----------
    scene : the run at the times of the frames
    size : width and height, pixels
    """

    def __init__(
        self,
        run: Trajectory,
        times: np.ndarray,
        size: tuple[int, int],
        paths: Sequence[Any] | None,
        trail: float,
        view: tuple[float, float] | None,
    ):
        dots = size[1] / HEIGHT
        figure = blank_figure((size[0] / dots, HEIGHT))
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        self.size, self.trail = size, trail
        self.scene = scene = Scene(run, times)
        chosen = free_ends(run)[:TRAILS] if paths is None else paths
        self.ways = [scene.path(what)[1] for what in chosen]
        figure.set_dpi(dots)
        self.canvas = FigureCanvasAgg(figure)
        self.axes = scene.axes(figure)
        self.axes.set_title(run.system.name)
        low, high = scene.extent(scene.seen, *self.ways)
        self.radius = COIL * float((high - low).max())
        self._limits(low, high, view)
        self._artists(run)
        self.canvas.draw()  # everything that does not move, once
        self.still = self.canvas.copy_from_bbox(figure.bbox)

    def _limits(self, low: np.ndarray, high: np.ndarray, view: tuple[float, float] | None) -> None:
        if not self.scene.flat:
            same_scale(self.axes, low, high, 0.98)
            self.axes.view_init(*(view or VIEW))
            return
        room = ROOM * float((high - low).max() or 1.0)
        self.axes.update_datalim([low - room, high + room])
        self.axes.set_aspect("equal", adjustable="datalim")
        self.axes.grid(color="0.92", linewidth=0.6)
        self.axes.set_axisbelow(True)

    def _artists(self, run: Trajectory) -> None:
        """Lines of everything that moves, in the order in which they are drawn."""
        nothing: list[list[float]] = [[]] * len(self.scene.seen)
        many = len(self.scene.lines) > 24

        def line(colour: str, width: float, **style: Any) -> Any:
            return self.axes.plot(*nothing, color=colour, linewidth=width, animated=True, **style)[0]

        self.trails = [line("0.6", 1.2) for _ in self.ways]
        self.ties = [line("0.35", 1.2 if tie.spring else 1.6) for tie in self.scene.ties]
        self.groups = coloured(self.scene.lines)
        self.bodies = [
            line(f"C{colour}", 2.0 if many else 3.5, solid_capstyle="round", marker="o" if spots else None)
            for colour, spots, _ in self.groups
        ]
        pins = self.scene.pins[:, self.scene.seen].T
        self.pins = self.axes.plot(*pins, color="black", linestyle="", marker="^", markersize=7, animated=True)[0]
        write = self.axes.text if self.scene.flat else self.axes.text2D
        self.clock = write(0.02, 0.95, "", transform=self.axes.transAxes, animated=True, family="monospace")
        self.digits = max(1, int(np.ceil(-np.log10(max(np.diff(self.scene.t).min(), 1e-9)))))

    def frame(self, k: int) -> np.ndarray:
        """Frame k: bytes (height, width, 3)."""
        scene, seen = self.scene, self.scene.seen
        first = int(np.searchsorted(scene.t, scene.t[k] - self.trail))
        for artist, way in zip(self.trails, self.ways):
            _put(artist, way[first : k + 1][:, seen])
        for artist, tie, span in zip(self.ties, scene.ties, scene.spans):
            ends = span[k][:, seen]
            _put(artist, coil(ends, self.radius) if tie.spring else ends)
        for artist, (_, _, drawn) in zip(self.bodies, self.groups):
            _put(artist, drawn[k][:, seen])
        self.clock.set_text(f"t = {scene.t[k]:.{self.digits}f} s")
        self.canvas.restore_region(self.still)
        for artist in (*self.trails, *self.ties, *self.bodies, self.pins, self.clock):
            self.axes.draw_artist(artist)
        return np.ascontiguousarray(np.asarray(self.canvas.buffer_rgba())[..., :3])


def coloured(lines: list[np.ndarray]) -> list[tuple[int, bool, np.ndarray]]:
    """Bodies (m, points, 3) of one colour merged into one line, which is faster to draw: index of the colour, whether they are dots, points."""
    found = []
    for colour in range(min(COLOURS, len(lines))):
        own = lines[colour::COLOURS]
        for spots in (False, True):
            some = [line for line in own if (line.shape[1] == 1) == spots]
            if some:
                gap = np.full((len(some[0]), 1, 3), np.nan)
                found.append(
                    (colour, spots, np.concatenate([part for line in some for part in (gap, line)][1:], axis=1))
                )
    return found


def _put(artist: Any, points: np.ndarray) -> None:
    """Set the points (n, 2) or (n, 3) of a line."""
    if points.shape[1] == 2:
        artist.set_data(*points.T)
    else:
        artist.set_data_3d(*points.T)
