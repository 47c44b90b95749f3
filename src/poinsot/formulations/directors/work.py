"""Where things lie in the state and the work array of the directors formulation; all positions stand in the head of `layout.pattern`.

State y: poses of all bodies (POSE numbers each, ground first), their velocities in the same order (velocity of the centre
of mass, derivatives of the directors), the unwrapped angles of the joints, and the work of what is no potential force.
"""

from __future__ import annotations

import numpy as np

from poinsot.elements.director_scalars import POSE
from poinsot.elements.wrenches import MOTION, WRENCH
from poinsot.linear.anderson import anderson_size
from poinsot.linear.pattern import BLOCKS, GROUPS, HEAD, LEGS
from poinsot.tables.records import Layout

MAX_STAGES = 3
TWIST = 6
TERMS_NOTES = 4  # numbers kept per load and stage

# in the state
VELOCITIES, ANGLES, N_ANGLES, STATE = 16, 17, 18, 19
# what the model has: 1 when the end of a step must be known while it is solved for; number of loads
NEEDS_END = 20
# in the work array
STAGE_POSES, STAGE_FORCES, GAPS, STAGE_TWISTS = (
    21,
    22,
    23,
    24,
)  # MAX_STAGES of each; multipliers follow the twists of the stages used
MIDDLE, MASSES, LEG, WEIGHTED, FACTOR, DIAGONAL, STEP, PUSH = 26, 27, 28, 29, 30, 31, 32, 33
END, STATES, WRENCHES, NOTES, POWERS, BETAS, ROOM, SIZE, CHANGES, SCALES, ANDERSON, WORK = (
    34,
    35,
    36,
    37,
    38,
    39,
    40,
    41,
    42,
    43,
    44,
    45,
)
assert WORK < HEAD

INVERSE = 7  # numbers of a body in MASSES: 1 / mass, inverse inertia (6), world axes


def fill_head(layout: Layout, angles: int, needs_end: bool) -> None:
    """Write the positions into the head of the layout's pattern."""
    head = layout.pattern
    bodies, groups, legs, blocks = len(layout.bodies), int(head[GROUPS]), int(head[LEGS]), int(head[BLOCKS])
    head[VELOCITIES], head[ANGLES], head[N_ANGLES] = POSE * bodies, 2 * POSE * bodies, angles
    head[STATE] = 2 * POSE * bodies + angles + 1
    head[NEEDS_END] = int(needs_end)
    s, loads = MAX_STAGES, len(layout.loads)
    sizes = {
        STAGE_POSES: s * POSE * bodies,
        STAGE_FORCES: s * TWIST * bodies,
        GAPS: s * 3 * groups,
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
        ROOM: 19 * max(int(layout.loads["items"].max(initial=0)), 1) + 8,
        SIZE: 1,
        CHANGES: s * stage_numbers(head, bodies),
        SCALES: s * stage_numbers(head, bodies),
        ANDERSON: anderson_size(s * stage_numbers(head, bodies)),
    }
    position = 0
    for name, size in sizes.items():
        head[name] = position
        position += size
    head[WORK] = position


def stage_numbers(head: np.ndarray, bodies: int) -> int:
    """Numbers of one stage that a prediction needs: twists and multipliers."""
    return TWIST * bodies + 3 * int(head[GROUPS])
