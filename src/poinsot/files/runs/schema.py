"""The datasets of a results file, each listed once. The writer splits rows by this table, the reader joins them again.

Rows are those of `formulations/contract.py`: raw states, motion rows and loads rows, one per output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from poinsot.formulations.contract import BODY_MOTION, loads_row, motion_row
from poinsot.layout.freeze import Frozen
from poinsot.model.joint import Ball
from poinsot.tables.records import N_C, N_R

FORMAT = "poinsot run"
VERSION = 2  # 1 had no checksums
RAW, MOTION, LOADS = "raw", "motion", "loads"


@dataclass(frozen=True)
class Part:
    """One dataset over time.

    Attributes
    ----------
    name : of the dataset
    source : which row its numbers come from: RAW, MOTION or LOADS
    columns : positions in the row, in the order of the dataset's numbers
    dims : names of its dimensions after t, as in `dimensions`
    shape : lengths of these dimensions
    unit, words : for readers
    """

    name: str
    source: str
    columns: np.ndarray
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    unit: str
    words: str


def dimensions(frozen: Frozen, state: int) -> dict[str, list[str]]:
    """Names along every dimension except t; the raw state has only numbers."""
    system = frozen.system
    bodies = ["ground", *(body.name for body in system.bodies)]
    coordinates, rates = joint_names(frozen)
    found = {
        "body": bodies,
        "xyz": ["x", "y", "z"],
        "wxyz": ["w", "x", "y", "z"],
        "coordinate": coordinates,
        "rate": rates,
        "joint": [owner.name for owner in frozen.owners],
        "load": [getattr(owner, "name", "") for owner in frozen.loads.owner],
        "drive": [repr(output) for drive in system.drives for output in drive.outputs],
        "state_number": [str(k) for k in range(state)],
    }
    return {name: labels for name, labels in found.items() if labels}


def joint_names(frozen: Frozen) -> tuple[list[str], list[str]]:
    """Names of all joint coordinates and of all joint rates, such as joint1.angle and joint1.rate."""
    coordinates, rates = [], []
    ends = {1: [""], 3: [".x", ".y", ".z"], 4: [".w", ".x", ".y", ".z"]}
    for joint in frozen.joints:
        for name, rate, motion in zip(joint.names, joint.rate_names, joint.motions()):
            nc, nr = 4 if isinstance(motion, Ball) else motion.rates, motion.rates
            coordinates += [f"{joint.name}.{name}{end}" for end in ends[nc]]
            rates += [f"{joint.name}.{rate}{end}" for end in ends[nr]]
    return coordinates, rates


def parts(frozen: Frozen, state: int) -> Iterator[Part]:
    """All datasets over time of a run whose raw state has `state` numbers."""
    layout = frozen.layout
    n, joints, loads, drives = len(layout.bodies), len(layout.joints), len(layout.loads), len(layout.drives)
    nc, nr = int(layout.sizes[N_C]), int(layout.sizes[N_R])
    poses = BODY_MOTION * np.arange(n)[:, None]
    yield _part("state", RAW, np.arange(state), ("state_number",), (state,), "", "raw state of the formulation")
    yield _part("work", RAW, np.array([state - 1]), (), (), "J", "work of non-conservative forces")
    for name, first, count, unit, words in (
        ("position", 0, 3, "m", "origin of the body frame, world"),
        ("quaternion", 3, 4, "1", "attitude, body to world"),
        ("velocity", 7, 3, "m/s", "velocity of the origin, world"),
        ("angular_velocity", 10, 3, "rad/s", "angular velocity, world axes"),
    ):
        last = "wxyz" if count == 4 else "xyz"
        yield _part(name, MOTION, poses + first + np.arange(count), ("body", last), (n, count), unit, words)
    at = BODY_MOTION * n
    if nc:
        yield _part("coordinates", MOTION, at + np.arange(nc), ("coordinate",), (nc,), "rad or m", "joint coordinates")
    if nr:
        yield _part("rates", MOTION, at + nc + np.arange(nr), ("rate",), (nr,), "rad/s or m/s", "joint rates")
    at += nc + nr
    yield _part("kinetic", MOTION, at + np.arange(1), (), (), "J", "kinetic energy")
    yield _part("potential", MOTION, at + 1 + np.arange(1), (), (), "J", "potential energy")
    yield _part("momentum", MOTION, at + 2 + np.arange(3), ("xyz",), (3,), "kg m/s", "linear momentum")
    words = "angular momentum about the world origin"
    yield _part("angular_momentum", MOTION, at + 5 + np.arange(3), ("xyz",), (3,), "kg m^2/s", words)
    assert at + 8 == motion_row(layout)
    yield from _load_parts(n, joints, loads, drives)
    assert 6 * (n + joints) + 1 + 4 * loads + 2 * drives == loads_row(layout)


def _load_parts(n: int, joints: int, loads: int, drives: int) -> Iterator[Part]:
    body, tie = 6 * np.arange(n)[:, None], 6 * (n + np.arange(joints))[:, None]
    three = np.arange(3)
    yield _part("acceleration", LOADS, body + three, ("body", "xyz"), (n, 3), "m/s^2", "acceleration of the origin")
    words = "angular acceleration, world axes"
    yield _part("angular_acceleration", LOADS, body + 3 + three, ("body", "xyz"), (n, 3), "rad/s^2", words)
    if joints:
        words = "reaction force on the second body, world axes"
        yield _part("force", LOADS, tie + three, ("joint", "xyz"), (joints, 3), "N", words)
        words = "reaction torque on the second body at its joint frame, world axes"
        yield _part("torque", LOADS, tie + 3 + three, ("joint", "xyz"), (joints, 3), "N m", words)
    at = 6 * (n + joints)
    yield _part("power", LOADS, at + np.arange(1), (), (), "W", "power of non-conservative forces")
    if loads:
        rows = at + 1 + 4 * np.arange(loads)
        columns = rows[:, None] + three
        yield _part("effort", LOADS, columns, ("load", "xyz"), (loads, 3), "N or N m", "efforts of forces")
        yield _part("load_power", LOADS, rows + 3, ("load",), (loads,), "W", "powers of forces")
    if drives:
        rows = at + 1 + 4 * loads + 2 * np.arange(drives)
        yield _part("drive_effort", LOADS, rows, ("drive",), (drives,), "N or N m", "efforts of motions and servos")
        yield _part("drive_power", LOADS, rows + 1, ("drive",), (drives,), "W", "powers of motions and servos")


def _part(
    name: str, source: str, columns: np.ndarray, dims: tuple[str, ...], shape: tuple[int, ...], unit: str, words: str
) -> Part:
    return Part(name, source, columns.ravel(), dims, shape, unit, words)
