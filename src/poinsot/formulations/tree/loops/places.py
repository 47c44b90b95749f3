"""Parts of the work array of closed trees by name, beside those of `formulations/absolute/places.py`, and of the pattern (`tables.py`)."""

from __future__ import annotations

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import kernel
from poinsot.linear.pattern import EMPTY, GROUPS, LEGS

GAINS = 16  # numbers of a link among the gains
LEG, PART = 6 * LANES, 3 * LANES  # numbers of a leg, and of its part of Y


@kernel
def configuration(at):
    """Poses of all bodies, their centres of mass and axes, then the angles of joints: n_poses + n_angles."""
    return slice(at.stage_poses, at.stage_poses + at.n_poses + at.n_angles)


@kernel
def pushes(at):
    """Sums of multipliers times rows, per rate of the tree: n_velocities."""
    return slice(at.changes, at.changes + at.n_velocities)


@kernel
def multipliers(at):
    """Multipliers of the last evaluation: n_rows."""
    return slice(at.mirrored, at.mirrored + at.n_rows)


@kernel
def gains(at, i):
    """First position of the gains of link i: how it passes a wrench on to its parent, in world axes (`rows.py`)."""
    return at.scales + GAINS * i


@kernel
def parents(p):
    """Where in the pattern the legs on parents stand: one per leg."""
    return p[EMPTY] + 3 * p[GROUPS]


@kernel
def touched(p):
    """Where in the pattern it stands whether links have legs: one number per link."""
    return parents(p) + p[LEGS]


@kernel
def loose(layout):
    """Where in the pattern coordinates of joints that close loops stand: how many, then pairs."""
    return touched(layout.pattern) + layout.links.shape[0]


@kernel
def known(layout):
    """Where in the pattern motions of the tree stand whose coordinates rows need: how many, then pairs."""
    first = loose(layout)
    return first + 1 + 2 * layout.pattern[first]


@kernel
def seen(layout):
    """Where in the pattern the bodies stand that rows or loads see: how many, then their numbers."""
    first = known(layout)
    return first + 1 + 2 * layout.pattern[first]


@kernel
def response(at, k):
    """Response of the constrained tree to input k, as numbers per rate: n_velocities."""
    first = at.responses + k * (2 * at.n_velocities + at.n_rows)
    return slice(first, first + at.n_velocities)


@kernel
def response_multipliers(at, k):
    """Multipliers of that response: n_rows."""
    first = at.responses + k * (2 * at.n_velocities + at.n_rows) + at.n_velocities
    return slice(first, first + at.n_rows)


@kernel
def output_part(at, k):
    """Part y of output k, as numbers per rate: n_velocities."""
    first = at.responses + (k + 1) * (2 * at.n_velocities + at.n_rows) - at.n_velocities
    return slice(first, first + at.n_velocities)


@kernel
def passing(at, links):
    """Wrenches on their way to the ground: six numbers per link."""
    return slice(at.targets, at.targets + 6 * links)
