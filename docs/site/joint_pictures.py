"""Draws the pictures of the joints to docs/images/joints: `python docs/site/joint_pictures.py`.

The first body is light, the second dark; arrows show the positive directions of the coordinates, which are motions of the second body.
"""

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

matplotlib.rcParams["svg.hashsalt"] = "joints"  # the same file whenever it is drawn
FOLDER = Path(__file__).parents[1] / "images" / "joints"
LIGHT, DARK, ARROW = np.array([0.80, 0.84, 0.90]), np.array([0.30, 0.46, 0.68]), "#c2410c"
AZIMUTH, ELEVATION = np.radians((-62.0, 26.0))
VIEW = np.array(  # world to paper
    [
        [-np.sin(AZIMUTH), np.cos(AZIMUTH), 0.0],
        [-np.sin(ELEVATION) * np.cos(AZIMUTH), -np.sin(ELEVATION) * np.sin(AZIMUTH), np.cos(ELEVATION)],
    ]
)
TOWARDS = np.cross(VIEW[0], VIEW[1]) / np.linalg.norm(np.cross(VIEW[0], VIEW[1]))
LIGHT_FROM = np.array([0.35, -0.55, 0.75])
X, Y, Z = np.eye(3)


class Picture:
    """Faces of solids, drawn from the back to the front, and arrows on top of them."""

    def __init__(self) -> None:
        self.faces: list[tuple[float, np.ndarray, Any]] = []
        self.lines: list[tuple[np.ndarray, str, tuple[float, float]]] = []  # points of an arrow, its name, and where that begins (points of type)

    def face(self, corners: np.ndarray, colour: np.ndarray) -> None:
        """A flat face, seen if it is turned towards the eye."""
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        normal = normal / np.linalg.norm(normal)
        if normal @ TOWARDS > 0:
            shade = 0.72 + 0.28 * max(0.0, float(normal @ LIGHT_FROM))
            self.faces.append((float(corners.mean(axis=0) @ TOWARDS), corners @ VIEW.T, np.clip(colour * shade, 0, 1)))

    def prism(self, outline: np.ndarray, along: np.ndarray, colour: np.ndarray) -> None:
        """A solid: an outline (right-handed about `along`) moved along a vector."""
        far = outline + along
        self.face(far, colour)
        self.face(outline[::-1], colour)
        for k in range(len(outline)):
            j = (k + 1) % len(outline)
            self.face(np.array([outline[k], outline[j], far[j], far[k]]), colour)

    def box(self, low: tuple[float, float, float], high: tuple[float, float, float], colour: np.ndarray) -> None:
        """A cuboid between two corners."""
        (x, y, z), (u, v, w) = low, high
        self.prism(np.array([[x, y, z], [u, y, z], [u, v, z], [x, v, z]], float), np.array([0.0, 0.0, w - z]), colour)

    def cylinder(self, start: Any, end: Any, radius: float, colour: np.ndarray) -> None:
        """A round solid between two points."""
        start, along = np.array(start, float), np.subtract(end, start).astype(float)
        n = along / np.linalg.norm(along)
        e = np.cross(n, X if abs(n[0]) < 0.9 else Y)
        e /= np.linalg.norm(e)
        a = np.linspace(0, 2 * np.pi, 33)[:-1, None]
        self.prism(start + radius * (np.cos(a) * e + np.sin(a) * np.cross(n, e)), along, colour)

    def ball(self, centre: Any, radius: float, colour: np.ndarray) -> None:
        """A sphere."""
        u, v = np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13)
        at = lambda a, b: np.array(centre) + radius * np.array([np.cos(a) * np.sin(b), np.sin(a) * np.sin(b), np.cos(b)])  # noqa: E731
        for i in range(24):
            for j in range(12):
                self.face(np.array([at(u[i], v[j] + 1e-3), at(u[i], v[j + 1]), at(u[i + 1], v[j + 1]), at(u[i + 1], v[j] + 1e-3)]), colour)

    def arrow(self, start: Any, end: Any, text: str, beside: tuple[float, float]) -> None:
        """A straight arrow: a displacement."""
        self.lines.append((np.linspace(start, end, 2), text, beside))

    def turn(
        self, centre: Any, axis: np.ndarray, radius: float, text: str, begin: float = 0.3, end: float = 4.6, beside: tuple[float, float] = (4, 3)
    ) -> None:
        """A round arrow about an axis, right-handed: an angle."""
        e = np.cross(axis, X if abs(axis[0]) < 0.9 else Y)
        e /= np.linalg.norm(e)
        a = np.linspace(begin, end, 60)[:, None]
        self.lines.append((np.array(centre) + radius * (np.cos(a) * e + np.sin(a) * np.cross(axis, e)), text, beside))

    def save(self, name: str) -> None:
        """Write it as SVG."""
        figure = Figure(figsize=(2.6, 1.97))
        axes = figure.add_axes((0, 0, 1, 1))
        for _, corners, colour in sorted(self.faces, key=lambda face: face[0]):
            axes.fill(*corners.T, facecolor=colour, linewidth=0.4, edgecolor=colour)
        for points, text, beside in self.lines:
            flat = points @ VIEW.T
            axes.plot(*flat.T, color=ARROW, linewidth=1.6, solid_capstyle="round")
            head = {"arrowstyle": "-|>", "color": ARROW, "mutation_scale": 10, "lw": 1.6}
            axes.annotate("", flat[-1], flat[-2] if len(flat) > 2 else flat[0], arrowprops=head)
            axes.annotate(text, flat[-1], textcoords="offset points", color=ARROW, fontsize=10, xytext=beside, ha="left")
        axes.set_aspect("equal")
        axes.set(xlim=(-1.6, 2.1), ylim=(-1.35, 1.45))
        axes.axis("off")
        figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None}, transparent=True)


