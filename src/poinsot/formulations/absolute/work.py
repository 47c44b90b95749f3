"""Where things lie in the state and the work array of formulations in absolute coordinates; all positions stand in the head of `layout.pattern`.

A state begins with the poses of all bodies (POSE numbers each, ground first); where the rest of it lies, a formulation
says by its `StatePlaces`. Kernels of the family take such an array, or any with poses and angles at the same positions, as
a configuration.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.elements.states import MOTION, WRENCH
from poinsot.linear.anderson import anderson_size
from poinsot.linear.pattern import BLOCKS, GROUPS, HEAD, LEGS
from poinsot.tables.records import Layout

MAX_STAGES = 3
TWIST = 6
DRIVES = 46  # how many coordinates follow signals
EFFORTS = 47  # in the state: efforts of the drives at the stages of the last step, MAX_STAGES of them, before the work
ROW_GAPS, LEFT_OUT = 48, 49  # in the work array: how far rows are open, first those in use; and how many were left out
SERIAL_KERNEL = 50  # address of the kernel that finds coordinates of joints made of motions in series; 0: there are none
TERMS_NOTES = 4  # numbers kept per load and stage

# in the state
VELOCITIES, ANGLES, N_ANGLES, STATE = 11, 12, 13, 14
# what the model has: 1 when the end of a step must be known while it is solved for
NEEDS_END = 15
# in the work array: MAX_STAGES of each (multipliers, then efforts of drives, follow the twists of the stages used)
STAGE_POSES, STAGE_FORCES, GAPS, STAGE_TWISTS = 16, 17, 18, 19
# of one configuration
MIDDLE, MASSES, LEG, WEIGHTED, FACTOR, DIAGONAL, STEP, PUSH = 20, 21, 22, 23, 24, 25, 26, 27
# of a step; at SIZE its size, and the smallest pivot of its matrix
END, STATES, WRENCHES, NOTES, POWERS, BETAS, ROOM, SIZE = 28, 29, 30, 31, 32, 33, 34, 35
CHANGES, SCALES, ANDERSON = 36, 37, 38
# of drives: what is asked for, targets at the stages, corrections of angles, responses, their matrix and its pivots
TASK, TARGETS, OUT_BETAS, RESPONSES, MATRIX, PIVOTS, WORK = 39, 40, 41, 42, 43, 44, 45
assert SERIAL_KERNEL < HEAD

INVERSE = 7  # numbers of a body in MASSES: 1 / mass, inverse inertia (6), world axes


class StatePlaces(NamedTuple):
    """Where in a state the velocities, the unwrapped angles of the joints and the efforts of drives begin, and how long it is."""

    velocities: int
    angles: int
    efforts: int
    size: int


def fill_head(layout: Layout, angles: int, places: StatePlaces, needs_end: bool, left_out: int) -> None:
    """Write the positions into the head of the layout's pattern; `angles`, `left_out`: how many angles, and rows that were left out."""
    head = layout.pattern
    bodies, groups, legs, blocks = len(layout.bodies), int(head[GROUPS]), int(head[LEGS]), int(head[BLOCKS])
    head[VELOCITIES], head[ANGLES], head[EFFORTS], head[STATE] = places
    head[N_ANGLES] = angles
    head[NEEDS_END] = int(needs_end)
    s, loads, drives = MAX_STAGES, len(layout.loads), len(layout.drives)
    head[DRIVES], head[LEFT_OUT] = drives, left_out
    sizes = {
        STAGE_POSES: s * POSE * bodies,
        STAGE_FORCES: s * TWIST * bodies,
        GAPS: s * (3 * groups + drives),
        STAGE_TWISTS: s * stage_numbers(head, bodies),
        MIDDLE: POSE * bodies,
        MASSES: INVERSE * bodies,
        LEG: 18 * legs,
        WEIGHTED: 18 * legs,
        FACTOR: 9 * blocks,
        DIAGONAL: 3 * groups,
        STEP: 3 * groups,
        PUSH: TWIST * bodies,
        END: int(head[STATE]),
        STATES: MOTION * bodies,
        WRENCHES: WRENCH * bodies,
        NOTES: s * TERMS_NOTES * loads,
        POWERS: s,
        BETAS: len(layout.terms),
        ROOM: 19 * max(int(layout.loads["items"].max(initial=0)), 1)
        + 8
        + 4 * int(layout.signals["size"].max(initial=0)),
        SIZE: 2,
        CHANGES: s * stage_numbers(head, bodies),
        SCALES: s * stage_numbers(head, bodies),
        ANDERSON: anderson_size(s * stage_numbers(head, bodies)),
        TASK: 2,
        TARGETS: s * drives,
        OUT_BETAS: drives,
        RESPONSES: drives * (TWIST * bodies + 3 * groups),
        MATRIX: drives * drives,
        PIVOTS: drives,
        ROW_GAPS: 3 * groups + left_out,
    }
    position = 0
    for name, size in sizes.items():
        head[name] = position
        position += size
    head[WORK] = position


def stage_numbers(head: np.ndarray, bodies: int) -> int:
    """Numbers of one stage that a prediction needs: twists, multipliers and efforts of drives."""
    return TWIST * bodies + 3 * int(head[GROUPS]) + int(head[DRIVES])
