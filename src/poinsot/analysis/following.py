"""Drives at the start of a run: motions prescribe initial joint values, and all outputs must start on their signals."""

from __future__ import annotations

import numpy as np

from poinsot.errors import AssemblyError, CallbackError, DriveWarning, ModelError, warn
from poinsot.formulations.contract import BODY_MOTION, Formulation, motion_row
from poinsot.layout.callbacks import place
from poinsot.layout.freeze import Frozen
from poinsot.model.coordinate import Coordinate
from poinsot.model.drives import Drive, Motion
from poinsot.model.joint import Joint
from poinsot.model.returned import WrongReturn
from poinsot.model.rotation import matrices
from poinsot.tables.records import N_C

NEAR = 1e-9  # m, rad, and the same per s: largest deviation of outputs from their signals at the start


def prescribed(
    frozen: Frozen, coordinates: np.ndarray, rates: np.ndarray, t: float, resumed: bool = False
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Joint coordinates and rates with the values prescribed by motions inserted, and the joints concerned.

    If `resumed`, they are those of a state, which must be on the signals; what was set is the start of another run.
    """
    coordinates, rates, joints = coordinates.copy(), rates.copy(), []
    for drive in frozen.system.drives:
        if not (isinstance(drive, Motion) and isinstance(drive.coordinate.owner, Joint)):
            continue
        joint, name = drive.coordinate.owner, drive.coordinate.name
        motion = frozen.layout.motions[_motion(frozen, drive.coordinate)]
        value, rate, _ = follow(drive, t)[:, 0]
        given = {} if resumed else frozen.system.initial.get(joint, {})
        if resumed and abs(coordinates[motion["ic"]] - value) > NEAR * max(1.0, abs(value)):
            raise _astray(drive, t, drive.coordinate, f"{coordinates[motion['ic']]:.9g}", f"{value:.9g}")
        for key, number in ((name, value), (joint.rate_names[joint.names.index(name)], rate)):
            if key in given and abs(given[key][0] - number) > NEAR:
                raise ModelError(
                    f"{drive.label()}: {joint.label()} was set to {key} = {given[key][0]:.9g}, but its signal starts at "
                    f"{number:.9g}; do not set it, or set it to that value"
                )
        coordinates[motion["ic"]], rates[motion["ir"]] = value, rate
        joints.append(joint.name)
    return coordinates, rates, joints


def check_start(
    frozen: Frozen, formulation: Formulation, y: np.ndarray, t: float, end: float, steps: int, resumed: bool
) -> None:
    """Raise when outputs do not start on their signals at time t, warn when a signal is not smooth enough during the run.

    Functions are sampled twice per step, and more densely where they look rough. A resumed run
    has velocities that follow the signals up to the error of a step: they are accepted.
    """
    row = np.zeros(motion_row(frozen.layout))
    (formulation.observe_start or formulation.observe_motion)(t, y, frozen.layout, np.zeros(formulation.work_size), row)
    for drive in frozen.system.drives:
        smooth, found = drive.signal.smooth(t, end), drive.signal.break_between(t, end, 2 * steps)
        smooth, where = (smooth, "") if found is None else (found.order - 1, f" at t = {found.t:.6g} s")
        if smooth is not None and smooth < 1:
            raise ModelError(
                f"{drive.label()}: its signal jumps in {'value' if smooth < 0 else 'rate'}{where}, which requires an "
                "impulse; smooth it (po.signals.step, po.signals.spline)"
            )
        if smooth == 1:
            warn(f"{drive.label()}: its signal jumps in acceleration{where}, so efforts jump too", DriveWarning)
        value, rate, _ = follow(drive, t)
        for k, coordinate in enumerate(drive.outputs):
            now = output(frozen, row, coordinate, value[k])
            pairs = [("", now[0], value[k]), (" per s", now[1], rate[k])]
            for what, have, want in pairs[: 1 if resumed else 2]:
                if abs(have - want) > NEAR * max(1.0, abs(want)):
                    raise _astray(drive, t, coordinate, f"{have:.9g}{what}", f"{want:.9g}{what}")


def _astray(drive: Drive, t: float, coordinate: Coordinate, have: str, want: str) -> AssemblyError:
    """The error about an output that does not start on its signal."""
    return AssemblyError(
        f"{drive.label()}: at t = {t:g} s {coordinate!r} is {have} and its signal {want}; "
        "start on the signal: set the joints, or let po.assemble(system, hold=..., rates=...) find them",
        {},
    )


def follow(drive: Drive, t: float) -> np.ndarray:
    """Value, rate and acceleration (3, size) of the signal of a drive at the start; errors name the drive."""
    try:
        return drive.signal.at(t)
    except WrongReturn as wrong:
        raise CallbackError(f"the function of {drive.label()} {wrong}, at t = {t:.9g} s") from None
    except BaseException as error:
        error.add_note(
            f"raised by the function of {drive.label()} ({place(drive.signal.function, error)}) at the start, t = {t:.9g} s"
        )
        raise


def output(frozen: Frozen, row: np.ndarray, coordinate: Coordinate, near: float) -> tuple[float, float]:
    """Value and rate of a coordinate in a motion row; angles of bodies are those nearest to `near`."""
    layout, owner, n = frozen.layout, coordinate.owner, len(frozen.layout.bodies)
    if isinstance(owner, Joint):
        motion = layout.motions[_motion(frozen, coordinate)]
        first = n * BODY_MOTION
        return float(row[first + motion["ic"]]), float(row[first + int(layout.sizes[N_C]) + motion["ir"]])
    body = getattr(owner, "body", owner)
    pose = row[BODY_MOTION * frozen.topology.index[body] :][:BODY_MOTION]
    turn, spin = matrices(pose[None, 3:7])[0], pose[10:13]
    if body is owner:
        normal = np.array(frozen.system.normal)
        relative = turn @ matrices(np.array([body.rotation]))[0].T
        sine = 0.5 * normal @ (relative[[2, 0, 1], [1, 2, 0]] - relative[[1, 2, 0], [2, 0, 1]])
        angle = float(np.arctan2(sine, 0.5 * (np.trace(relative) - 1.0)))
        return angle + 2 * np.pi * round((near - angle) / (2 * np.pi)), float(spin @ normal)
    arm = turn @ np.array(owner.position)
    k = "xyz".index(coordinate.name)
    return float((pose[:3] + arm)[k]), float((pose[7:10] + np.cross(spin, arm))[k])


def _motion(frozen: Frozen, coordinate: Coordinate) -> int:
    joint = coordinate.owner
    return int(frozen.layout.joints["motion"][frozen.joints.index(joint)]) + joint.names.index(coordinate.name)