def fixed(p: Picture) -> None:
    """Two blocks that touch."""
    p.box((-1, -0.4, -0.4), (0, 0.4, 0.4), LIGHT)
    p.box((0, -0.3, -0.3), (1, 0.3, 0.3), DARK)


def revolute(p: Picture) -> None:
    """A pin in a fork."""
    p.box((-1.1, -0.3, -0.15), (0.0, 0.3, 0.15), LIGHT)
    p.cylinder((0, 0, -0.2), (0, 0, 0.75), 0.13, LIGHT)
    p.box((0.0, -0.2, 0.2), (1.2, 0.2, 0.45), DARK)
    p.cylinder((0, 0, 0.2), (0, 0, 0.45), 0.3, DARK)
    p.turn((0, 0, 0.62), Z, 0.55, "angle")


def prismatic(p: Picture) -> None:
    """A carriage on a square rail."""
    p.box((-1.2, -0.15, -0.15), (1.3, 0.15, 0.15), LIGHT)
    p.box((-0.45, -0.4, -0.4), (0.35, 0.4, 0.4), DARK)
    p.arrow((0.35, 0, 0.62), (1.35, 0, 0.62), "displacement", (-38, 15))


def cylindrical(p: Picture) -> None:
    """A sleeve on a round bar."""
    p.cylinder((0, 0, -1.0), (0, 0, 1.2), 0.15, LIGHT)
    p.cylinder((0, 0, -0.4), (0, 0, 0.3), 0.4, DARK)
    p.arrow((-0.75, 0, -0.1), (-0.75, 0, 1.1), "displacement", (-31, 6))
    p.turn((0, 0, 0.55), Z, 0.42, "angle")


def screw(p: Picture) -> None:
    """A nut on a thread."""
    p.cylinder((0, 0, -1.0), (0, 0, 1.2), 0.16, LIGHT)
    for k in range(11):
        p.cylinder((0, 0, -0.95 + 0.2 * k), (0, 0, -0.9 + 0.2 * k), 0.21, LIGHT * 0.88)
    a = np.linspace(0, 2 * np.pi, 7)[:-1]
    p.prism(np.stack([0.45 * np.cos(a), 0.45 * np.sin(a), np.full(6, -0.3)], axis=1), np.array([0, 0, 0.55]), DARK)
    p.turn((0, 0, 0.5), Z, 0.42, "angle")


def universal(p: Picture) -> None:
    """Two forks on a cross."""
    p.box((-0.65, -0.65, -1.0), (0.65, 0.65, -0.85), LIGHT)
    for side in (-1, 1):
        p.box((0.55 * side - 0.08, -0.15, -0.85), (0.55 * side + 0.08, 0.15, 0.15), LIGHT)
        p.box((-0.15, 0.55 * side - 0.08, -0.15), (0.15, 0.55 * side + 0.08, 0.85), DARK)
    p.cylinder((-0.6, 0, 0), (0.6, 0, 0), 0.08, LIGHT * 0.9)
    p.cylinder((0, -0.6, 0), (0, 0.6, 0), 0.08, DARK)
    p.box((-0.65, -0.65, 0.85), (0.65, 0.65, 1.0), DARK)
    p.turn((0.85, 0, 0), X, 0.3, "angle1")
    p.turn((0, -0.85, 0), Y, 0.3, "angle2", 1.2, 5.5, (-4, -12))


def spherical(p: Picture) -> None:
    """A ball on a socket."""
    p.cylinder((0, 0, -0.75), (0, 0, -0.2), 0.5, LIGHT)
    p.ball((0, 0, 0), 0.4, DARK)
    p.cylinder((0, 0, 0.3), (0.35, 0, 1.2), 0.1, DARK)
    p.turn((0.22, 0, 0.8), Z, 0.45, "rotation")


def planar(p: Picture) -> None:
    """A block on a table."""
    p.box((-1.2, -1.0, -0.2), (1.2, 1.0, 0.0), LIGHT)
    p.box((-0.35, -0.3, 0.0), (0.35, 0.3, 0.35), DARK)
    p.arrow((0.4, 0, 0.05), (1.15, 0, 0.05), "x", (2, 3))
    p.arrow((0, 0.35, 0.05), (0, 1.0, 0.05), "y", (3, 2))
    p.turn((0, 0, 0.8), Z, 0.32, "angle")


def free(p: Picture) -> None:
    """A body in the air."""
    p.box((-1.2, -0.8, -0.8), (1.2, 0.8, -0.7), LIGHT)
    p.box((-0.35, -0.3, 0.05), (0.35, 0.3, 0.5), DARK)
    p.arrow((-1.1, -0.7, -0.7), (-0.75, -0.3, 0.35), "position", (-18, 5))
    p.turn((0, 0, 0.7), Z, 0.35, "rotation")


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for draw in (fixed, revolute, prismatic, cylindrical, screw, universal, spherical, planar, free):
        picture = Picture()
        draw(picture)
        picture.save(draw.__name__)


if __name__ == "__main__":
    main()
