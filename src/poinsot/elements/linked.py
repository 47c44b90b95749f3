"""The row of a screw: displacement along u - lead * angle about u. The one row that is not quadratic; it is made of two coordinates."""

from __future__ import annotations

from poinsot.algebra.compile import kernel
from poinsot.algebra.matrices import plus, times
from poinsot.algebra.vectors import add_scaled, cross
from poinsot.elements.coordinates import ANGLE, DISPLACEMENT, coordinate_gradient, coordinate_value


@kernel
def linked_value(u, m, lead, pair):
    """Value (m) of the row; m is a unit vector perpendicular to the unit axis u, lead in m/rad.

    The angle is taken on the branch that the displacement tells, so that turns need not be counted.
    """
    slide = coordinate_value(DISPLACEMENT, u, m, 0.0, pair)
    if lead == 0.0:
        return slide
    return slide - lead * coordinate_value(ANGLE, m, cross(u, m), slide / lead, pair)


@kernel
def linked_gradient(u, m, lead, pair):
    """Gradient (dpa, dAa, dpb, dAb) of the row."""
    pa, Aa, pb, Ab = coordinate_gradient(DISPLACEMENT, u, m, pair)
    qa, Ba, qb, Bb = coordinate_gradient(ANGLE, m, cross(u, m), pair)
    return add_scaled(pa, -lead, qa), plus(Aa, times(-lead, Ba)), add_scaled(pb, -lead, qb), plus(Ab, times(-lead, Bb))
