"""The page of a system that has not run: its drawing, with joints, axes and gaps, and its freedoms, which swing at first order.

Nothing is compiled: freedoms come from `analysis/freedoms.py`. Every body moves along the screw of its twist, so that joints between two bodies
hold exactly where both move by one screw, and otherwise at first order.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from poinsot.analysis.check import check
from poinsot.analysis.drawable import drawable
from poinsot.analysis.freedoms import Freedoms, freedoms
from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.rotation import matrix
from poinsot.model.system import System
from poinsot.view.preview_words import body_words, count, freedom_words, further_words, gaps, joint_words, number
from poinsot.view.resample import pack
from poinsot.view.scene import describe
from poinsot.view.solids import corners

SWING = 0.1  # largest displacement of a freedom, relative to the size of the drawing
OF_PART = 0.6  # and relative to the size of what it moves
TURN = 0.5  # largest rotation of a freedom, rad
MOST = 400  # largest number of freedoms in a page
LOOKS = 40  # freedoms at whose ends the extent of the scene is measured
FREEDOMS = 0.3  # fraction of the bytes for the motions of freedoms, at most
MESHES = 0.6  # fraction of the bytes for meshes, at most
EMPTY = {
    "bodies": [], "joints": [], "ties": [], "mark": 0.01, "low": [-0.5, -0.5, -0.5], "high": [0.5, 0.5, 0.5],
    "hull": [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]],
    "roams": False, "floor": None, "up": [0.0, 0.0, 1.0], "look": [0.3, -1.0, 0.3], "flat": False,
}  # fmt: skip


def preview_data(system: System, description: str, budget: float) -> dict[str, Any]:
    """All data of the page of a drawing, for JSON; `budget` (bytes) limits meshes and freedoms."""
    checked = check(system, rank=False)
    drawn, missing = drawable(system)
    found = freedoms(drawn)
    n, size = len(drawn.bodies), _size(drawn)
    shown = min(len(found.found), MOST, int(FREEDOMS * budget / (24 * 4 / 3 * max(n, 1))))
    twists = found.twists(shown)
    named = [freedom_words(freedom, found.moved(freedom, own)) for freedom, own in zip(found.found, twists)]
    swings = twists * _amplitudes(drawn, twists, size)[:, None, None]
    apart = gaps(drawn, [found.topology.joints[k] for k in found.topology.loops])
    told = tuple(f"{joint.label()}: its two points are " for joint in drawn.joints)  # among the gaps
    notes = [note for note in checked.notes if not note.startswith(told)]
    gone = [f"{label}: is not drawn." for label in missing]
    odd = [f"Looks odd: {words}" for words in checked.suspicions]
    return {
        "title": system.name,
        "description": description or getattr(system, "description", "") or "",
        "groups": [],
        "runs": [_still(drawn, swings[:LOOKS], MESHES * budget)],
        "preview": {
            "facts": facts(drawn, found, apart),
            "faults": [*checked.faults, *gone],
            "notes": [*_left(len(found.found), shown), *found.notes, *notes, *odd],
            "freedoms": [{"words": words, "detail": detail} for words, detail in named],
            "count": len(found.found),
            "swings": pack(swings[:, 1:]),
            "gaps": apart,
            "lines": _lines(drawn),
            "axes": _axes(drawn),
            "joints": len(drawn.joints),
            "tables": [
                {"title": "Bodies", "rows": body_words(drawn)},
                {"title": "Joints", "rows": joint_words(drawn)},
                {"title": "Forces, constraints, drives", "rows": further_words(drawn)},
            ],
        },
    }


def facts(system: System, found: Freedoms, apart: list[dict[str, Any]]) -> str:
    """What is drawn, in one sentence."""
    largest = max((gap["size"] for gap in apart), default=0.0)
    open_ = f"; {count(len(apart), 'gap')}, the largest {number(largest)} m" if apart else ""
    what = f"{count(len(system.bodies), 'body')}, {count(len(system.joints), 'joint')}, {count(len(found.found), 'freedom')}"
    return f"Drawing: {what}{open_}. Nothing was run."


def _left(total: int, shown: int) -> list[str]:
    return [f"Of {total} freedoms the first {shown} are in this page."] if shown < total else []


def _still(system: System, swings: np.ndarray, room: float) -> dict[str, Any]:
    """The drawing as a run with one frame; the extent of its scene is that of all swings (freedoms, bodies + 1, 6)."""
    everyone = [system.ground, *system.bodies]
    rest = np.array([[*body.position, *body.rotation] for body in everyone])
    rows = np.zeros((1 + 2 * len(swings), len(everyone), BODY_MOTION))
    rows[:, :, :7] = rest
    for k, swing in enumerate(swings):
        rows[1 + 2 * k, :, :7], rows[2 + 2 * k, :, :7] = moved(rest, swing), moved(rest, -swing)
    stands = _stand_in(system, rows.reshape(len(rows), -1))
    scene = describe(cast(Any, stands), room) if system.bodies else EMPTY
    return {
        "name": system.name, "method": "", "start": 0.0, "end": 0.0, "outputs": 1, "thinned": False, "leftOut": 0, "scene": scene,
        "t": pack(np.zeros(1), "<f8"), "poses": pack(rest[1:]), "speeds": pack(np.zeros((max(len(rest) - 1, 0), 3))), "arrows": [],
        "outputTimes": "", "series": {}, "audit": "",
    }  # fmt: skip


def moved(poses: np.ndarray, twists: np.ndarray) -> np.ndarray:
    """Poses (bodies, 7) after the screws of twists (bodies, 6): displacements of origins (m) and rotation vectors (rad), world axes."""
    shift, turn = twists[:, :3], twists[:, 3:]
    angle = np.linalg.norm(turn, axis=1)[:, None]
    safe = np.where(angle > 1e-9, angle, 1.0)
    once = np.where(angle > 1e-9, (1 - np.cos(safe)) / safe**2, 0.5)
    twice = np.where(angle > 1e-9, (safe - np.sin(safe)) / safe**3, 1 / 6)
    across = np.cross(turn, shift)
    places = poses[:, :3] + shift + once * across + twice * np.cross(turn, across)
    w, v = np.cos(0.5 * angle), 0.5 * np.sinc(0.5 * angle / np.pi) * turn
    u, q = poses[:, 3:4], poses[:, 4:]
    real = w * u - np.sum(v * q, axis=1, keepdims=True)
    return np.concatenate([places, real, w * q + u * v + np.cross(v, q)], axis=1)


def _stand_in(system: System, motion: np.ndarray) -> SimpleNamespace:
    """What `scene.py` reads of a run and its tables, without freezing the system."""
    index = {body: k for k, body in enumerate((system.ground, *system.bodies))}
    joints = [
        {
            "first": index[joint.first],
            "second": index[joint.second],
            "first_origin": joint.first.local(joint.first_at),
            "second_origin": joint.second.local(joint.second_at),
        }
        for joint in system.joints
    ]
    layout = SimpleNamespace(joints=joints, bodies=range(len(index)))
    frozen = SimpleNamespace(system=system, layout=layout, topology=SimpleNamespace(index=index, joint={}, roots=[]))
    return SimpleNamespace(system=system, frozen=frozen, motion=motion, t=np.arange(len(motion), dtype=float))


def _points(system: System) -> list[np.ndarray]:
    """Of every body points (k, 3) around it, world: of its shape, its joints and its centre of mass."""
    found = []
    for body in system.bodies:
        own = [np.array(body.com)[None]]
        if body.drawn_shape is not None:
            own.append(corners(body.drawn_shape))
        if body.ends is not None:
            own.append(np.array(body.ends))
        found.append(np.concatenate(own) @ matrix(body.rotation).T + body.position)
    at = {body: [p] for body, p in zip(system.bodies, found)}
    for joint in system.joints:
        for body, place in ((joint.first, joint.first_at), (joint.second, joint.second_at)):
            if body in at and joint.rows():
                at[body].append(np.array(place)[None])
    return [np.concatenate(at[body]) for body in system.bodies]


def _size(system: System) -> float:
    points = _points(system)
    return float(np.linalg.norm(np.ptp(np.concatenate(points), axis=0))) or 1.0 if points else 1.0


def _amplitudes(system: System, twists: np.ndarray, size: float) -> np.ndarray:
    """How far every freedom swings, in units of its lead: to a visible displacement, and no further than a moderate rotation."""
    points = _points(system)
    if not points:
        return np.zeros(len(twists))
    owner = np.repeat(np.arange(len(points)), [len(own) for own in points])
    arms = np.concatenate(points) - np.array([body.position for body in system.bodies])[owner]
    low, high = np.array([own.min(axis=0) for own in points]), np.array([own.max(axis=0) for own in points])
    found = []
    for own in twists[:, 1:]:
        moves = own.any(axis=1)
        some = moves[owner]
        speed = np.linalg.norm(own[owner[some], :3] + np.cross(own[owner[some], 3:], arms[some]), axis=1).max(initial=0.0)
        spin = np.linalg.norm(own[:, 3:], axis=1).max()
        extent = float(np.linalg.norm(high[moves].max(axis=0) - low[moves].min(axis=0))) if moves.any() else 0.0
        reach = min(SWING * size, OF_PART * extent) if extent > 0 else SWING * size
        found.append(min(reach / speed if speed > 0 else np.inf, TURN / spin if spin > 0 else np.inf))
    return np.where(np.isfinite(found), found, 0.0)


def _lines(system: System) -> list[list[Any]]:
    """From the centre of mass of every body to its joints: body, both points in its frame."""
    index = {body: k for k, body in enumerate(system.bodies, 1)}
    ends = [(joint.first, joint.first_at) for joint in system.joints if joint.rows()]
    ends += [(joint.second, joint.second_at) for joint in system.joints if joint.rows()]
    return [[index[body], list(body.com), body.local(p).tolist()] for body, p in ends if body in index]


def _axes(system: System) -> list[list[Any]]:
    """Axes of joints: the body that carries one, a point and a direction in its frame."""
    index = {body: k for k, body in enumerate((system.ground, *system.bodies))}
    found = []
    for joint in system.joints:
        for name, axis in joint.axes():
            body, at = (joint.second, joint.second_at) if name == "axis2" else (joint.first, joint.first_at)
            if name != "direction":
                found.append([index[body], body.local(at).tolist(), (matrix(body.rotation).T @ np.array(axis)).tolist()])
    return found
