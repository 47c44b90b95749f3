"""Layout of the work array of the tree formulation.

One block of BLOCK numbers per link, one of WORLD numbers per link, states and wrenches of the bodies (see
`elements.wrenches`), the joint efforts (nv), a spare derivative of the state, scratch for users' functions. All
quantities of a link's block are in its own frame, about its origin (the joint point). The scratch for users' functions also serves joints in series.
"""

from __future__ import annotations

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import kernel
from poinsot.elements.states import BODY_STATE, WRENCH
from poinsot.tables.records import N_CONTROL, N_Q, N_SLOTS, N_V

# block of a link: pose in the parent, motion, gains of the elimination, accelerations, joint wrench
TURN, OFFSET = 0, 9  # E (link to parent), d (in the parent's axes)
OMEGA, ETA, ZETA = 12, 15, 18  # angular velocity; velocity products in the angular and linear acceleration
GAIN, FREE = 21, 30  # K (9), u (3)
ALPHA, ACCELERATION = 33, 36  # of the origin; gravity is taken as an acceleration of the ground
MOMENT, FORCE = 39, 42  # joint wrench; used by inverse dynamics only
BLOCK = 45

# slot: articulated inertia (I, H, M) and bias (n, f) of all children of a link, about its origin
INERTIA, COUPLING, MASS, BIAS_MOMENT, BIAS_FORCE = 0, 6, 15, 21, 24
SLOT = 27

# world block of a link: attitude (link to world), origin, velocity of the origin, angular velocity, all in the world;
# external force and moment about the origin, in the link's axes
ATTITUDE, PLACE, VELOCITY, SPIN, EXTERNAL_FORCE, EXTERNAL_MOMENT = 0, 9, 12, 15, 18, 21
QUATERNION = 24  # of the attitude, filled only by observations
WORLD = 28


def work_size(links: int, bodies: int, rates: int, state: int, slots: int, room: int) -> int:
    """Length of the work array; `room` is the scratch that loads need."""
    return links * (BLOCK + WORLD) + bodies * (BODY_STATE + WRENCH) + rates + state + slots * SLOT + room


def lane_work_size(work: int, state: int) -> int:
    """Length of the work array of `lanes/`, from those of the work array and the state of a single run."""
    return (LANES + 1) * work + state + 1


def stage_work_size(work: int, state: int) -> int:
    """The same where lanes are stages, with the time of each."""
    return lane_work_size(work, state) + LANES


@kernel
def world_block(layout, i):
    """First position of the world block of link i."""
    return layout.links.shape[0] * BLOCK + i * WORLD


@kernel
def states_block(layout):
    """First position of the states of bodies."""
    return layout.links.shape[0] * (BLOCK + WORLD)


@kernel
def wrenches_block(layout):
    """First position of the wrenches on bodies."""
    return states_block(layout) + layout.bodies.shape[0] * BODY_STATE


@kernel
def efforts_block(layout):
    """First position of the joint efforts, one per rate."""
    return wrenches_block(layout) + layout.bodies.shape[0] * WRENCH


@kernel
def spare_block(layout):
    """First position of room for one derivative of the state."""
    return efforts_block(layout) + layout.sizes[N_V]


@kernel
def slots_block(layout):
    """First position of the slots."""
    return spare_block(layout) + layout.sizes[N_Q] + layout.sizes[N_V] + layout.sizes[N_CONTROL] + 1


@kernel
def room_block(layout):
    """First position of the room for users' functions."""
    return slots_block(layout) + layout.sizes[N_SLOTS] * SLOT
