"""Scales of rows, to tell whether they are independent of each other: how easily their bodies would move by themselves.

A row on joint coordinates may vanish altogether, as that along a bar does where the bar can only move across: compared with what is left of it, it
would look as independent as ever.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.vectors import cross, dot
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.coordinates import gradient_of
from poinsot.formulations.absolute.rows import AXES, arms
from poinsot.formulations.tree.loops import places as own


@kernel
def mobility(body, force, moment, layout):
    """What a force and a moment about its centre of mass do to a body by itself, along themselves, at least; zero for the ground."""
    own_mass, I = layout.bodies[body].mass, layout.bodies[body].inertia
    total = 0.0
    if body > 0 and own_mass > 0.0:
        total = dot(force, force) / own_mass
        if I[0] + I[1] + I[2] > 0.0:
            total += dot(moment, moment) / (I[0] + I[1] + I[2])
    return total


@helper
def raise_diagonal(layout, work):
    """Entries of `diagonal` become at least what their rows have on bodies that nothing else holds."""
    at = layout.places[0]
    configuration, diagonal = work[own.configuration(at)], work[places.diagonal(at)]
    n = 0
    while n < layout.terms.shape[0]:
        term = layout.terms[n]
        if term.point == 1:
            arm_a, arm_b = arms(term, configuration)
            for k in range(3):
                free = mobility(term.first, AXES[k], cross(arm_a, AXES[k]), layout)
                free += mobility(term.second, AXES[k], cross(arm_b, AXES[k]), layout)
                diagonal[term.row + k] = max(diagonal[term.row + k], free)
            n += 3
            continue
        n += 1
        fa, ma, fb, mb = gradient_of(term, layout, configuration, configuration)
        free = mobility(term.first, fa, ma, layout) + mobility(term.second, fb, mb, layout)
        diagonal[term.row] = max(diagonal[term.row], term.factor * term.factor * free)
