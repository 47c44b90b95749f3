"""Rates of configurations and twists: kinematics, and accelerations with the multipliers of all rows (index 1)."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import hat_times, store33
from poinsot.algebra.vectors import ZERO, load3, store3
from poinsot.elements.director_scalars import POSE, directors, scalar_gradient
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.reactions import accelerate, applied
from poinsot.formulations.absolute.rows import build
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.types import OK


@helper
def configuration_rate(y, layout, twists, ydot):
    """Rates of poses, x' = v and D' = w x D, and of the joints' angles."""
    for b in range(layout.bodies.shape[0]):
        k = TWIST * b
        store3(ydot, POSE * b, load3(twists, k))
        store33(ydot, POSE * b + 3, hat_times(load3(twists, k + 3), directors(y, b)))
    angles = layout.pattern[at.ANGLES]
    for k in range(layout.coordinates.shape[0]):
        scalar = layout.coordinates[k]
        if scalar.angle >= 0:
            gradient = scalar_gradient(scalar, y, ZERO, ZERO, 0.0)
            ydot[angles + scalar.angle] = pair_rate(gradient, twists, scalar.first, scalar.second)


@helper
def accelerations(t, y, layout, work, twists, forces, report):
    """Accelerations of all bodies at a configuration and twists, in `forces`; multipliers in work[STEP], loads in `report` (or their power alone).

    Returns a status.
    """
    build(layout, y, work, 0.0, work)
    status = applied(t, y, layout, work, twists, forces, report, True)
    if status == OK:
        accelerate(y, layout, work, twists, forces)
    return status
