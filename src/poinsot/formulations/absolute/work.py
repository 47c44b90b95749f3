"""Where things lie in the state and the work array of formulations in absolute coordinates: the record `layout.places` is filled here.

A state begins with the poses of all bodies (POSE numbers each, ground first); where the rest of it lies, a formulation
says by its `StatePlaces`. Kernels of the family take such an array, or any with poses and angles at the same positions, as
a configuration. They take parts of the work array by name, from `places.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.elements.states import BODY_STATE, POSE, TWIST, WRENCH
from poinsot.linear.anderson import anderson_size
from poinsot.linear.pattern import BLOCKS, GROUPS, LEGS
from poinsot.tables.records import N_ROOM, PLACES, Layout

MAX_STAGES = 3
TERMS_NOTES = 4  # numbers kept per load and stage
TURNING = 9  # numbers of the inverse of a body's matrix of rotation in a step of one stage
INVERSE_MASS = 7  # numbers of a body among the inverse masses: 1 / mass, inverse inertia (6), world axes


class StatePlaces(NamedTuple):
    """Where in a state the velocities, the unwrapped angles of the joints and the efforts of drives begin, and how long it is."""

    velocities: int
    angles: int
    efforts: int
    size: int


def places_of(layout: Layout, angles: int, state: StatePlaces, needs_end: bool, left_out: int) -> np.ndarray:
    """The record `places` of a layout that has all other tables; `angles`, `left_out`: how many angles, and rows that were left out."""
    pattern, bodies, s = layout.pattern, len(layout.bodies), MAX_STAGES
    groups, legs, blocks = (int(pattern[count]) for count in (GROUPS, LEGS, BLOCKS))
    rows, loads, drives = 3 * groups, len(layout.loads), len(layout.drives)
    members, signals = max(int(layout.loads["items"].max(initial=0)), 1), int(layout.signals["size"].max(initial=0))
    unknowns = TWIST * bodies + rows + drives
    after_velocities = min(place for place in state if place > state.velocities)
    known = {
        "n_bodies": bodies, "n_terms": len(layout.terms),
        "n_poses": POSE * bodies, "n_twists": TWIST * bodies, "n_rows": rows, "n_left_out": left_out, "n_drives": drives,
        "n_velocities": after_velocities - state.velocities, "n_angles": angles,
        "n_legs": 18 * legs, "n_factor": 9 * blocks,
        "n_room": max(19 * members + 8 + 4 * signals, int(layout.sizes[N_ROOM])), "n_anderson": anderson_size(s * unknowns),
        "velocities": state.velocities, "angles": state.angles, "efforts": state.efforts, "state": state.size,
        "needs_end": int(needs_end),
    }
    sizes = {
        "stage_poses": s * POSE * bodies,
        "stage_forces": s * TWIST * bodies,
        "stage_gaps": s * (rows + drives),
        "unknowns": s * unknowns,
        "middle": POSE * bodies,
        "around": state.size,
        "differences": state.size,
        "masses": INVERSE_MASS * bodies,
        "legs": known["n_legs"],
        "weighted": known["n_legs"],
        "factor": known["n_factor"],
        "diagonal": rows,
        "step": rows,
        "push": TWIST * bodies,
        "end": state.size,
        "states": BODY_STATE * bodies,
        "wrenches": WRENCH * bodies,
        "notes": s * TERMS_NOTES * loads,
        "powers": s,
        "betas": len(layout.terms),
        "room": known["n_room"],
        "step_size": 1,
        "pivot": 1,
        "changes": s * unknowns,
        "scales": s * unknowns,
        "anderson": known["n_anderson"],
        "task": 1,
        "task_stage": 1,
        "targets": s * drives,
        "output_betas": drives,
        "responses": drives * (TWIST * bodies + rows),
        "drive_matrix": drives * drives,
        "drive_pivots": drives,
        "row_gaps": rows + left_out,
        "mirrored": known["n_factor"],
        "turning": TURNING * bodies,
    }
    starts = np.concatenate([[0], np.cumsum(list(sizes.values()))])
    known |= dict(zip((*sizes, "work"), map(int, starts)))
    places = np.zeros(1, PLACES)
    for name, number in known.items():
        places[name] = number
    return places


def stage_numbers(layout: Layout) -> int:
    """Numbers of one stage that a prediction needs: twists, multipliers and efforts of drives."""
    return int(sum(layout.places[0][count] for count in ("n_twists", "n_rows", "n_drives")))
