"""Momenta of a tree, conjugate to its coordinates: of a state of rates, their derivatives, and the rates of given momenta.

With n (angular momentum of a link and all it carries, about the origin x of the link) and P (momentum), in the world, and e the axis:

    rotation about and slide along e:  p = e . (rot n + lin P)
    translation:                       p = R' P
    ball:                              p = R' n, held as pi = 2 u p, conjugate to the quaternion u

The derivatives follow from n' = mom = c x g + external moments - x' x P, P' = F = m g + external forces, and e' = om x e with the
angular velocity om of the parent:

    p' = tau + rot (e . mom + (om x e) . n) + lin (e . F + (om x e) . P)
    p' = tau + R' (F - om x P)
    pi' = pi v / 2 + 2 u L / |u|^2,   L = tau + R' (mom + n x om)

For a ball these are Hamilton's equations off the unit sphere too, and |u|^2 and u . pi are quadratic invariants: Gauss methods keep them,
and are symplectic without charts. A state holds momenta over their units, sums of the inertias and of the masses of all links, so that all
its numbers are of comparable size.
"""

from __future__ import annotations

from numba import void

from poinsot.algebra.compile import internal, kernel
from poinsot.algebra.matrices import apply, apply_transposed, column, load33, load_symmetric
from poinsot.algebra.quaternions import conjugate, load4, multiply, store4
from poinsot.algebra.vectors import add, cross, dot, increase3, load3, scale, store3, sub, vector
from poinsot.formulations.tree.work import (
    ATTITUDE,
    EXTERNAL_FORCE,
    EXTERNAL_MOMENT,
    PLACE,
    SPIN,
    VELOCITY,
    efforts_block,
    room_block,
    world_block,
)
from poinsot.tables.records import BALL, HELICAL, N_CONTROL, N_Q, N_ROOM, N_V, N_WRENCHES
from poinsot.tables.types import FLOATS, LAYOUT

# of a link and all it carries, about the origin of the link, in the world: angular momentum, momentum, moment and force from outside
ANGULAR, LINEAR, PULL_MOMENT, PULL = 0, 3, 6, 9
SUBTREE = 12


def momenta_size(links: int, state: int) -> int:
    """Room that momenta need behind that of the tree: a state of the tree, sums over subtrees."""
    return state + links * SUBTREE


@kernel
def own_block(layout):
    """First position of a state of the tree, y = (q, v, what controllers keep, work)."""
    return room_block(layout) + layout.sizes[N_ROOM]


@kernel
def sums_block(layout):
    """First position of the sums over subtrees, behind that state."""
    return own_block(layout) + layout.sizes[N_Q] + layout.sizes[N_V] + layout.sizes[N_CONTROL] + 1


@kernel
def units(layout):
    """Units of angular momenta (kg m^2) and of momenta (kg): rates times these are of the size of momenta."""
    turning, sliding = 0.0, 0.0
    for i in range(1, layout.links.shape[0]):
        I = load_symmetric(layout.links[i].inertia, 0)
        turning += I[0][0] + I[1][1] + I[2][2]
        sliding += layout.links[i].mass
    return turning if turning > 0.0 else 1.0, sliding if sliding > 0.0 else 1.0


@kernel
def unit_of(link, both):
    """The unit of the momenta of a link, of the two."""
    return both[0] if link.kind == BALL or (link.kind == HELICAL and link.rot != 0.0) else both[1]


@internal(void(LAYOUT, FLOATS))
def sum_subtrees(layout, work):
    """Momenta of all links and what acts on them, summed from the tips inward; the links stand in the world in `work`."""
    sums, gravity = work[sums_block(layout) :], load3(layout.values, 0)
    n = layout.links.shape[0]
    for i in range(n):
        link, world, k = layout.links[i], world_block(layout, i), i * SUBTREE
        R, v, omega = load33(work, world + ATTITUDE), load3(work, world + VELOCITY), load3(work, world + SPIN)
        c = apply(R, vector(link.moment))
        spin = apply(R, apply(load_symmetric(link.inertia, 0), apply_transposed(R, omega)))
        store3(sums, k + ANGULAR, add(spin, cross(c, v)))
        store3(sums, k + LINEAR, add(scale(link.mass, v), cross(omega, c)))
        store3(sums, k + PULL_MOMENT, cross(c, gravity))
        store3(sums, k + PULL, scale(link.mass, gravity))
        if layout.sizes[N_WRENCHES] > 0:
            increase3(sums, k + PULL_MOMENT, apply(R, load3(work, world + EXTERNAL_MOMENT)))
            increase3(sums, k + PULL, apply(R, load3(work, world + EXTERNAL_FORCE)))
    for i in range(n - 1, 0, -1):
        k, parent = i * SUBTREE, layout.links[i].parent * SUBTREE
        arm = sub(load3(work, world_block(layout, i) + PLACE), load3(work, world_block(layout, layout.links[i].parent) + PLACE))
        P, F = load3(sums, k + LINEAR), load3(sums, k + PULL)
        increase3(sums, parent + ANGULAR, add(load3(sums, k + ANGULAR), cross(arm, P)))
        increase3(sums, parent + LINEAR, P)
        increase3(sums, parent + PULL_MOMENT, add(load3(sums, k + PULL_MOMENT), cross(arm, F)))
        increase3(sums, parent + PULL, F)


