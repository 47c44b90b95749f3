"""The tables that compiled kernels read. Every model has the same types, so one compilation serves all of them.

Index 0 of `bodies` and of `links` is the ground: no kernel asks whether a parent exists. Rotations named `rotation` map the
inner frame to the outer one. A symmetric 3x3 matrix is stored as (xx, yy, zz, xy, xz, yz).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# kinds of an elementary motion (of a joint) and of the link that it carries
HELICAL, BALL, TRANSLATION = 0, 1, 2
COORDINATES = np.array([1, 4, 3])  # numbers of position of each kind
RATES = np.array([1, 3, 3])  # and of velocity

# kinds of a constraint row
COINCIDE, SLIDE, DOT, DISTANCE, LINKED, GEAR = 0, 1, 2, 3, 4, 5
ROWS = {"coincide": COINCIDE, "slide": SLIDE, "dot": DOT, "distance": DISTANCE, "linked": LINKED, "gear": GEAR}  # by name, for constraints

# what a load acts on: one motion of a joint, bodies, or two frames of two bodies (with a wrench that depends on how these lie and move)
ON_MOTION, ON_BODIES, ON_FRAMES = 0, 1, 2

# positions in Layout.sizes
# (numbers of the tree: N_Q, N_V; N_POSITIONS: how many numbers of y are positions, in whatever formulation it is)
N_Q, N_V, N_WRENCHES, N_C, N_R, N_SLOTS, N_POSITIONS = 0, 1, 2, 3, 4, 5, 6

BODY = np.dtype(
    [
        ("link", "i8"),  # the link that carries it
        ("parent", "i8"),  # body towards the ground in the spanning tree
        ("joint", "i8"),  # joint to that body; -1 for the ground
        ("order", "i8"),  # not of this body: the body at this position from the ground outward
        ("mass", "f8"),  # kg
        ("com", "f8", (3,)),  # centre of mass, body frame, m
        ("inertia", "f8", (6,)),  # about the centre of mass, body axes, kg m^2
        ("rotation", "f8", (3, 3)),  # body axes seen from the link
        ("origin", "f8", (3,)),  # body origin in the link frame
    ],
    align=True,
)

LINK = np.dtype(
    [
        ("parent", "i8"),  # link; smaller than its own index
        ("kind", "i8"),  # HELICAL, BALL, TRANSLATION
        ("slot", "i8"),  # where the inertia of its children is summed up; -1: it has none
        ("opens", "i8"),  # 1: the first, from the tips, to add to its parent's slot
        ("iq", "i8"),  # first position in q
        ("iv", "i8"),  # first position in v
        ("rot", "f8"),  # HELICAL: angle per coordinate (0 or 1)
        ("lin", "f8"),  # HELICAL: displacement per coordinate
        ("rotation", "f8", (3, 3)),  # joint frame seen from the parent link; z is the axis of a HELICAL
        ("origin", "f8", (3,)),  # joint frame's origin in the parent link
        ("mass", "f8"),
        ("moment", "f8", (3,)),  # mass times centre of mass, link frame
        ("inertia", "f8", (6,)),  # about the link's origin, link axes
    ],
    align=True,
)

# A pair of frames and what is kept between them: the joints, then the constraints that are no joints (no motions, `tree` 0).
# A distance has its points as the origins of its frames; a gear, which is between motions, has none: both on the ground.
JOINT = np.dtype(
    [
        ("first", "i8"),  # bodies
        ("second", "i8"),
        ("tree", "i8"),  # 1: second hangs on first, -1: first hangs on second, 0: closes a loop
        ("first_origin", "f8", (3,)),  # joint frame on the first body, body frame
        ("first_rotation", "f8", (3, 3)),
        ("second_origin", "f8", (3,)),
        ("second_rotation", "f8", (3, 3)),
        ("row", "i8"),  # its rows: row .. row + rows
        ("rows", "i8"),
        ("motion", "i8"),  # its motions
        ("motions", "i8"),
        ("serial", "i8"),  # not 0: no closed formula gives its coordinates (`layout/serial.py`); the address of `constraint_wrench`
    ],
    align=True,
)

# An elementary motion of a joint. Joint coordinates ("canonical") are those that users see: the second frame seen from the first.
MOTION = np.dtype(
    [
        ("joint", "i8"),
        ("kind", "i8"),
        ("link", "i8"),  # the link it moves; -1 in a loop joint
        ("sign", "f8"),  # +1: the link moves with the second body, -1: with the first
        ("ic", "i8"),  # first position among the joint coordinates
        ("ir", "i8"),  # first position among the joint rates
        ("rot", "f8"),
        ("lin", "f8"),
        ("rotation", "f8", (3, 3)),  # axes of the link frame seen from the joint frame; z is the axis of a HELICAL
    ],
    align=True,
)

ROW = np.dtype(
    [
        ("kind", "i8"),  # COINCIDE, SLIDE, DOT, DISTANCE, LINKED, GEAR
        ("joint", "i8"),  # record in `joints` that it belongs to
        ("u", "f8", (3,)),  # in the first joint frame (COINCIDE: in the world)
        ("v", "f8", (3,)),  # in the second joint frame; LINKED: a direction perpendicular to u
        ("c", "f8"),  # DOT: the product, DISTANCE: m, LINKED: m/rad, GEAR: the ratio
        ("motion", "i8"),  # GEAR: coordinate of motion - c * coordinate of motion2, both HELICAL; -1 in all other rows
        ("motion2", "i8"),
    ],
    align=True,
)

LOAD = np.dtype(
    [
        ("acts", "i8"),  # ON_MOTION, ON_BODIES, ON_FRAMES
        ("kind", "i8"),  # its law: a number from the table LAWS of `elements/laws.py`, `wrenches.py` or `frame_laws.py`, as `acts` says
        ("potential", "i8"),  # 1: what it does without damping follows from an energy of its own
        ("motion", "i8"),  # ON_MOTION: that motion, otherwise -1
        ("first", "i8"),  # bodies
        ("second", "i8"),
        ("first_point", "f8", (3,)),  # body frames
        ("second_point", "f8", (3,)),
        ("first_rotation", "f8", (3, 3)),  # ON_FRAMES: axes of the two frames seen from their bodies
        ("second_rotation", "f8", (3, 3)),
        ("weights", "f8", (2,)),  # ON_FRAMES: share of relative velocity and of relative spin in what balances its energy in a step
        ("value", "i8"),  # first of its parameters in `values`
        ("values", "i8"),  # how many
        ("address", "i8"),  # position of its function in `addresses`; -1: none
        ("local", "i8"),  # 1: vector given in the body's axes
        ("item", "i8"),  # users' functions: first body in `members`
        ("items", "i8"),  # and number of bodies
    ],
    align=True,
)


# A body as the directors formulation sees it: three directors along its principal axes, fixed at the centre of mass.
FRAME = np.dtype(
    [
        ("mass", "f8"),
        ("euler", "f8", (3,)),  # principal values of the Euler tensor, tr(J)/2 - J_a, kg m^2
        ("axes", "f8", (3, 3)),  # directors seen from the body, columns
        ("origin", "f8", (3,)),  # body origin seen from the centre of mass, director axes, m
        ("com", "f8", (3,)),  # the centre of mass in the body frame; of shares that of their group
        ("shared", "i8"),  # 1: mass and inertia are a share of those of all bodies welded to it (`layout/welds.py`)
    ],
    align=True,
)

# A scalar of two bodies in their directors: (part of) a constraint row, or a joint coordinate. Kinds: see `elements/director_scalars.py`.
SCALAR = np.dtype(
    [
        ("kind", "i8"),
        ("first", "i8"),  # bodies
        ("second", "i8"),
        ("joint", "i8"),  # record in `joints` that it belongs to
        ("row", "i8"),  # multiplier that it belongs to; -1: none
        ("first_leg", "i8"),  # block of the constraint matrix on the first body; -1: the ground, or none
        ("second_leg", "i8"),
        ("angle", "i8"),  # position of its unwrapped value among the angles of the state; -1: none
        ("point", "i8"),  # 1: this one and the next two, in the world's axes, let two points coincide
        ("factor", "f8"),  # of the scalar in its row
        ("c", "f8"),  # constant that is taken from the value
        ("unit", "f8"),  # of a row: how far it is open per value, relative to a length of the mechanism, or in rad
        ("first_point", "f8", (3,)),  # from the centre of mass, director axes
        ("second_point", "f8", (3,)),
        ("a", "f8", (3,)),  # directions on the first body (COINCIDE: in the world; SERIAL: see `formulations/absolute/coordinates.py`)
        ("a2", "f8", (3,)),
        ("b", "f8", (3,)),  # and on the second, director axes
        ("b2", "f8", (3,)),
    ],
    align=True,
)


# A signal: value, rate and acceleration of `size` numbers at a time, from a user's function or from pieces of polynomials.
SIGNAL = np.dtype(
    [
        ("size", "i8"),
        ("address", "i8"),  # position of its function in `addresses`; -1: polynomials
        ("value", "i8"),  # polynomials: times (pieces + 1), then coefficients (pieces, degree + 1, size), in `values`
        ("pieces", "i8"),
        ("degree", "i8"),
    ],
    align=True,
)

# A coordinate that follows one number of a signal; its scalar stands in `outputs`, that of what drives it in `inputs`.
DRIVE = np.dtype(
    [
        ("signal", "i8"),
        ("component", "i8"),
        ("load", "i8"),  # row in `loads` of the motor that drives it; -1: the drive reports its effort itself
    ],
    align=True,
)


# One record: how many there are of what, and where things lie in the state y and in the work array of formulations in absolute
# coordinates. Kernels read it through `formulations/absolute/views.py`; `formulations/absolute/work.py` fills it.
PLACES = np.dtype(
    [
        (name, "i8")
        for name in (
            # counts: bodies with the ground, terms of constraint rows, numbers of all poses and of all twists,
            # velocities and angles in the state, rows in use, rows left out, drives,
            *("n_bodies", "n_terms", "n_poses", "n_twists", "n_velocities", "n_angles", "n_rows", "n_left_out", "n_drives"),
            # numbers of all legs, of all blocks of the factor, of the room for users' functions, and of that for the acceleration of steps
            *("n_legs", "n_factor", "n_room", "n_anderson"),
            "needs_end",  # 1: the end of a step must be known while it is solved for
            "serial_kernel",  # address of the kernel that finds coordinates of joints made of motions in series; 0: there are none
            # in the state; `state` is its size
            *("velocities", "angles", "efforts", "state"),
            # in the work array, of one configuration
            *("push", "step", "masses", "legs", "weighted", "factor", "diagonal", "row_gaps", "states", "wrenches", "room"),
            # of drives
            *("responses", "drive_matrix", "drive_pivots"),
            # of all stages of a step
            *("stage_poses", "stage_forces", "stage_gaps", "unknowns", "changes", "scales", "anderson", "notes", "powers", "targets"),
            # of a step
            *("middle", "end", "betas", "output_betas", "step_size", "pivot", "task", "task_stage"),
            "work",  # size of the work array
        )
    ]
)


class Layout(NamedTuple):
    """A System frozen into tables."""

    bodies: np.ndarray
    links: np.ndarray
    joints: np.ndarray
    motions: np.ndarray
    rows: np.ndarray
    loads: np.ndarray
    members: np.ndarray  # i8: bodies of user forces
    values: np.ndarray  # f8: gravity (3), then the parameters of the loads
    addresses: np.ndarray  # i8: users' compiled or wrapped functions
    sizes: np.ndarray  # i8: N_Q, N_V, ...
    signals: np.ndarray
    drives: np.ndarray
    frames: np.ndarray  # for formulations in absolute coordinates only, from here on: bodies,
    terms: np.ndarray  # parts of constraint rows, ordered by row,
    left_out: np.ndarray  # the same of redundant rows, which have no multiplier,
    coordinates: np.ndarray  # scalar coordinates of the joints,
    outputs: np.ndarray  # what drives make follow,
    inputs: np.ndarray  # and by what,
    places: np.ndarray  # where everything lies,
    pattern: np.ndarray  # i8: and the pattern of the elimination (`linear/pattern.py`)


def own_values(layout: Layout) -> Layout:
    """The same tables with a copy of the values: a user's function that writes to its parameters spoils nobody else's."""
    return layout._replace(values=layout.values.copy()) if len(layout.addresses) else layout


def empty_layout() -> Layout:
    """A layout of no bodies: it carries the types."""
    bodies, links, joints, motions, rows, loads = (
        np.zeros(1, dtype) for dtype in (BODY, LINK, JOINT, MOTION, ROW, LOAD)
    )
    members, addresses, sizes = (np.zeros(n, np.int64) for n in (1, 1, 8))
    signals, drives, frames, scalars = (np.zeros(0, dtype) for dtype in (SIGNAL, DRIVE, FRAME, SCALAR))
    return Layout(
        *(bodies, links, joints, motions, rows, loads, members, np.zeros(3), addresses, sizes),
        *(signals, drives, frames, *(scalars for _ in range(5)), np.zeros(1, PLACES), np.zeros(0, np.int64)),
    )
