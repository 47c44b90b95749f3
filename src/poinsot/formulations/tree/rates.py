"""The right-hand side of the tree formulation: q' from v, and v' from forward dynamics."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.elements.feedback import controls_out
from poinsot.formulations.tree.forward import forward_dynamics
from poinsot.formulations.tree.loads import apply_loads
from poinsot.formulations.tree.motion import coordinate_rates
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """Rates of all coordinates."""
    coordinate_rates(y, layout, ydot)
    return OK


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    """v' by forward dynamics, rates of controllers, and the power of non-conservative loads as the last entry."""
    last = ydot.shape[0] - 1
    status = apply_loads(t, y, layout, work, ydot[last:])
    if status != OK:
        return status
    forward_dynamics(y, layout, work, ydot)
    controls_out(layout, 1, ydot)
    return OK
