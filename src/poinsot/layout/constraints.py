"""Constraints other than joints in the tables: each has its own record after those of the joints, and a row."""

from __future__ import annotations

import numpy as np

from poinsot.layout.topology import Topology
from poinsot.model.constraints import Constraint, Distance, Gear
from poinsot.model.coordinate import Coordinate
from poinsot.model.system import System
from poinsot.tables.records import DISTANCE, GEAR, JOINT, ROW


def constraint_tables(
    system: System, topology: Topology, first_motion: list[int], motions: int, first_row: int
) -> tuple[np.ndarray, np.ndarray]:
    """Records (JOINT) and rows (ROW) of the constraints of a system; `motions` and `first_row`: how many motions and rows the joints have."""
    table = np.zeros(len(system.constraints), JOINT)
    rows = np.zeros(len(system.constraints), ROW)
    table["motion"], table["rows"] = motions, 1
    table["row"] = first_row + np.arange(len(table))
    rows["joint"] = len(topology.joints) + np.arange(len(table))
    rows["motion"] = rows["motion2"] = -1
    table["first_rotation"] = table["second_rotation"] = np.eye(3)
    places = {joint: k for k, joint in enumerate(topology.joints)} if system.constraints else {}

    def motion(coordinate: Coordinate) -> int:
        joint = coordinate.owner
        return first_motion[places[joint]] + joint.names.index(coordinate.name)

    for k, constraint in enumerate(system.constraints):
        rows["c"][k] = parameter(constraint)
        if isinstance(constraint, Distance):
            rows["kind"][k] = DISTANCE
            for side, body, point in zip(("first", "second"), constraint.bodies(), constraint.points):
                table[side][k] = topology.index[body]
                table[f"{side}_origin"][k] = body.local(point)
        else:
            assert isinstance(constraint, Gear)
            rows["kind"][k] = GEAR
            rows["motion"][k], rows["motion2"][k] = motion(constraint.first), motion(constraint.second)
    return table, rows


def parameter(constraint: Constraint) -> float:
    """The number c of its row: the length (m) of a distance, the ratio of a gear."""
    return float(getattr(constraint, constraint.parameter))
