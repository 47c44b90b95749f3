"""The right-hand side of the tree formulation: q' from v, and v' from forward dynamics."""

from __future__ import annotations

from poinsot.algebra.compile import compiled
from poinsot.algebra.quaternions import load4, quaternion_rate, store4
from poinsot.algebra.vectors import load3, store3
from poinsot.elements.feedback import controls_out
from poinsot.formulations.tree.forward import forward_dynamics
from poinsot.formulations.tree.loads import apply_loads
from poinsot.tables.records import BALL, HELICAL, N_Q
from poinsot.tables.types import OK, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    """q' = v, and u' = u omega / 2 for a ball (saetran2018, corrected: omega in the body frame)."""
    nq = layout.sizes[N_Q]
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        k, j = link.iq, nq + link.iv
        if link.kind == BALL:
            store4(ydot, k, quaternion_rate(load4(y, k), load3(y, j)))
        elif link.kind == HELICAL:
            ydot[k] = y[j]
        else:
            store3(ydot, k, load3(y, j))
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
