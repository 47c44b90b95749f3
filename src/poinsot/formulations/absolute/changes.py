"""Changes of scalars and of energies over a step, summed from the rates at its stages.

What is quadratic in the directors changes by exactly h sum b_i rate_i. Written with these sums, and not as a difference of
two values, a change keeps its relative precision however slowly things move: near a position of rest the corrections
that divide by squared rates then stay at rounding.
"""

from __future__ import annotations

from math import asin, atan2, sin, sqrt

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.vectors import dot, load3, sub
from poinsot.elements.director_scalars import directors, products
from poinsot.formulations.absolute.work import TWIST

ENERGY_ROUNDING = 1e-15  # of energies: differences that are smaller mean nothing
RESTING = 1e-200  # sum of squared rates below which nothing is to be corrected


@kernel
def beyond_rounding(miss, size):
    """An energy error (J), or zero where it is smaller than the rounding of energies of this size (J)."""
    return miss if abs(miss) > ENERGY_ROUNDING * size else 0.0


@kernel
def product_rates(scalar, poses, twists):
    """Of an ANGLE: its two products, sine and cosine, and their rates."""
    s, c, ms, mc = products(scalar, directors(poses, scalar.first), directors(poses, scalar.second))
    spin = sub(load3(twists, TWIST * scalar.first + 3), load3(twists, TWIST * scalar.second + 3))
    return s, c, dot(ms, spin), dot(mc, spin)


@helper
def angle_change(scalar, poses, ds, dc):
    """Change of an ANGLE from given poses when its two products change by ds and dc; less than half a turn."""
    s, c, _, _ = products(scalar, directors(poses, scalar.first), directors(poses, scalar.second))
    return atan2(ds * c - dc * s, c * (c + dc) + s * (s + ds))


@helper
def one_stage_correction(scalar, y, poses, twists, h):
    """Of an ANGLE in a step of one stage: the correction with which an effort does the work effort times change of the angle."""
    s, c, s_rate, c_rate = product_rates(scalar, poses, twists)
    square = h * (s_rate * s_rate + c_rate * c_rate)
    turned = h * (c * s_rate - s * c_rate) / (s * s + c * c)
    return (angle_change(scalar, y, h * s_rate, h * c_rate) - turned) / square if square > RESTING else 0.0


@kernel
def excess(before, after, moved):
    """How much more a scalar changes over a step than its rates at the stages tell; 0 where rounding hides it."""
    more = (after - before) - moved
    return 0.0 if abs(more) < ENERGY_ROUNDING * (1.0 + abs(before) + abs(after)) else more


@kernel
def half_angle(trace):
    """Half the angle of a rotation from its trace."""
    return asin(sqrt(min(max(0.25 * (3.0 - trace), 0.0), 1.0)))


@kernel
def mean_ball_slope(k, before, after, change):
    """Change of k angle^2 / 2 over the change of the trace, from its values before and after.

    With a half the angle: sin(a1 - a0) sin(a1 + a0) = sin(a1)^2 - sin(a0)^2, which is minus a quarter of the change.
    """
    total = half_angle(before) + half_angle(after)
    if total < 1e-7:
        return -0.5 * k
    x = -0.25 * change / sin(total)
    x = min(max(x, -1.0), 1.0)
    return -0.5 * k * (total / sin(total)) * (asin(x) / x if abs(x) > 1e-9 else 1.0)
