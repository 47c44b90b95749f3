"""Between twists of bodies and the rates of positions and directors in a state."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import hat_times, load33, store33
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.director_scalars import POSE, directors
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.rotation_matrix.lyapunov import spin


@helper
def set_twists(y, layout, twists):
    """Twists of all bodies from the rates of their positions and directors."""
    first = layout.places[0].velocities
    for b in range(layout.bodies.shape[0]):
        k = first + POSE * b
        store3(twists, TWIST * b, load3(y, k))
        store3(twists, TWIST * b + 3, spin(directors(y, b), load33(y, k + 3)))


@helper
def set_velocities(y, layout, twists):
    """Rates of positions and directors from twists."""
    first = layout.places[0].velocities
    for b in range(layout.bodies.shape[0]):
        k = first + POSE * b
        store3(y, k, load3(twists, TWIST * b))
        store33(y, k + 3, hat_times(load3(twists, TWIST * b + 3), directors(y, b)))
