"""Common parts of strobe pictures and videos: a run as lines, seen in a plane or in space."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError, SettingsError
from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.body import Body, Point
from poinsot.model.guard import as_numbers, whole
from poinsot.model.rotation import matrices
from poinsot.model.vectors import PLANES
from poinsot.model.words import short_repr
from poinsot.view.meshes import warn_of_missing
from poinsot.view.skeleton import pinned, sticks, ties

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

FAR = 2.0  # rad between two outputs: a body that turns further is interpolated with its angular velocity
FLAT = 1e-6  # relative to the size of a picture: a thinner motion is planar
MOST_INSTANTS = 1000  # largest number of instants in a strobe picture
WINDINGS = 7  # of a drawn spring
LEAD = 0.12  # of a drawn spring: fraction that is straight at either end
COIL = 0.018  # radius of a drawn spring, relative to the size of the picture


class Scene:
    """A run at some times (m,), s, as lines in the world. Poses are interpolated: positions linearly, attitudes by the shorter rotation, and
    where a body turns fast with its angular velocity.

    Attributes
    ----------
    places : positions (m, n, 3) m, and turns (m, n, 3, 3) rotations, of all bodies, the ground first
    lines : of every body (m, points, 3) m, with rows of NaN where the pen is lifted
    spans : of every spring and distance both ends, (m, 2, 3) m; `ties` are their elements
    pins : (k, 3) m, where hinges connect bodies to the ground
    """

    def __init__(self, run: Trajectory, times: np.ndarray):
        self.run = run
        self.t = np.asarray(times, float)
        warn_of_missing(run.system.bodies)
        self.sticks, self.ties, self.pins = sticks(run.frozen), ties(run.frozen), pinned(run.frozen)
        self.places, self.turns = poses(run, self.t)
        self.lines = [self._world(b, stick.points) for b, stick in enumerate(self.sticks, 1)]
        self.spans = [np.stack([self._at(b, p) for b, p in zip(t.bodies, t.points)], axis=1) for t in self.ties]

    def _world(self, body: int, points: np.ndarray) -> np.ndarray:
        """World positions (m, k, 3) of points (k, 3) of a body, m."""
        return points @ self.turns[:, body].transpose(0, 2, 1) + self.places[:, body, None]

    def _at(self, body: int, point: np.ndarray) -> np.ndarray:
        return self._world(body, point[None])[:, 0]

    def path(self, what: Any) -> tuple[str, np.ndarray]:
        """The name of a body, and the positions (m, 3) of its followed point; see `followed`."""
        name, body, point = followed(self.run, what)
        return name, self._at(body, point)

    @cached_property
    def seen(self) -> list[int]:
        """World axes of the picture: two in a plane, three in space.

        In a plane: that of a planar system, or the one of two world axes that a motion in space stays parallel to.
        """
        if self.run.system.plane is not None:
            return list(PLANES[self.run.system.plane][:2])
        rigid = [line.reshape(-1, 3) for stick, line in zip(self.sticks, self.lines) if not stick.outline]
        if not rigid:
            return [0, 1, 2]
        size = np.ptp(np.concatenate(rigid), axis=0)
        turned = self.turns @ self.turns[0].transpose(0, 2, 1)
        for k in (1, 0, 2):
            others = [i for i in range(3) if i != k]
            upright = turned[..., k, k].min() > 1.0 - FLAT
            if upright and size[k] <= FLAT * size.max() and size[others].min() > FLAT * size.max():
                return others
        return [0, 1, 2]

    @property
    def flat(self) -> bool:
        """Whether it is seen in a plane."""
        return len(self.seen) == 2

    def extent(self, seen: list[int], *further: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest coordinates (m), along world axes, of all that is drawn and of further points (k, 3)."""
        drawn = [line.reshape(-1, 3) for line in (*self.lines, *self.spans)]
        points = np.concatenate([*drawn, self.pins, *further])[:, seen]
        return np.nanmin(points, axis=0), np.nanmax(points, axis=0)

    def axes(self, figure: Any) -> Any:
        """Axes in a figure, named with units."""
        axes = figure.add_subplot() if self.flat else figure.add_subplot(projection="3d")
        for name, k in zip("xyz", self.seen):
            getattr(axes, f"set_{name}label")(f"{'xyz'[k]} [m]")
        return axes


