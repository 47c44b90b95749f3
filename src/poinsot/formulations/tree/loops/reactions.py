"""Accelerations of bodies and reactions of all joints of a closed tree: of those that close loops, from their multipliers; then of the tree."""

from __future__ import annotations

from poinsot.algebra.compile import compiled, helper, kernel
from poinsot.algebra.vectors import ZERO, add, increase3, load3, store3
from poinsot.elements.states import TWIST
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pull
from poinsot.formulations.absolute.coordinates import gradient_of, set_clock
from poinsot.formulations.absolute.reactions import add_reaction
from poinsot.formulations.tree.joint_wrenches import accelerations, pass_on, required_wrench
from poinsot.formulations.tree.loops import places as own
from poinsot.formulations.tree.loops.configuration import place_bodies
from poinsot.formulations.tree.loops.dynamics import accelerate_closed
from poinsot.formulations.tree.loops.loads import apply_closed_loads
from poinsot.formulations.tree.work import slots_block, spare_block
from poinsot.tables.types import OK, RATE_SIGNATURE


@kernel
def beyond_rows(b, layout, work, required):
    """What a body requires beyond the forces of the rows, which were taken from `forces`, as well."""
    force, moment, com = required
    taken = work[places.forces(layout.places[0])]
    return add(force, load3(taken, TWIST * b)), add(moment, load3(taken, TWIST * b + 3)), com


@helper
def row_forces(layout, work, row, reactions):
    """Reactions of joints that close loops, and the forces of the rows on bodies, which are taken from `forces`."""
    at = layout.places[0]
    c, taken, multipliers = work[own.configuration(at)], work[places.forces(at)], work[places.step(at)]
    for k in range(taken.shape[0]):
        taken[k] = 0.0
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        multiplier = multipliers[term.row]
        add_reaction(term, c, layout, multiplier, row, reactions + 6 * term.joint)
        pull(taken, -term.factor * multiplier, gradient_of(term, layout, c, c), term.first, term.second)
    store3(taken, 0, ZERO)
    store3(taken, 3, ZERO)


@helper
def fill_tree(layout, work, row, reactions):
    """Accelerations of bodies, and reactions of joints of the tree under the forces that were taken from `forces`."""
    nb = layout.bodies.shape[0]
    for b in range(nb):
        accelerations(b, layout, work, row)
    for k in range(nb - 1, 0, -1):
        b = layout.bodies[k].order
        pass_on(b, layout, work, row, reactions, beyond_rows(b, layout, work, required_wrench(b, layout, work, row)))
    gravity = load3(layout.values, 0)
    for b in range(nb):
        increase3(row, 6 * b, gravity)


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    """Fill a loads row (see `formulations/contract.py`)."""
    nb, nj = layout.bodies.shape[0], layout.joints.shape[0]
    reactions, report = 6 * nb, 6 * (nb + nj)
    set_clock(layout, t)
    place_bodies(y, layout, work)
    status = apply_closed_loads(t, y, layout, work, True, row[report:])
    if status == OK:
        status = accelerate_closed(y, layout, work, work[spare_block(layout) : slots_block(layout)], row[report:])
    if status != OK:
        return status
    for k in range(reactions, report):
        row[k] = 0.0
    row_forces(layout, work, row, reactions)
    fill_tree(layout, work, row, reactions)
    return OK
