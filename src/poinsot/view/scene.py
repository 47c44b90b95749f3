"""The appearance of a system and the view on it: plain lists and numbers, for the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.body import Body, Point
from poinsot.model.joint import Joint
from poinsot.model.rotation import matrices, matrix
from poinsot.model.shapes import Box, Cylinder, Rod
from poinsot.model.system import PLANES
from poinsot.view.meshes import packed_meshes
from poinsot.view.skeleton import BAR, COIL, Stick, sticks, ties
from poinsot.view.solids import THIN, Solid, arm, ball, coloured, corners, half_size, solids, tube

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MESHES = 2_000_000  # bytes of all meshes, by default
MARK = 0.011  # radius of a joint's mark, relative to the size of the system
OF_BODY = 0.06  # its upper bound, relative to the size of a body
FLAT = 1e-6  # relative to the size: a thinner motion is planar
LOOKS = 200  # outputs at which the extent of a motion is measured
CLOUD = 200_000  # approximate largest number of points for that
ROAMS = 6.0  # the camera follows a system that moves over more than this many times its size
BLADE = 7.0  # radius of a blade, in marks of joints
POINT_MASS = 0.1  # relative to a mark: smaller balls are drawn larger than they are
READING = np.array([1.0, 0.6, 0.3])  # preferred axes to the right of a picture: x, then y, then z
LEVEL = 1.0 - 1e-9  # cosine of the angle between normal and vertical of a horizontal plane
SUPPORT = 60  # number of outermost points that fit into the view


def describe(run: Trajectory, room: float = MESHES) -> dict[str, Any]:
    """Bodies, joints, springs and distances of the system of a run, the box it moves in, and the view at the start.

    Indices of bodies count the ground as 0; points are in body frames, m. Meshes get at most `room` bytes.
    """
    outlines, n = _outlines(run), len(run.system.bodies) + 1
    looks = min(LOOKS, len(run.t), max(20, CLOUD // sum(len(p) for _, p in outlines)))
    chosen = np.unique(np.linspace(0, len(run.t) - 1, looks).astype(int))
    rows = run.motion[chosen, : n * BODY_MOTION].reshape(len(chosen), n, BODY_MOTION)
    places, turns = rows[..., :3], matrices(rows[..., 3:7].reshape(-1, 4)).reshape(len(chosen), n, 3, 3)
    world = np.concatenate([np.einsum("tij,kj->tki", turns[:, b], p) + places[:, b, None] for b, p in outlines], axis=1)
    size = float(np.linalg.norm(np.ptp(world[0], axis=0))) or 1.0
    links = [float(np.linalg.norm(np.ptp(p, axis=0))) for b, p in outlines if b > 0]
    mark = min(MARK * size, OF_BODY * (float(np.median([x for x in links if x > 0] or [size]))))
    low, high = world.min(axis=(0, 1)), world.max(axis=(0, 1))
    hull = _support(world.reshape(-1, 3))
    roams = float(np.linalg.norm(high - low)) > ROAMS * max(size, _largest(world))
    if roams:
        middle = 0.5 * (world[0].min(axis=0) + world[0].max(axis=0))
        low, high = middle - size, middle + size  # space for rotation
        hull = np.array([low, high, *(middle + s * size * e for s in (-1.0, 1.0) for e in np.eye(3))])
    view = viewpoint(run, places, turns, world.reshape(-1, 3))
    bodies = _bodies(run, mark)
    meshes = packed_meshes(bodies, room)
    return {
        "bodies": bodies,
        **({"meshes": meshes} if meshes else {}),
        "joints": [_joint(run, joint, mark, places, turns) for joint in [*run.system.joints, *run.system.loads] if _marked(joint)],
        "ties": [
            {"spring": t.spring, "bodies": list(t.bodies), "points": [p.tolist() for p in t.points]}
            for t in ties(run.frozen)
        ],
        "mark": mark,
        "low": low.tolist(),
        "high": high.tolist(),
        "hull": hull.tolist(),
        "roams": roams,
        "floor": _floor(run, np.array(view["up"])),
        **view,
    }


def _floor(run: Trajectory, up: np.ndarray) -> float | None:
    """Height (m) of the lowest horizontal plane of the ground on which something rolls; None where there is none."""
    rolling = [constraint.rows() for constraint in run.system.constraints if constraint.wheel() is not None]
    planes = [own[0] for own in rolling if own[0].ends is not None and own[0].ends[0][0] is run.system.ground]
    heights = [float(up @ row.ends[0][1]) for row in planes if row.ends is not None and np.dot(up, row.u or (0, 0, 0)) > LEVEL]
    return min(heights, default=None)


def viewpoint(run: Trajectory, places: np.ndarray, turns: np.ndarray, points: np.ndarray) -> dict[str, Any]:
    """The upward direction, the position of the camera relative to the centre, and whether the view is planar.

    Up is against gravity; without gravity the second axis of a plane, or z. A motion in a plane is seen along its normal.
    `places` (t, bodies, 3) and `turns` (t, bodies, 3, 3) are poses, `points` (k, 3) all of the system, world.
    """
    system, g = run.system, np.array(run.system.gravity)
    flat = system.plane is not None
    normal = np.array(system.normal) if flat else _normal(places, turns)
    heavy = bool(g.any())
    if heavy:
        up = -g / np.linalg.norm(g)
    elif system.plane is not None:
        up = np.eye(3)[PLANES[system.plane][1]]
    else:
        up = np.eye(3)[2] if normal is None or abs(normal[2]) < 0.5 else np.eye(3)[1]
    if normal is not None and abs(normal @ up) > 0.5:
        normal = None  # a horizontal motion: seen obliquely from above, as motions in space
    if normal is not None:
        normal = normal if np.cross(up, normal) @ READING > 0 else -normal
        look = normal if flat else _turned(normal, up, 0.22, 0.16)
    else:
        look = _turned(_broadside(points, up), up, 0.5, 0.32)
    return {"up": up.tolist(), "look": look.tolist(), "flat": flat and normal is not None}


def _largest(world: np.ndarray) -> float:
    """The largest size (m) that a cloud of points (t, k, 3) has at any time."""
    return float(np.linalg.norm(np.ptp(world, axis=1), axis=1).max())


def _support(points: np.ndarray) -> np.ndarray:
    """The outermost points of a cloud (k, 3) in many directions, spread evenly over a sphere."""
    k = np.arange(SUPPORT) + 0.5
    height, round_ = 1.0 - 2.0 * k / SUPPORT, np.pi * (1.0 + 5**0.5) * k
    across = np.sqrt(1.0 - height**2)
    ways = np.stack([across * np.cos(round_), across * np.sin(round_), height], axis=1)
    return points[np.unique(np.argmax(points @ ways.T, axis=0))]


def _normal(places: np.ndarray, turns: np.ndarray) -> np.ndarray | None:
    """The world axis about which all bodies turn, when all move parallel to one plane normal to it."""
    size = np.ptp(places[:, 1:].reshape(-1, 3), axis=0)
    for k in (1, 2, 0):
        upright = np.einsum("tbij,bkj->tbik", turns, turns[0])[..., k, k].min() > 1.0 - FLAT
        if upright and size.max() > 0 and size[k] <= FLAT * size.max():
            return np.eye(3)[k]
    return None


def _broadside(points: np.ndarray, up: np.ndarray) -> np.ndarray:
    """The horizontal direction from which a cloud of points (k, 3) looks widest; of two opposite ones that with x to the right."""
    side = np.cross(up, np.eye(3)[int(np.argmin(np.abs(up)))])
    frame = np.stack([side / np.linalg.norm(side), np.cross(up, side / np.linalg.norm(side))])
    spread = np.cov((points - points.mean(axis=0)) @ frame.T, rowvar=False)
    values, axes = np.linalg.eigh(spread)
    away = axes[:, 0] @ frame if values[1] > 1.5 * values[0] else np.cross(np.eye(3)[0], up)
    if np.linalg.norm(away) < 0.1:
        away = frame[0]
    away = away / np.linalg.norm(away)
    return away if np.cross(up, away) @ READING >= 0 else -away


def _turned(away: np.ndarray, up: np.ndarray, azimuth: float, elevation: float) -> np.ndarray:
    """A horizontal direction rotated about the vertical, then raised; angles in rad."""
    round_ = np.cos(azimuth) * away + np.sin(azimuth) * np.cross(up, away)
    return np.cos(elevation) * round_ + np.sin(elevation) * up


def _held(run: Trajectory) -> list[list[tuple[np.ndarray, bool]]]:
    """For every body, the ground first: points of its joints, in its frame, and whether another body slides there."""
    everyone = [run.system.ground, *run.system.bodies]
    held: list[list[tuple[np.ndarray, bool]]] = [[] for _ in everyone]
    for joint in run.system.joints:
        if joint.rows():
            held[everyone.index(joint.first)].append((joint.first.local(joint.first_at), _slides(joint)))
            held[everyone.index(joint.second)].append((joint.second.local(joint.second_at), False))
    return held


def _slides(joint: Any) -> bool:
    """Whether a joint slides along its one axis, on a rail."""
    motions = joint.motions() if isinstance(joint, Joint) else ()
    return any(getattr(m, "lin", 0.0) != 0 for m in motions) and len({getattr(m, "axis", None) for m in motions}) == 1


def _marked(element: Any) -> bool:
    """Whether something is drawn with a mark where it holds two bodies: joints that constrain, and loads that say so."""
    return bool(element.rows()) if isinstance(element, Joint) else element.drawn not in ("", COIL, BAR)


def _outlines(run: Trajectory) -> list[tuple[int, np.ndarray]]:
    """Bodies with points (k, 3) that enclose their drawing; the ground with its joints, if it has any."""
    held = _held(run)
    found = []
    for b, stick in enumerate(sticks(run.frozen), 1):
        body = run.system.bodies[b - 1]
        points = [stick.points[~np.isnan(stick.points[:, 0])], np.array(body.com)[None], *(p[None] for p, _ in held[b])]
        found.append((b, np.concatenate([*points, *([corners(body.drawn_shape)] if body.drawn_shape else [])])))
    ends = [p for t in ties(run.frozen) for b, p in zip(t.bodies, t.points) if b == 0]
    fixed = [*(p for p, _ in held[0]), *ends]
    return [*found, (0, np.array(fixed))] if fixed else found


def _bodies(run: Trajectory, mark: float) -> list[dict[str, Any]]:
    """Name, solids, centre of mass, the point that leaves a trail and whether its path is prescribed, of every body except the ground."""
    found = []
    held, led = _held(run), _led(run)
    for b, (body, stick) in enumerate(zip(run.system.bodies, sticks(run.frozen)), 1):
        parts, com = [], np.array(body.com)
        shape = body.drawn_shape
        if shape is not None:
            parts = coloured(solids(shape), body)
            for part in parts:
                if part["kind"] == "sphere" and part["radius"] < POINT_MASS * mark:
                    part["radius"] = 1.5 * mark
            for p, slides in held[b]:
                begin = None if slides else arm(shape, p)
                if begin is not None and np.linalg.norm(p - begin) > 0:
                    parts.append(tube(begin, p, 0.5 * mark))
        else:
            lines = zip(stick.points[:-1], stick.points[1:])
            parts = [tube(p, q, 0.6 * mark) for p, q in lines if np.linalg.norm(q - p) > 0]
            parts += [ball(com, 1.2 * mark if parts else 3.0 * mark), *_wheels(run, body)]
        parts += _blades(run, body, mark)
        found.append(
            {
                "name": body.name,
                "parts": parts,
                "com": com.tolist(),
                "inertia": list(body.inertia),
                "tip": led.get(body.name, _tip(stick, body, [p for p, _ in held[b]])).tolist(),
                "led": body.name in led,
            }
        )
    return found


def _wheels(run: Trajectory, body: Body) -> list[Solid]:
    """The wheels and balls on which a body without a shape rolls."""
    found = []
    for wheel in (constraint.wheel() for constraint in run.system.constraints):
        if wheel is not None and wheel[0] is body:
            _, at, axis, radius = wheel
            centre = np.array(body.local(at))
            if axis is None:
                found.append(ball(centre, radius))
            else:
                half = 0.5 * THIN * radius * (matrix(body.rotation).T @ np.array(axis))
                found.append(tube(centre - half, centre + half, radius))
    return found


def _blades(run: Trajectory, body: Body, mark: float) -> list[Solid]:
    """The blades of a body, thin discs across their axes."""
    found = []
    for blade in (constraint.blade() for constraint in run.system.constraints):
        if blade is not None and blade[0] is body:
            centre, axis = np.array(body.local(blade[1])), matrix(body.rotation).T @ np.array(blade[2])
            half = mark * axis
            found.append(tube(centre - half, centre + half, BLADE * mark))
    return found


def _led(run: Trajectory) -> dict[str, np.ndarray]:
    """By name, for bodies with a point on a prescribed path: that point in the body frame."""
    points = [c.owner for drive in run.system.drives for c in drive.outputs if isinstance(c.owner, Point)]
    return {point.body.name: np.array(point.position) for point in points}


def _tip(stick: Stick, body: Body, held: list[np.ndarray]) -> np.ndarray:
    """The free end of a body that one joint holds, as far as its shape reaches; else its centre of mass."""
    points, com = stick.points[~np.isnan(stick.points[:, 0])], np.array(body.com)
    if stick.outline or len(held) != 1 or len(points) < 2:
        return com
    ways = points - held[0]
    way = ways[int(np.argmax(np.linalg.norm(ways, axis=1)))]
    if body.drawn_shape is not None:
        reach = float(((corners(body.drawn_shape) - held[0]) @ way).max() / (way @ way))
        way = min(1.0, reach) * way
    return held[0] + way


def _joint(run: Trajectory, joint: Any, mark: float, places: np.ndarray, turns: np.ndarray) -> dict[str, Any]:
    """Where a joint is on its two bodies, its axis in the first one's frame, a second axis in the second one's, how thick its mark is."""
    everyone = [run.system.ground, *run.system.bodies]
    a, b = everyone.index(joint.first), everyone.index(joint.second)
    pa, pb = joint.first.local(joint.first_at), joint.second.local(joint.second_at)
    axes = dict(joint.axes()) if isinstance(joint, Joint) else {}
    radii = [
        float(half_size(shape).min())
        for shape in (joint.first.drawn_shape, joint.second.drawn_shape)
        if isinstance(shape, Rod | Box | Cylinder)
    ]
    found: dict[str, Any] = {
        "name": joint.name,
        "kind": joint.drawn or joint.kind,
        "bodies": [a, b],
        "points": [pa.tolist(), pb.tolist()],
        "radius": float(np.clip(1.3 * min(radii), 0.6 * mark, 2.5 * mark)) if radii else mark,
    }
    if "axis" in axes:
        found["axis"] = (matrix(joint.first.rotation).T @ axes["axis"]).tolist()
    if "axis2" in axes:
        found["axis2"] = (matrix(joint.second.rotation).T @ axes["axis2"]).tolist()
    if 0 in (a, b):
        other = b if a == 0 else a
        way = np.array(everyone[other].com) - (pb if a == 0 else pa)
        found["leans"] = (turns[0, other] @ way).tolist()  # towards the body, world
    if _slides(joint):
        first = places[:, a] + turns[:, a] @ pa
        along = turns[:, a] @ np.array(found["axis"])
        way = np.sum((places[:, b] + turns[:, b] @ pb - first) * along, axis=1)
        shape = joint.first.drawn_shape
        begin = arm(shape, pa) if shape else None
        found["rail"] = (pa if begin is None else begin).tolist()  # beginning of the bar that it slides on
        found["range"] = [float(way.min()), float(way.max())]
    return found
