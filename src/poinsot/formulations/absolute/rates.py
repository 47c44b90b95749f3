"""Rates of configurations and twists: kinematics, and accelerations with the multipliers of all rows (index 1)."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import hat_times, store33
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.director_scalars import POSE, SERIAL, directors
from poinsot.elements.serial import NUMBERS
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.coordinates import gradient_of, rows_failed, rows_power, set_clock
from poinsot.formulations.absolute.reactions import accelerate, applied
from poinsot.formulations.absolute.rows import build
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.types import CALLBACK, OK


@helper
def configuration_rate(y, layout, twists, ydot):
    """Rates of poses, x' = v and D' = w x D, and of the joints' angles; coordinates of joints in series are found only after every step."""
    for b in range(layout.bodies.shape[0]):
        k = TWIST * b
        store3(ydot, POSE * b, load3(twists, k))
        store33(ydot, POSE * b + 3, hat_times(load3(twists, k + 3), directors(y, b)))
    at = layout.places[0]
    angle_rates(y, layout, twists, ydot[at.angles : at.angles + at.n_angles])


@helper
def angle_rates(y, layout, twists, rates):
    """Rates of the joints' angles."""
    for k in range(layout.coordinates.shape[0]):
        scalar = layout.coordinates[k]
        if scalar.kind == SERIAL:
            for i in range(NUMBERS):
                rates[int(scalar.a[2]) + i] = 0.0
        elif scalar.angle >= 0:
            rates[scalar.angle] = pair_rate(gradient_of(scalar, layout, y, y), twists, scalar.first, scalar.second)


@helper
def accelerations(t, y, layout, work, twists, forces, report):
    """Accelerations of all bodies at a configuration and twists, in `forces`; multipliers in `step`, loads in `report` (or their power alone).

    Returns a status.
    """
    set_clock(layout, t)
    build(layout, y, y, work, 0.0, work)
    status = applied(t, y, layout, work, twists, forces, report, True)
    if status == OK:
        accelerate(y, layout, work, twists, forces)
        report[0] += rows_power(layout, y, work[places.step(layout.places[0])])
    return CALLBACK if rows_failed(layout) else status
