"""Constraints other than joints in the tables: each has its own record after those of the joints, and its rows."""

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
    rows_of = [constraint.rows() for constraint in system.constraints]
    counts = np.array([len(found) for found in rows_of], np.int64)
    table = np.zeros(len(rows_of), JOINT)
    rows = np.zeros(int(counts.sum()), ROW)
    table["motion"], table["rows"] = motions, counts
    table["row"] = first_row + np.cumsum(counts) - counts
    rows["joint"] = len(topology.joints) + np.repeat(np.arange(len(table)), counts)
    rows["motion"] = rows["motion2"] = -1
    table["first_rotation"] = table["second_rotation"] = np.eye(3)
    places = {joint: k for k, joint in enumerate(topology.joints)} if system.constraints else {}

    def motion(coordinate: Coordinate) -> int:
        joint = coordinate.owner
        return first_motion[places[joint]] + joint.names.index(coordinate.name)

    for k, (constraint, own) in enumerate(zip(system.constraints, rows_of)):
        for side, (body, point) in zip(("first", "second"), own[0].ends or ()):
            table[side][k] = topology.index[body]
            table[f"{side}_origin"][k] = body.local(point)
            if any(row.u is not None or row.v is not None for row in own):
                table[f"{side}_rotation"][k] = matrix(body.rotation).T
        for r, row in enumerate(own, int(table["row"][k]) - first_row):
            number = parameter(constraint) if row.c is None else row.c
            rows["kind"][r], rows["c"][r] = ROWS[row.kind], number if not row.members else r - table["row"][k] + first_row
            for name, direction in (("u", row.u), ("v", row.v), ("w", row.w)):
                if direction is not None:
                    rows[name][r] = direction
            if row.coordinates is not None:
                rows["motion"][r], rows["motion2"][r] = (motion(coordinate) for coordinate in row.coordinates)
    return table, rows


def parameter(constraint: Constraint) -> float:
    """The number c of its row: the length (m) of a distance, the ratio of a gear, the radius (m) of a wheel; zero where it has none."""
    return float(getattr(constraint, constraint.parameter)) if constraint.parameter else 0.0
