"""Diagnosis of a state at which steps fail: errors of runs that stop name the causes found there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from poinsot.analysis.constraints import Geometry
from poinsot.analysis.rank import judge, parts_of
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen
from poinsot.layout.serial import independence
from poinsot.model.forces import EULER_ANGLES, JointSpring, Motor
from poinsot.model.joint import Ball
from poinsot.model.joints import Universal
from poinsot.model.load import Load
from poinsot.model.rotation import matrices
from poinsot.model.springs import Spring
from poinsot.model.wrenches import UserForce
from poinsot.results.trajectory import Samples
from poinsot.tables.records import N_V

HALF_TURN = 0.3  # rad from half a turn: torsion springs on ball joints closer than this are reported
SINGULAR = 0.05  # rad from the singular attitude of Euler angles, and of a universal joint
COLLAPSED = 1e-3  # relative to its free length, or to 1 m: points of a spring that nearly coincide
STIFF = 3.0  # rad per step: oscillations of a spring that steps do not resolve
FAST = 1.5  # rad per step: rotation of a body
FASTER = 30.0  # times the largest speed at the start
NEXT_TO_SINGULAR = 1e-3  # smallest singular value of the rows in use
NAMED = 3
POWERS, APART = 8, 1e-7  # number of power iterations, and step of the differences


class Failing(Samples):
    """A state at which a step failed. Some of its results may not be finite, such as rates of joints at their singular positions."""

    def finite(self, rows: np.ndarray) -> np.ndarray:
        """The same rows as they are."""
        return rows


def findings(frozen: Frozen, formulation: Formulation, t: float, y: np.ndarray, step: float | None, first: np.ndarray) -> str:
    """Sentences about a state y at time t, from which a step (s; None: adaptive) failed; `first` is the state of the start."""
    now, start = Failing(frozen, formulation, t, y), Samples(frozen, formulation, t, first)
    found = [*_springs(frozen, now, step), *_joints(frozen, now), *_speeds(frozen, now, start, step)]
    if formulation.multipliers:
        found += _loops(frozen, formulation, y)
    elif formulation.rates is not None:
        found += _fastest(frozen, formulation, t, y, step)
    return "; ".join(found[:NAMED]) or "nothing unusual in its springs, joints and speeds; try a smaller step"


def _fastest(frozen: Frozen, formulation: Formulation, t: float, y: np.ndarray, step: float | None) -> list[str]:
    """How fast accelerations respond to positions and velocities, by power iteration on differences of the equations."""
    assert formulation.rates is not None
    work, nv = np.zeros(formulation.work_size), int(frozen.layout.sizes[N_V])
    positions, velocities = formulation.rates.kernels
    end = len(y) - 1

    def rate(kernel: Any, state: np.ndarray) -> np.ndarray:
        result = np.zeros_like(y)
        kernel(t, state, frozen.layout, work, result)
        return result

    base, largest = rate(velocities, y)[end - nv : end], 0.0
    for moved_positions in (True, False):
        u, size = np.random.default_rng(0).normal(size=nv), 0.0
        for _ in range(POWERS):
            u = u / math.hypot(*u)
            moved = y.copy()
            if moved_positions:
                moved[end - nv : end] = u
                moved[: end - nv] = y[: end - nv] + APART * rate(positions, moved)[: end - nv]
                moved[end - nv : end] = y[end - nv : end]
            else:
                moved[end - nv : end] += APART * u
            u = (rate(velocities, moved)[end - nv : end] - base) / APART
            size = math.hypot(*u)  # which does not overflow before the numbers do
            if not (np.isfinite(size) and size > 0):
                break
        largest = max(largest, (np.sqrt(size) if moved_positions else size) if np.isfinite(size) else 0.0)
    if largest == 0.0 or (step is not None and step * largest < STIFF):
        return []
    laws = [load.label() for load in frozen.system.loads if isinstance(load, Motor | UserForce)]
    whose = f" (with {', '.join(laws[:NAMED])})" if laws else ""
    return [f"forces{whose} respond to motion at a rate of {largest:.2g} 1/s: use a smaller step, about {1 / largest:.1g} s, or softer laws"]


def _loops(frozen: Frozen, formulation: Formulation, y: np.ndarray) -> list[str]:
    """Loops near a singular position."""
    if not frozen.closed:
        return []
    geometry, dropped = Geometry(frozen), set(formulation.dropped)
    coordinates, found = formulation.unpack(y)[0], list[str]()
    if not np.all(np.isfinite(coordinates)):  # some joint is at its own singular position
        return found
    for judged in judge(geometry, coordinates, [part for part in parts_of(geometry) if not part.large]):
        clear = judged.clearest(np.array([row for row in judged.part.rows if int(row) not in dropped], np.int64))
        if clear < NEXT_TO_SINGULAR:
            element = frozen.owners[frozen.layout.rows["joint"][judged.part.rows[0]]]
            found.append(
                f"the loops that {element.label()} closes are near a singular position ({clear:.1g} from it), where branches meet and "
                "rounding decides which one the motion takes; steps of another size may pass it"
            )
    return found


def _springs(frozen: Frozen, now: Samples, step: float | None) -> list[str]:
    found = []
    for load in frozen.system.loads:
        if isinstance(load, JointSpring) and any(isinstance(load.joint.motions()[k], Ball) for k in load.motions()):
            found += _ball_spring(load, now)
        elif isinstance(load, Spring):
            found += _two_points(load, now)
        if load.stiffnesses() and step is not None:
            turn = step * _frequency(load)
            if turn > STIFF:
                found.append(f"{load.label()} oscillates by about {turn:.2g} rad in a step of {step:g} s, too fast for it")
    return found


def _ball_spring(load: JointSpring, now: Samples) -> list[str]:
    """Springs on ball joints where their law is not smooth."""
    rest = matrices(np.array(load.values()[1:5]))
    R = rest.T @ now[load.joint].rotation.reshape(-1, 3, 3)[-1]
    if getattr(load, "law", None) == EULER_ANGLES:
        off = np.pi / 2 - abs(np.arcsin(np.clip(-R[2, 0], -1.0, 1.0)))
        return [f"{load.label()} is {off:.2g} rad from the singularity of its Euler angles"] if off < SINGULAR else []
    angle = np.arccos(np.clip(0.5 * (np.trace(R) - 1.0), -1.0, 1.0))
    if angle < np.pi - HALF_TURN:
        return []
    return [
        f"{load.label()} is turned by {angle:.3f} rad from its rest position: at half a turn its moment changes sign, which no step size can "
        "resolve; let it turn less, or use a softer or different law (po.UserForce)"
    ]


def _two_points(load: Spring, now: Samples) -> list[str]:
    a, b = (_place(body, point, now) for body, point in zip(load.bodies(), load.ends))  # type: ignore[attr-defined]
    distance = float(np.linalg.norm(b - a))
    if distance > COLLAPSED * (load.length or 1.0):
        return []
    return [f"the points of {load.label()} are {distance:.2g} m apart, where its direction is undefined; keep them apart"]


def _place(body: Any, point: Any, now: Samples) -> np.ndarray:
    """The present position (3,) of a point of a body, given in the drawing."""
    return np.array(point, float) if body.name == "ground" else now[body].world(body.local(point)).reshape(-1, 3)[-1]


def _frequency(load: Load) -> float:
    """Rough angular frequency (rad/s) of the lighter of the two sides on a spring, the largest where it has several stiffnesses."""
    bodies = [*load.bodies(), *(body for joint in load.joints() for body in (joint.first, joint.second))]
    fastest = 0.0
    for stiffness, turns in load.stiffnesses():
        sizes = [min(b.inertia[:3]) if turns else b.mass for b in bodies if b.name != "ground"]
        light = min((size for size in sizes if size > 0), default=0.0)
        fastest = max(fastest, float(np.sqrt(abs(stiffness) / light)) if light > 0 else 0.0)
    return fastest


def _joints(frozen: Frozen, now: Samples) -> list[str]:
    """Universal joints whose axes are nearly parallel, and joints in series whose motions are nearly dependent."""
    found = []
    for k, joint in enumerate(frozen.joints):
        if frozen.layout.joints["serial"][k]:
            at = int(frozen.layout.motions["ic"][frozen.layout.joints["motion"][k]])
            values = np.atleast_2d(now.coordinates)[-1, at:]
            off = independence(joint.motions(), values) if np.all(np.isfinite(values)) else 0.0
            if off < SINGULAR:
                found.append(
                    f"the motions of {joint.label()} are near a position where they are linearly dependent ({off:.2g} from it, gimbal lock), "
                    "and its coordinates are not defined there; use other axes, or a ball"
                )
        if isinstance(joint, Universal):
            first, second = (_turned(frozen, body, axis, now) for body, (_, axis) in zip((joint.first, joint.second), joint.axes()))
            off = float(np.linalg.norm(np.cross(first, second)))
            if off < SINGULAR:
                found.append(f"the two axes of {joint.label()} are {off:.2g} rad from parallel, where it is singular")
    return found


def _turned(frozen: Frozen, body: Any, axis: Any, now: Samples) -> np.ndarray:
    """The present direction of a body-fixed vector, given in the drawing."""
    if body is frozen.system.ground:
        return np.array(axis, float)
    return now[body].rotation.reshape(-1, 3, 3)[-1] @ matrices(np.array(body.rotation)).T @ np.array(axis, float)


def _speeds(frozen: Frozen, now: Samples, start: Samples, step: float | None) -> list[str]:
    size = 2 if frozen.system.plane else 3
    found, fastest = [], max((_last(start[body].velocity, size) for body in frozen.system.bodies), default=0.0)
    for body in frozen.system.bodies:
        spin = _last(now[body].angular_velocity, 1 if frozen.system.plane else 3)
        if step is not None and spin * step > FAST:
            found.append(f"{body.label()} turns by {spin * step:.2g} rad in a step of {step:g} s")
        elif fastest > 0 and (speed := _last(now[body].velocity, size)) > FASTER * fastest:
            times = speed / fastest
            found.append(f"{body.label()} moves {times:.2g} times as fast as anything did at the start")
    return found


def _last(vectors: np.ndarray, size: int) -> float:
    """Length of the last of several vectors, or of a single one."""
    return float(np.linalg.norm(np.reshape(vectors, (-1, size))[-1]))


def apart(frozen: Frozen, work: np.ndarray) -> str:
    """The joints that came apart and their gaps, after a step that left rows open; `work` is that of its kernel."""
    layout = frozen.layout
    gaps = np.abs(work[int(layout.places["row_gaps"][0]) :])
    sizes: dict[Any, float] = {}
    for term in [*layout.terms, *layout.left_out]:
        element = frozen.owners[term["joint"]]
        rows = 3 if term["point"] == 1 else 1
        size = float(gaps[term["row"] : term["row"] + rows].max() * term["unit"])
        sizes[element] = max(sizes.get(element, 0.0), size)
    worst = sorted(sizes, key=lambda element: -sizes[element])[:NAMED]
    return ", ".join(f"{element.label()} by {sizes[element]:.2g}" for element in worst)
