"""Scalars of two bodies at a state or at the stages of a step: those of `elements/director_scalars.py`, and coordinates of joints
made of motions in series (`elements/serial.py`), which are found near those of a state y, contacts (`elements/contacts.py`), and rows
that users wrote (`elements/user_rows.py`).

Of the first two of these `scalar.a` holds where it is described in `layout.values`, the number of its rate in the joint, or minus its kind,
and where the joint's coordinates stand among the angles of the state; of a user's row where it is described, which function it calls, and
the number of row and pair of bodies. Its time stands in `layout.values`, where `set_clock` puts it.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.vectors import ZERO, load3, scale
from poinsot.elements.director_scalars import SERIAL, scalar_bias, scalar_gradient, scalar_value
from poinsot.elements.serial import GRADIENT, NUMBERS, SECOND_DERIVATIVE, VALUES
from poinsot.elements.serial_call import call_serial
from poinsot.elements.user_rows import FAILED, RIGHT_SIDE
from poinsot.formulations.absolute.bodies import pair_rate
from poinsot.formulations.absolute.work import TWIST
from poinsot.tables.records import USER_ROW

NONE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
STANDSTILL = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def set_clock(layout, t):
    """Users' rows are evaluated at time t from now on."""
    at = layout.places[0]
    if at.clock > 0:
        layout.values[at.clock] = t


@helper
def user_row(scalar, layout, poses, twists, moving):
    """Gradient of a user's row on two of its bodies, its right-hand side, and, when `moving` (1) with twists, its rate at zero accelerations."""
    at = layout.places[0]
    given = (layout.values[at.clock], moving, scalar.a[2], *NONE)
    address, data = layout.addresses[int(scalar.a[1])], layout.values[int(scalar.a[0]) :]
    return call_serial(at.serial_kernel, -address, given, poses, twists, data)


@kernel
def right_side(scalar, layout, poses):
    """What the rate of a row must be: other than zero for users' rows only."""
    return user_row(scalar, layout, poses, poses, 0.0)[RIGHT_SIDE - VALUES] if scalar.kind == USER_ROW else 0.0


@helper
def ask_for_rates(layout, poses, step):
    """Set a right-hand side of `constrained` (`rows.py`) with which the rows have the rates that they must have."""
    for k in range(step.shape[0]):
        step[k] = 0.0
    if layout.places[0].clock > 0:
        for k in range(layout.terms.shape[0]):
            term = layout.terms[k]
            step[term.row] -= right_side(term, layout, poses)


@helper
def rows_power(layout, poses, multipliers):
    """Power of the forces of the rows in use: they do work where the rates of rows are not zero."""
    total = 0.0
    if layout.places[0].clock > 0:
        for k in range(layout.terms.shape[0]):
            term = layout.terms[k]
            total -= multipliers[term.row] * right_side(term, layout, poses)
    return total


@helper
def rows_failed(layout):
    """Whether a user's function of rows failed since this was last asked, or gave a number that is not finite."""
    failed = False
    if layout.places[0].clock > 0:
        for k in range(layout.terms.shape[0]):
            term = layout.terms[k]
            if term.kind == USER_ROW and layout.values[int(term.a[0]) + FAILED] != 0.0:
                layout.values[int(term.a[0]) + FAILED] = 0.0
                failed = True
    return failed


@helper
def serial(scalar, layout, y, poses, twists):
    """Coordinates, gradient and second derivative of a joint in series, a contact, or a user's row, at some poses, near those of the state y."""
    if scalar.kind == USER_ROW:
        return user_row(scalar, layout, poses, poses, 0.0)
    at = layout.places[0]
    near, data = y[at.angles + int(scalar.a[2]) :], layout.values[int(scalar.a[0]) :]
    return call_serial(at.serial_kernel, int(scalar.a[1]), twists, poses, near, data)


@kernel
def serial_gradient(found):
    """Gradient (force_a, moment_a, force_b, moment_b) of a solution."""
    k = GRADIENT - VALUES
    return (
        (found[k], found[k + 1], found[k + 2]),
        (found[k + 3], found[k + 4], found[k + 5]),
        (found[k + 6], found[k + 7], found[k + 8]),
        (found[k + 9], found[k + 10], found[k + 11]),
    )


@kernel
def value_of(scalar, layout, y, poses, near):
    """Value of a scalar at some poses; of an angle that nearest to the one in the state y, or to `near` where it has none there."""
    if scalar.kind == USER_ROW:
        return 0.0
    if scalar.kind >= SERIAL:
        return serial(scalar, layout, y, poses, STANDSTILL)[scalar.angle - int(scalar.a[2])]
    return scalar_value(scalar, poses, y[layout.places[0].angles + scalar.angle] if scalar.angle >= 0 else near)


@kernel
def gradient_of(scalar, layout, y, poses):
    """Gradient (force_a, moment_a, force_b, moment_b) of a scalar at some poses."""
    if scalar.kind >= SERIAL:
        return serial_gradient(serial(scalar, layout, y, poses, STANDSTILL))
    return scalar_gradient(scalar, poses, ZERO, ZERO, 0.0)


@kernel
def corrected_gradient(scalar, layout, y, poses, twists, beta):
    """Gradient with a correction `beta` along its rate, with which rates at the stages add up to the change over the step."""
    if scalar.kind >= SERIAL:
        fa, ma, fb, mb = serial_gradient(serial(scalar, layout, y, poses, STANDSTILL))
        more = 1.0 + beta * pair_rate((fa, ma, fb, mb), twists, scalar.first, scalar.second)
        return scale(more, fa), scale(more, ma), scale(more, fb), scale(more, mb)
    wa, wb = load3(twists, TWIST * scalar.first + 3), load3(twists, TWIST * scalar.second + 3)
    return scalar_gradient(scalar, poses, wa, wb, beta)


@kernel
def bias_of(scalar, layout, y, twists):
    """Second derivative of a scalar at a state and its twists while the accelerations of both bodies are zero; of a user's row, less that of
    its right-hand side, all of it with the first pair of bodies.
    """
    if scalar.kind == USER_ROW:
        return user_row(scalar, layout, y, twists, 1.0)[SECOND_DERIVATIVE - VALUES]
    i, j = TWIST * scalar.first, TWIST * scalar.second
    va, wa, vb, wb = load3(twists, i), load3(twists, i + 3), load3(twists, j), load3(twists, j + 3)
    if scalar.kind >= SERIAL:
        moving = (va[0], va[1], va[2], wa[0], wa[1], wa[2], vb[0], vb[1], vb[2], wb[0], wb[1], wb[2])
        return serial(scalar, layout, y, y, moving)[SECOND_DERIVATIVE - VALUES]
    return scalar_bias(scalar, y, va, wa, vb, wb)


@helper
def keep_coordinates(layout, y, end):
    """Write the angles of all joints at the end of a step into its state, near those of the state y that it began with."""
    angles = layout.places[0].angles
    for k in range(layout.coordinates.shape[0]):
        scalar = layout.coordinates[k]
        if scalar.kind == SERIAL:
            if scalar.a[1] == 0.0:
                found = serial(scalar, layout, y, end, STANDSTILL)
                for n in range(NUMBERS):
                    end[angles + int(scalar.a[2]) + n] = found[n]
        elif scalar.angle >= 0:
            end[angles + scalar.angle] = scalar_value(scalar, end, y[angles + scalar.angle])
