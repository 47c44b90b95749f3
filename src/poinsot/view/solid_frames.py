"""Frames of a video with shaded solids, drawn by matplotlib: the scene of the page without a browser.

Faces that are turned away are left out, the others are drawn from the furthest to the nearest. Faces that pass through each other are
not cut, so that large ones are made of tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.view.camera import Camera, Floor, from_angles, unit
from poinsot.view.colours import GRID, INK, IRON, SCENE, SOLIDS
from poinsot.view.drawing import coil, followed, free_ends, poses
from poinsot.view.facets import Detail, Facets, facets, linear, lit, unpacked
from poinsot.view.frames import HEIGHT, TRAILS
from poinsot.view.marks import bars, marks
from poinsot.view.plots import blank_figure
from poinsot.view.scene import describe
from poinsot.view.solids import towards

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

FINE, MIDDLE, COARSE = (20, 8, 4000), (12, 4, 1500), (6, 1, 300)  # sides, tiles and triangles of solids
PARTS = (40, 300)  # solids: with more, they are coarser; with more than the second number, joints have no marks
TILES = 12  # along the size of a system
WIRE = 0.35  # radius of a spring's wire, relative to the mark of a joint
SHADOW = 0.1  # how much darker than the floor
SEAM = 0.35  # points: width of the line that closes gaps between faces
BAR: dict[str, Any] = {"kind": "cylinder", "radius": 1.0, "length": 1.0}


class SolidStage:
    """A run drawn frame by frame as shaded solids: bodies, marks of joints, springs, trails behind some points, floor, shadows, the time.

    Attributes
    ----------
    scene : its `t` are the times of the frames, s
    size : width and height, pixels
    camera : what is seen at the start; it moves with systems that roam
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
        self.figure = blank_figure((size[0] / dots, HEIGHT))
        self.figure.set_dpi(dots)
        self.size, self.trail, self.scene = size, trail, SimpleNamespace(t=np.asarray(times, float))
        self.places, self.turns = poses(run, self.scene.t)
        self.ways = [self._way(run, what) for what in (free_ends(run)[:TRAILS] if paths is None else paths)]
        shown = self.shown = describe(run, np.inf)
        self._view(run, view)
        self._solids(poses(run, run.t[:1])[1][0])
        self.springs = [(tie["bodies"], np.array(tie["points"])) for tie in shown["ties"] if tie["spring"]]
        self._artists(run.system.name)

    def _way(self, run: Trajectory, what: Any) -> np.ndarray:
        """Positions (m, 3) in the world of a point that leaves a trail, m."""
        _, body, point = followed(run, what)
        return self.turns[:, body] @ point + self.places[:, body]

    def _view(self, run: Trajectory, view: tuple[float, float] | None) -> None:
        shown, up = self.shown, np.array(self.shown["up"])
        flat = shown["flat"] and view is None
        look = unit(np.array(shown["look"])) if view is None else from_angles(up, *view)
        low, high = np.array(shown["low"]), np.array(shown["high"])
        ways = [] if shown["roams"] else self.ways
        self.camera = Camera(np.concatenate([np.array(shown["hull"]), *ways]), look, up, self.size)
        self.floor = Floor(low, high, look if flat else up, self.camera, None if flat else shown["floor"])
        side = unit(np.cross(up, look)) if np.linalg.norm(np.cross(up, look)) > 1e-9 else np.zeros(3)
        self.sun = unit((0.7 if flat else 1.5) * up + (1.4 if flat else 0.7) * look - 0.6 * side)
        self.moves = np.zeros((len(self.scene.t), 3))
        if shown["roams"]:
            self.moves = self.places[:, 1:].mean(axis=1) - poses(run, run.t[:1])[0][0, 1:].mean(axis=0)

    def _solids(self, turns: np.ndarray) -> None:
        """All faces in the frames of their bodies, which come first the ground, then the bodies, then bars between two bodies."""
        shown = self.shown
        size = float(np.linalg.norm(np.array(shown["high"]) - shown["low"])) or 1.0
        count = sum(len(body["parts"]) for body in shown["bodies"])
        self.detail = Detail(*(FINE if count <= PARTS[0] else MIDDLE if count <= PARTS[1] else COARSE), size / TILES)
        meshes = unpacked(shown.get("meshes", []), self.detail.triangles)
        found: list[tuple[int, Facets]] = []
        for b, body in enumerate(shown["bodies"], 1):
            colour = SOLIDS[(b - 1) % len(SOLIDS)]
            found += [(b, facets(part, meshes, colour, self.detail)) for part in body["parts"]]
        if count <= PARTS[1]:
            found += [(b, facets(solid, [], IRON, self.detail)) for b, solid in marks(shown, turns)]
        self.bars = bars(shown)
        slices = self.detail._replace(tile=1.0 / self.detail.tiles)
        found += [(len(turns) + k, facets(BAR, [], IRON, slices)) for k in range(len(self.bars))]
        self.body = np.concatenate([np.full(len(own.corners), b) for b, own in found])
        self.facets = Facets(*(np.concatenate([own[k] for _, own in found]) for k in range(3)))

    def _artists(self, name: str) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.collections import LineCollection, PolyCollection

        figure = self.figure
        figure.set_layout_engine("none")
        figure.set_facecolor(SCENE)
        self.canvas = FigureCanvasAgg(figure)
        self.axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        self.axes.set_axis_off()
        self.axes.set(xlim=(0, self.size[0]), ylim=(0, self.size[1]))
        ground = np.array([int(SCENE[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
        dark = (1.0 - SHADOW) * ground
        self.shadow = PolyCollection([], facecolors=[dark], edgecolors=[dark], linewidths=SEAM)
        self.grid = LineCollection([], linewidths=0.7, colors=GRID)
        self.trails = LineCollection([], linewidths=1.3, colors=[SOLIDS[k % len(SOLIDS)] for k in range(len(self.ways))])
        self.faces: Any = PolyCollection([], linewidths=SEAM)
        self.moving = [self.shadow, self.grid, self.trails, self.faces]
        for artist in self.moving:
            self.axes.add_collection(artist, autolim=False)
            artist.set_animated(True)
        style = {"transform": self.axes.transAxes, "color": INK}
        self.axes.text(0.02, 0.945, name, fontsize=12, **style)
        self.axes.text(0.98, 0.03, f"grid {self.floor.cell:g} m", ha="right", fontsize=9, **style)
        self._triad()
        self.clock = self.axes.text(0.02, 0.9, "", animated=True, family="monospace", **style)
        self.digits = max(1, int(np.ceil(-np.log10(max(np.diff(self.scene.t).min(initial=np.inf), 1e-9)))))
        self.canvas.draw()
        self.still = self.canvas.copy_from_bbox(figure.bbox)

    def _triad(self) -> None:
        """The directions of the world's axes, in a corner."""
        length = 0.05 * self.size[1]
        middle = np.array([1.7, 1.7]) * length
        for axis, name, colour in zip(np.eye(3), "xyz", ("#b04a5a", "#3c8f6b", "#3a6ea5")):
            way = length * np.array([axis @ self.camera.right, axis @ self.camera.over])
            if np.linalg.norm(way) > 0.15 * length:
                self.axes.plot(*np.stack([middle, middle + way]).T, color=colour, linewidth=1.6)
                self.axes.text(*(middle + 1.3 * way), name, color=colour, ha="center", va="center", fontsize=9)

    def frame(self, k: int) -> np.ndarray:
        """Frame k: bytes (height, width, 3)."""
        camera, places, turns = self.camera.moved(self.moves[k]), self.places[k], self.turns[k]
        frames, origins = self._frames(turns, places)
        corners = np.einsum("nij,ncj->nci", frames[self.body], self.facets.corners) + origins[self.body, None]
        normals = np.einsum("nij,nj->ni", frames[self.body], self.facets.normals)
        if self.bars:
            normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        middles = corners.mean(axis=1)
        facing = np.sum(normals * (camera.eye - middles), axis=1) > 0.0
        colours = lit(self.facets.colours[facing], normals[facing], self.camera.up, self.camera.look, self.sun)
        screen, depth = camera.project(corners[facing])
        wires, wire_depth = self._wires(camera, places, turns)
        iron = lit(linear(IRON)[None], self.sun[None], self.camera.up, self.camera.look, self.sun)
        screen, colours = np.concatenate([screen, wires]), np.concatenate([colours, np.repeat(iron, len(wires), axis=0)])
        depth = np.concatenate([depth.mean(axis=1), wire_depth])
        order = np.argsort(-depth, kind="stable")
        order = order[depth[order] > camera.near]
        self.faces.set_verts(screen[order])
        self.faces.set_facecolor(colours[order])
        self.faces.set_edgecolor(colours[order])
        self._below(camera, corners[np.sum(normals * self.sun, axis=1) > 0.0], self.moves[k])
        first = int(np.searchsorted(self.scene.t, self.scene.t[k] - self.trail))
        self.trails.set_segments([camera.project(way[first : k + 1])[0] for way in self.ways])
        self.clock.set_text(f"t = {self.scene.t[k]:.{self.digits}f} s")
        self.canvas.restore_region(self.still)
        for artist in (*self.moving, self.clock):
            self.axes.draw_artist(artist)
        return np.ascontiguousarray(np.asarray(self.canvas.buffer_rgba())[..., :3])

    def _frames(self, turns: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Matrices (n, 3, 3) and origins (n, 3), m, that take faces to the world: of bodies, then of bars, which are also stretched."""
        frames, origins = [*turns], [*places]
        for bodies, points, radius in self.bars:
            a, b = (turns[body] @ p + places[body] for body, p in zip(bodies, points))
            length = float(np.linalg.norm(b - a))
            along = towards((b - a) / length) if length > 0 else np.eye(3)
            frames.append(along * (radius, radius, length))
            origins.append(0.5 * (a + b))
        return np.array(frames), np.array(origins)

    def _wires(self, camera: Camera, places: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pieces of springs as quadrangles (n, 4, 2) of the picture, pixels, and how far they are (n,), m."""
        mark, found, depths = self.shown["mark"], [np.zeros((0, 4, 2))], [np.zeros(0)]
        for bodies, points in self.springs:
            ends = np.stack([turns[b] @ p + places[b] for b, p in zip(bodies, points)])
            line, depth = camera.project(coil(ends, 2.0 * mark))
            way = np.diff(line, axis=0)
            across = np.stack([-way[:, 1], way[:, 0]], axis=1) / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-9)
            across = across * np.maximum(WIRE * mark * camera.focus / depth[1:], 0.6)[:, None]
            found.append(np.stack([line[:-1] - across, line[1:] - across, line[1:] + across, line[:-1] + across], axis=1))
            depths.append(0.5 * (depth[1:] + depth[:-1]))
        return np.concatenate(found), np.concatenate(depths)

    def _below(self, camera: Camera, corners: np.ndarray, move: np.ndarray) -> None:
        """The floor and the shadows of faces (n, 4, 3) on it; it moves with the camera by whole cells."""
        shadows, depth = camera.project(self.floor.shadows(corners, self.sun))
        self.shadow.set_verts(shadows[depth.min(axis=1, initial=np.inf) > camera.near])
        lines, fading = self.floor.lines(move)
        seen, depth = camera.project(lines)
        kept = depth.min(axis=1) > camera.near
        self.grid.set_segments(seen[kept])
        self.grid.set_alpha(fading[kept])