@kernel
def store_momenta(layout, work, y):
    """Momenta of the state whose subtrees have been summed, over their units, to y[nq : 2 nq]."""
    nq, sums, both = layout.sizes[N_Q], work[sums_block(layout) :], units(layout)
    for i in range(1, layout.links.shape[0]):
        link, k = layout.links[i], i * SUBTREE
        R, n, P = load33(work, world_block(layout, i) + ATTITUDE), load3(sums, k + ANGULAR), load3(sums, k + LINEAR)
        j, per = nq + link.iq, 1.0 / unit_of(link, both)
        if link.kind == BALL:
            p = scale(2.0 * per, apply_transposed(R, n))
            store4(y, j, multiply(load4(y, link.iq), (0.0, p[0], p[1], p[2])))
        elif link.kind == HELICAL:
            e = column(R, 2)
            y[j] = per * (link.rot * dot(e, n) + link.lin * dot(e, P))
        else:
            store3(y, j, scale(per, apply_transposed(R, P)))


@kernel
def load_momenta(y, layout, work):
    """Write the momenta in y, conjugate to the rates of the tree, to the joint efforts."""
    nq, efforts, both = layout.sizes[N_Q], efforts_block(layout), units(layout)
    for i in range(1, layout.links.shape[0]):
        link = layout.links[i]
        j, k, unit = nq + link.iq, efforts + link.iv, unit_of(link, both)
        if link.kind == BALL:
            p = multiply(conjugate(load4(y, link.iq)), load4(y, j))
            store3(work, k, (0.5 * unit * p[1], 0.5 * unit * p[2], 0.5 * unit * p[3]))
        elif link.kind == HELICAL:
            work[k] = unit * y[j]
        else:
            store3(work, k, scale(unit, load3(y, j)))


@kernel
def momentum_rates(y, layout, work, ydot):
    """Derivatives of the momenta in y, from the sums over subtrees and the joint efforts in `work`."""
    nq, efforts, both = layout.sizes[N_Q], efforts_block(layout), units(layout)
    sums, rates = work[sums_block(layout) :], work[own_block(layout) + nq :]
    for i in range(1, layout.links.shape[0]):
        link, k, world = layout.links[i], i * SUBTREE, world_block(layout, i)
        R, n, P = load33(work, world + ATTITUDE), load3(sums, k + ANGULAR), load3(sums, k + LINEAR)
        om = load3(work, world_block(layout, link.parent) + SPIN)
        mom = sub(load3(sums, k + PULL_MOMENT), cross(load3(work, world + VELOCITY), P))
        F, tau, j, per = load3(sums, k + PULL), efforts + link.iv, nq + link.iq, 1.0 / unit_of(link, both)
        if link.kind == BALL:
            L = scale(per, add(load3(work, tau), apply_transposed(R, add(mom, cross(n, om)))))
            u, v = load4(y, link.iq), load3(rates, link.iv)
            one = multiply(load4(y, j), (0.0, 0.5 * v[0], 0.5 * v[1], 0.5 * v[2]))
            two = multiply(u, (0.0, L[0], L[1], L[2]))
            s = 2.0 / (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[3] * u[3])
            store4(ydot, j, (one[0] + s * two[0], one[1] + s * two[1], one[2] + s * two[2], one[3] + s * two[3]))
        elif link.kind == HELICAL:
            e = column(R, 2)
            turned = cross(om, e)
            turn, slide = dot(e, mom) + dot(turned, n), dot(e, F) + dot(turned, P)
            ydot[j] = per * (work[tau] + link.rot * turn + link.lin * slide)
        else:
            store3(ydot, j, scale(per, add(load3(work, tau), apply_transposed(R, sub(F, cross(om, P))))))
