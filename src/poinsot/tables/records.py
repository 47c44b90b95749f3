"""The tables that compiled kernels read. Every model has the same types, so one compilation serves all of them.

Index 0 of `bodies` and of `links` is the ground, so every other entry has a parent. Rotations named `rotation` map the
inner frame to the outer one. A symmetric 3x3 matrix is stored as (xx, yy, zz, xy, xz, yz).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from poinsot.algebra.bounds import LANES

# kinds of an elementary motion (of a joint) and of the link that it carries
HELICAL, BALL, TRANSLATION = 0, 1, 2
COORDINATES = np.array([1, 4, 3])  # position coordinates of each kind
RATES = np.array([1, 3, 3])  # velocity coordinates of each kind

# kinds of a constraint row
COINCIDE, SLIDE, DOT, DISTANCE, LINKED, GEAR = 0, 1, 2, 3, 4, 5
TOUCH, SLIP, EDGE, STILL = 8, 9, 10, 11  # `elements/contacts.py`; from SLIP on of velocities only
USER_ROW = 12  # `elements/user_rows.py`
ROWS = {
    "coincide": COINCIDE, "slide": SLIDE, "dot": DOT, "distance": DISTANCE, "linked": LINKED, "gear": GEAR,
    "touch": TOUCH, "slip": SLIP, "edge": EDGE, "still": STILL, "user": USER_ROW,
}  # by name

# what a load acts on: one motion of a joint, bodies, or two frames of two bodies (with a wrench that depends on their relative pose and motion);
# a feedback, which acts through other loads, on those
ON_MOTION, ON_BODIES, ON_FRAMES, ON_LOADS = 0, 1, 2, 3

# positions in Layout.sizes
# (N_Q, N_V: coordinates and rates of the tree; N_POSITIONS: how many entries of y are positions, in the formulation in use;
# N_WRENCHES: loads that act by wrenches on bodies; N_SEEN: bodies that laws of feedbacks see;
# N_ROOM: scratch that the loads of the tree need; N_FEEDBACKS: rows of feedbacks, the first in the table of loads;
# N_CONTROL: numbers that controllers keep in y, just before its last entry; N_VALUES, in stacked layouts only: how many values a lane has)
N_Q, N_V, N_WRENCHES, N_C, N_R, N_SLOTS, N_POSITIONS, N_ROOM, N_FEEDBACKS, N_SEEN, N_CONTROL, N_VALUES = range(12)

BODY = np.dtype(
    [
        ("link", "i8"),  # the link that carries it
        ("parent", "i8"),  # body towards the ground in the spanning tree
        ("joint", "i8"),  # joint to that body; -1 for the ground
        ("order", "i8"),  # unrelated to this body: the body at this position in the order from the ground outward
        ("mass", "f8"),  # kg
        ("com", "f8", (3,)),  # centre of mass, body frame, m
        ("inertia", "f8", (6,)),  # about the centre of mass, body axes, kg m^2
        ("rotation", "f8", (3, 3)),  # body axes relative to the link
        ("origin", "f8", (3,)),  # body origin in the link frame
    ],
    align=True,
)

LINK = np.dtype(
    [
        ("parent", "i8"),  # link; smaller than its own index
        ("kind", "i8"),  # HELICAL, BALL, TRANSLATION
        ("slot", "i8"),  # where the inertia of its children is accumulated; -1: no children
        ("opens", "i8"),  # 1: the first child, from the tips, to write to its parent's slot
        ("iq", "i8"),  # first position in q
        ("iv", "i8"),  # first position in v
        ("rot", "f8"),  # HELICAL: angle per coordinate (0 or 1)
        ("lin", "f8"),  # HELICAL: displacement per coordinate
        ("rotation", "f8", (3, 3)),  # joint frame relative to the parent link; z is the axis of a HELICAL
        ("origin", "f8", (3,)),  # joint frame's origin in the parent link
        ("mass", "f8"),
        ("moment", "f8", (3,)),  # mass times centre of mass, link frame
        ("inertia", "f8", (6,)),  # about the link's origin, link axes
    ],
    align=True,
)

# A link of a planar tree, in the axes of the plane, parallel to those of the drawing where all coordinates are zero (`layout/plane_tables.py`).
# Link i has the coordinate y[i - 1].
PLANE_LINK = np.dtype(
    [
        ("parent", "i8"),
        ("slot", "i8"),  # these as in LINK
        ("opens", "i8"),
        ("turn", "f8"),  # angle about the normal per coordinate, 1 or -1; 0: it slides
        ("slide", "f8", (2,)),  # displacement per coordinate, in the parent's axes
        ("offset", "f8", (2,)),  # origin in the parent's axes
        ("mass", "f8"),
        ("moment", "f8", (2,)),  # mass times centre of mass
        ("inertia", "f8"),  # about the link's origin
    ],
    align=True,
)

# A body of a planar tree. Axes and points are those of its link, with the height above the plane through the world's origin as third number.
PLANE_BODY = np.dtype(
    [
        ("link", "i8"),
        ("seen", "i8"),  # 1: loads need its state in the world
        ("rotation", "f8", (3, 3)),  # body axes; of the ground: world axes in those of the plane
        ("origin", "f8", (3,)),
        ("com", "f8", (3,)),
    ],
    align=True,
)

# A pair of frames and the constraints between them: the joints, then the constraints other than joints (no motions, `tree` 0).
# The frame origins of a distance are its points; a gear, which couples motions, has no frames: both are on the ground.
JOINT = np.dtype(
    [
        ("first", "i8"),  # bodies
        ("second", "i8"),
        ("tree", "i8"),  # 1: first is the parent of second, -1: second is the parent of first, 0: closes a loop
        ("first_origin", "f8", (3,)),  # joint frame on the first body, body frame
        ("first_rotation", "f8", (3, 3)),
        ("second_origin", "f8", (3,)),
        ("second_rotation", "f8", (3, 3)),
        ("row", "i8"),  # its rows: row .. row + rows
        ("rows", "i8"),
        ("motion", "i8"),  # its motions
        ("motions", "i8"),
        ("serial", "i8"),  # not 0: its coordinates have no closed-form solution (`layout/serial.py`), and this is the address of `constraint_wrench`
    ],
    align=True,
)

# An elementary motion of a joint. Joint coordinates ("canonical") are those that users see: the second frame relative to the first.
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
        ("rotation", "f8", (3, 3)),  # axes of the link frame relative to the joint frame; z is the axis of a HELICAL
    ],
    align=True,
)

ROW = np.dtype(
    [
        ("kind", "i8"),  # COINCIDE, SLIDE, DOT, DISTANCE, LINKED, GEAR, TOUCH, SLIP, EDGE, STILL, USER_ROW
        ("joint", "i8"),  # record in `joints` that it belongs to
        ("u", "f8", (3,)),  # in the first joint frame (COINCIDE: in the world)
        ("v", "f8", (3,)),  # in the second joint frame; LINKED: a direction perpendicular to u
        ("c", "f8"),  # DOT: dot product, DISTANCE: m, LINKED: m/rad, GEAR: ratio, TOUCH and SLIP: radius, m, USER_ROW: its number in the element
        ("motion", "i8"),  # GEAR: coordinate of motion - c * coordinate of motion2, both HELICAL; -1 in all other rows
        ("motion2", "i8"),
        ("w", "f8", (3,)),  # SLIP: in the first joint frame
    ],
    align=True,
)

LOAD = np.dtype(
    [
        ("acts", "i8"),  # ON_MOTION, ON_BODIES, ON_FRAMES, ON_LOADS
        ("kind", "i8"),  # its law: a number from the table LAWS of `elements/laws.py`, `wrenches.py` or `frame_laws.py`, as `acts` says
        ("potential", "i8"),  # 1: conservative apart from its damping
        ("motion", "i8"),  # ON_MOTION: that motion, otherwise -1
        ("first", "i8"),  # bodies
        ("second", "i8"),
        ("first_point", "f8", (3,)),  # body frames
        ("second_point", "f8", (3,)),
        ("first_rotation", "f8", (3, 3)),  # ON_FRAMES: axes of the two frames relative to their bodies
        ("second_rotation", "f8", (3, 3)),
        ("weights", "f8", (2,)),  # ON_FRAMES: weights of relative velocity and spin in the correction that balances its energy in a step
        ("value", "i8"),  # first of its parameters in `values`
        ("values", "i8"),  # how many
        ("address", "i8"),  # position of its function in `addresses`; -1: none
        ("local", "i8"),  # 1: vector given in the body's axes
        ("item", "i8"),  # users' functions: first body in `members`
        ("items", "i8"),  # and number of bodies
    ],
    align=True,
)


# A body of a planar system in absolute coordinates (`formulations/absolute/plane/`): its two directors in the plane, the second a quarter turn
# from the first in the `sense` 1 or -1, and the third one along the normal; inertia about the normal. Of the ground they are the axes of the world.
PLANE_FRAME = np.dtype(
    [("first", "i8"), ("second", "i8"), ("third", "i8"), ("sense", "f8"), ("mass", "f8"), ("inertia", "f8")],
    align=True,
)

# A body in the directors formulation: three directors along its principal axes, attached at the centre of mass.
FRAME = np.dtype(
    [
        ("mass", "f8"),
        ("euler", "f8", (3,)),  # principal values of the Euler tensor, tr(J)/2 - J_a, kg m^2
        ("axes", "f8", (3, 3)),  # directors in body axes, columns
        ("origin", "f8", (3,)),  # body origin relative to the centre of mass, director axes, m
        ("com", "f8", (3,)),  # centre of mass in the body frame; of a welded group that shares its inertia, that of the group
        ("grounded", "i8"),  # 1: joined with the ground, directly or through other bodies
        ("shared", "i8"),  # 1: mass and inertia are a share of those of all bodies welded to it (`layout/welds.py`)
        ("plane", PLANE_FRAME),  # of planar systems only
    ],
    align=True,
)

# A scalar function of the directors of two bodies: (part of) a constraint row, or a joint coordinate. Kinds: see `elements/director_scalars.py`.
SCALAR = np.dtype(
    [
        ("kind", "i8"),
        ("first", "i8"),  # bodies
        ("second", "i8"),
        ("joint", "i8"),  # record in `joints` that it belongs to
        ("row", "i8"),  # index of its multiplier; -1: none
        ("number", "i8"),  # of its row among those of the model; -1: none
        ("first_leg", "i8"),  # block of the constraint matrix on the first body; -1: the ground, or none
        ("second_leg", "i8"),
        ("angle", "i8"),  # position of its unwrapped value among the angles of the state; -1: none
        ("point", "i8"),  # 1: this one and the next two, along the world axes, make two points coincide
        ("factor", "f8"),  # factor of the scalar in its row
        ("c", "f8"),  # constant subtracted from the value
        ("unit", "f8"),  # of a row: gap per unit of value, relative to a length of the mechanism, or in rad
        ("first_point", "f8", (3,)),  # from the centre of mass, director axes
        ("second_point", "f8", (3,)),
        ("a", "f8", (3,)),  # directions on the first body (COINCIDE: in the world; SERIAL: see `formulations/absolute/coordinates.py`)
        ("a2", "f8", (3,)),
        ("b", "f8", (3,)),  # and on the second, director axes
        ("b2", "f8", (3,)),
    ],
    align=True,
)


# A signal: value, rate and acceleration of `size` numbers at a time, from a user's function or a piecewise polynomial.
SIGNAL = np.dtype(
    [
        ("size", "i8"),
        ("address", "i8"),  # position of its function in `addresses`; -1: piecewise polynomial
        ("value", "i8"),  # polynomials: times (pieces + 1), then coefficients (pieces, degree + 1, size), in `values`
        ("pieces", "i8"),
        ("degree", "i8"),
    ],
    align=True,
)

# A coordinate that follows one component of a signal; its scalar is in `outputs`, that of its input in `inputs`.
DRIVE = np.dtype(
    [
        ("signal", "i8"),
        ("component", "i8"),
        ("load", "i8"),  # row in `loads` of the motor that drives it; -1: the drive reports its effort itself
    ],
    align=True,
)


# One record: how many there are of what, and where things lie in the state y and in the work array of formulations in absolute
# coordinates. Kernels read it through `formulations/absolute/places.py`; `formulations/absolute/work.py` fills it.
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
            "curved",  # 1: some rows are not quadratic in poses, so that steps leave gaps, which the next one closes
            "clock",  # where in `values` the time stands at which users' rows are evaluated; 0: there are none
            "serial_kernel",  # address of the kernel that finds coordinates of joints made of motions in series; 0: there are none
            # in the state; `state` is its size
            *("velocities", "angles", "efforts", "state"),
            # in the work array, of one configuration
            *("push", "step", "masses", "legs", "weighted", "factor", "diagonal", "row_gaps", "states", "wrenches", "room"),
            # of one stage with a matrix that is not symmetric
            *("mirrored", "turning"),
            # of drives
            *("responses", "drive_matrix", "drive_pivots"),
            # of all stages of a step
            *("stage_poses", "stage_forces", "stage_gaps", "unknowns", "changes", "scales", "anderson", "notes", "powers", "targets"),
            # of a step
            *("middle", "end", "betas", "output_betas", "step_size", "pivot", "task", "task_stage", "around", "differences"),
            # of closed trees with few free motions (`formulations/tree/loops/freedoms.py`): rows in use (0: they are many), lengths in `values`,
            # parts of the work array
            *("n_few", "reaches", "elimination", "rows_by_rates", "given", "right"),
            *("particular", "free_motions", "reduced", "motions", "gram", "change"),
            "work",  # size of the work array
            "variant",  # of the formulation, as a sum of numbers that it defines; 0: none
        )
    ]
    + [("damping", "f8")],  # 1/s, of gaps and their rates, where rows are stabilised by damping them; otherwise 0
    align=True,
)


class Tables(NamedTuple):
    """The tables of a layout, one-dimensional arrays."""

    bodies: np.ndarray
    links: np.ndarray
    joints: np.ndarray
    motions: np.ndarray
    rows: np.ndarray
    loads: np.ndarray
    members: np.ndarray  # i8: bodies of user forces, and what feedbacks see and fill (`elements/feedback.py`)
    values: np.ndarray  # f8: gravity (3), then the parameters of the loads
    addresses: np.ndarray  # i8: users' compiled or wrapped functions
    sizes: np.ndarray  # i8: N_Q, N_V, ...
    signals: np.ndarray
    drives: np.ndarray
    frames: np.ndarray  # for formulations in absolute coordinates only, from here on: bodies,
    terms: np.ndarray  # parts of constraint rows, ordered by row,
    left_out: np.ndarray  # the same for redundant rows, which have no multiplier,
    coordinates: np.ndarray  # scalar coordinates of the joints,
    outputs: np.ndarray  # what drives make follow,
    inputs: np.ndarray  # and by what,
    places: np.ndarray  # where everything lies,
    pattern: np.ndarray  # i8: and the pattern of the elimination (`linear/pattern.py`)
    plane_links: np.ndarray  # of planar trees only, otherwise empty: links,
    plane_bodies: np.ndarray  # bodies,
    plane_scalars: np.ndarray  # and, where loops are closed, `terms`, `left_out` and coordinates with numbers in the state, in the axes of the plane
    # (in planar energy-momentum steps: the rows in the plane)


STACKED = ("bodies", "links", "joints", "motions", "loads", "values")  # tables that hold variants in lanes one after the other


class Layout(Tables):
    """A System frozen into tables. Kernels are given its `address` and hand on that alone, so calls cost the same however many tables there are."""

    @cached_property
    def address(self) -> int:
        """Address of the pointers and lengths of all tables (`layout_type.py`): of this layout, then of each lane of a stacked one."""
        kept: np.ndarray = self.__dict__.setdefault("_pointers", self._found())  # alive as long as this; the same for all threads
        return kept.ctypes.data

    def _found(self) -> np.ndarray:
        """Addresses and lengths of the tables, (1 + lanes, tables, 2); those that are shared with the layout it was made from are known."""
        lanes = [self.lane(k) for k in range(LANES)] if len(self.sizes) > N_VALUES else []
        before, known = self.__dict__.pop("_before", ((None,) * len(self), None))
        if lanes or known is None:
            return np.array([[(table.ctypes.data, len(table)) for table in tables] for tables in (self, *lanes)], np.int64)
        found: np.ndarray = known[:1].copy()
        for k, (table, old) in enumerate(zip(self, before)):
            if table is not old:
                found[0, k] = table.ctypes.data, len(table)
        return found

    def _replace(self, **tables: Any) -> Layout:
        """The layout with other tables in place of some."""
        new, known = super()._replace(**tables), self.__dict__
        if "_pointers" in known:
            new.__dict__["_before"] = tuple(self), known["_pointers"]
        elif (before := known.get("_before")) is not None:
            new.__dict__["_before"] = before
        return new

    def refilled(self, **tables: Any) -> Layout:
        """The same as `_replace`, for layouts of which others are made again and again: the addresses of what they share are found once."""
        assert self.address
        return self._replace(**tables)

    def with_positions(self, count: int) -> Layout:
        """The same tables for equations in which so many numbers of a state are positions; made once for each, since runs only read them."""
        known: dict[int, Layout] = self.__dict__.setdefault("_counted", {})
        if count not in known:
            sizes = self.sizes.copy()
            sizes[N_POSITIONS] = count
            known[count] = self.refilled(sizes=sizes)
        return known[count]

    def lane(self, k: int) -> Tables:
        """The tables of lane k of a stacked layout, as they were before it was stacked."""
        counts = {name: len(getattr(self, name)) // LANES for name in STACKED} | {"values": int(self.sizes[N_VALUES])}
        return Tables(*self)._replace(**{name: getattr(self, name)[k * n : (k + 1) * n] for name, n in counts.items()})

    def __reduce__(self) -> Any:
        return Layout, tuple(self)  # without the address, which means nothing elsewhere


def own_values(layout: Layout) -> Layout:
    """The same tables with their own copy of the values, so that a user's function that writes to its parameters affects no other run."""
    return layout._replace(values=layout.values.copy()) if len(layout.addresses) else layout


def empty_layout() -> Layout:
    """A layout without bodies, which defines the types."""
    bodies, links, joints, motions, rows, loads = (
        np.zeros(1, dtype) for dtype in (BODY, LINK, JOINT, MOTION, ROW, LOAD)
    )
    members, addresses, sizes = (np.zeros(n, np.int64) for n in (1, 1, N_CONTROL + 1))
    signals, drives, frames, scalars = (np.zeros(0, dtype) for dtype in (SIGNAL, DRIVE, FRAME, SCALAR))
    return Layout(
        *(bodies, links, joints, motions, rows, loads, members, np.zeros(3), addresses, sizes),
        *(signals, drives, frames, *(scalars for _ in range(5)), np.zeros(1, PLACES), np.zeros(0, np.int64)),
        *(np.zeros(0, dtype) for dtype in (PLANE_LINK, PLANE_BODY, SCALAR)),
    )