def poses(run: Trajectory, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (m, n, 3) and rotations (m, n, 3, 3) of all n bodies, the ground first, at times (m,) within the run."""
    n = len(run.frozen.layout.bodies)
    before = np.clip(np.searchsorted(run.t, times, side="right") - 1, 0, max(len(run.t) - 2, 0))
    after = np.minimum(before + 1, len(run.t) - 1)
    gap = run.t[after] - run.t[before]
    s = np.clip((times - run.t[before]) / np.where(gap > 0, gap, 1.0), 0.0, 1.0)[:, None, None]
    a, b = (run.motion[k, : n * BODY_MOTION].reshape(len(times), n, BODY_MOTION)[..., :7] for k in (before, after))
    b[..., 3:] *= np.where(np.sum(a[..., 3:] * b[..., 3:], axis=-1, keepdims=True) < 0, -1.0, 1.0)
    mixed = (1.0 - s) * a + s * b
    attitude = mixed[..., 3:] / np.linalg.norm(mixed[..., 3:], axis=-1, keepdims=True)
    turns = matrices(attitude)
    spins = 0.5 * sum(run.motion[k, : n * BODY_MOTION].reshape(len(times), n, BODY_MOTION)[..., 10:13] for k in (before, after)) * gap[:, None, None]
    fast = np.linalg.norm(spins, axis=-1) > FAR
    if fast.any():
        turns[fast] = _whirled(matrices(a[fast, 3:]), matrices(b[fast, 3:]), spins[fast], np.broadcast_to(s, (*fast.shape, 1))[fast])
    return mixed[..., :3], turns


def _whirled(start: np.ndarray, end: np.ndarray, turned: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Rotations (k, 3, 3) at fractions s (k, 1) of intervals in which bodies turn by the rotation vectors `turned` (k, 3), rad, and a little more,
    which is spread evenly. The shorter rotation from one end to the other would be the wrong one.
    """
    from scipy.spatial.transform import Rotation  # half a second; drawings of systems do without

    rest = Rotation.from_matrix(end @ (Rotation.from_rotvec(turned).as_matrix() @ start).transpose(0, 2, 1)).as_rotvec()
    return np.asarray(Rotation.from_rotvec(s * rest).as_matrix() @ Rotation.from_rotvec(s * turned).as_matrix() @ start)


def followed(run: Trajectory, what: Any) -> tuple[str, int, np.ndarray]:
    """A point whose path is drawn: its name, the index of its body, its position (3,) in the body frame, m.

    It is given as a point such as `rod.end`, or as a body or its name: then it is the free end of a body that hangs on a single
    joint, else the centre of mass.
    """
    names = ["ground", *(body.name for body in run.system.bodies)]
    name = what if isinstance(what, str) else what.body.name if isinstance(what, Point) else getattr(what, "name", "")
    if not isinstance(what, str | Body | Point) or name not in names[1:]:
        given = short_repr(what if isinstance(what, str) or not name else name)
        raise ModelError(f"paths: {given} is neither a body of this run nor a point of one; it has {_few(names[1:])}")
    index = names.index(name)
    if isinstance(what, Point):
        return name, index, np.array(what.position)
    stick, held = sticks(run.frozen)[index - 1], _held(run, index)
    if len(held) == 1 and len(stick.points) == 2 and not stick.outline:
        far = np.linalg.norm(stick.points - held[0], axis=1)
        return name, index, stick.points[int(np.argmax(far))]
    return name, index, np.array(run.system.bodies[index - 1].com)


def free_ends(run: Trajectory) -> list[str]:
    """Names of the bodies that hang on a single joint and carry nothing, or move freely."""
    return [body.name for k, body in enumerate(run.system.bodies, 1) if len(_held(run, k)) <= 1]


def _held(run: Trajectory, index: int) -> list[np.ndarray]:
    """Points at which joints of the drawing hold a body, in its frame (m)."""
    joints, floating = run.frozen.layout.joints, {run.frozen.topology.joint[b] for b in run.frozen.topology.roots}
    sides = (("first", "first_origin"), ("second", "second_origin"))
    drawn = [joint for k, joint in enumerate(joints) if k not in floating]
    return [np.array(joint[origin]) for joint in drawn for body, origin in sides if joint[body] == index]


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")


def instants(run: Trajectory, times: int | Sequence[float]) -> np.ndarray:
    """Indices of the outputs nearest to times (s), or of a number of outputs spread over the run."""
    if whole(times):
        if times < 1:
            raise SettingsError(f"the number of snapshots must be positive, not {short_repr(times)}")
        if times > MOST_INSTANTS:
            raise SettingsError(f"{short_repr(times)} snapshots are too many for one picture; give at most {MOST_INSTANTS}")
        wanted = np.linspace(run.t[0], run.t[-1], int(times)) if times > 1 else run.t[-1:]
    else:
        given = as_numbers(times)
        if given is None or given.ndim != 1 or given.size > MOST_INSTANTS:
            raise SettingsError(f"snapshots are given by a number of them or by times (s), not {short_repr(times)}")
        wanted = given
        if wanted.size == 0 or not (wanted.min() >= run.t[0] - 1e-9 and wanted.max() <= run.t[-1] + 1e-9):
            raise SettingsError(f"times of snapshots must lie between {run.t[0]:g} and {run.t[-1]:g} s")
    return np.array([int(np.argmin(np.abs(run.t - time))) for time in wanted])


def coil(span: np.ndarray, radius: float) -> np.ndarray:
    """A spring between two points (2, d), m: a zigzag in a plane, a helix in space; its windings deviate at most `radius` from the straight line."""
    way = span[1] - span[0]
    length = float(np.linalg.norm(way))
    if length == 0.0:
        return span
    along = way / length
    flat = len(way) == 2
    count = 4 if flat else 16  # points of a winding
    s = np.arange(count * WINDINGS + 1) / count  # windings
    if flat:
        aside = np.array([-along[1], along[0]])
        beside = np.outer(np.sin(2.0 * np.pi * s), aside)
    else:
        u = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
        u /= np.linalg.norm(u)
        beside = np.outer(np.sin(2.0 * np.pi * s), u) + np.outer(np.cos(2.0 * np.pi * s), np.cross(along, u))
    inner = span[0] + np.outer(LEAD + (1.0 - 2.0 * LEAD) * s / WINDINGS, way) + radius * beside
    return np.concatenate([span[:1], inner, span[1:]])


def same_scale(axes: Any, low: np.ndarray, high: np.ndarray, zoom: float) -> None:
    """Limits of axes in space around a box (m), with the same scale along all of them; no side is much shorter than the others."""
    from matplotlib.ticker import MaxNLocator

    span = np.maximum(high - low, 0.3 * max((high - low).max(), 2e-9))
    centre = 0.5 * (low + high)
    for k, name in enumerate("xyz"):
        getattr(axes, f"set_{name}lim")(centre[k] - 0.5 * span[k], centre[k] + 0.5 * span[k])
        axis = getattr(axes, f"{name}axis")
        axis.set_major_locator(MaxNLocator(max(2, round(7 * span[k] / span.max()))))
        axis.labelpad = 10 + 10 * span[2] / span.max() if name == "z" else 10
    axes.set_box_aspect(span, zoom=zoom)
