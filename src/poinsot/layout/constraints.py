"""Constraints other than joints in the tables: each has its own record after those of the joints, and a row."""

from __future__ import annotations

import numpy as np

from poinsot.layout.topology import Topology
from poinsot.model.constraints import Constraint
from poinsot.model.coordinate import Coordinate
from poinsot.model.rotation import matrix
from poinsot.model.system import System
from poinsot.tables.records import JOINT, ROW, ROWS


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
        row = constraint.row()
        rows["kind"][k] = ROWS[row.kind]
        for side, (body, point) in zip(("first", "second"), row.ends or ()):
            table[side][k] = topology.index[body]
            table[f"{side}_origin"][k] = body.local(point)
            if row.u is not None or row.v is not None:
                table[f"{side}_rotation"][k] = matrix(body.rotation).T
        for side, direction in (("u", row.u), ("v", row.v)):
            if direction is not None:
                rows[side][k] = direction
        if row.coordinates is not None:
            rows["motion"][k], rows["motion2"][k] = (motion(coordinate) for coordinate in row.coordinates)
    return table, rows


def parameter(constraint: Constraint) -> float:
    """The number c of its row: the length (m) of a distance, the ratio of a gear; zero where it has none."""
    return float(getattr(constraint, constraint.parameter)) if constraint.parameter else 0.0
