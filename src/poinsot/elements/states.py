"""States and wrenches of bodies in the world, the same for every formulation.

State of a body: BODY_STATE numbers, origin (3), attitude (9, row by row, body to world), velocity of the origin (3),
angular velocity (3), all in the world. Wrench of a body: WRENCH numbers, force (3) and moment about the centre of
mass (3), world axes.

Formulations in absolute coordinates describe a body by a pose, POSE numbers, a point of it (3) and three axes (9, columns, row
by row), and a twist, TWIST numbers, the velocity of that point and the angular velocity, all in the world.
"""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, load33
from poinsot.algebra.vectors import add, cross, increase3, load3, sub, vector

BODY_STATE, WRENCH, POSE, TWIST = 18, 6, 12, 6
ORIGIN, ATTITUDE, VELOCITY, SPIN = 0, 3, 12, 15


@kernel
def point_state(states, body, point):
    """World position and velocity of a point given in the body frame, and its arm from the origin, world axes."""
    base = body * BODY_STATE
    arm = apply(load33(states, base + ATTITUDE), point)
    place = add(load3(states, base + ORIGIN), arm)
    return place, add(load3(states, base + VELOCITY), cross(load3(states, base + SPIN), arm)), arm


@helper
def push(layout, states, wrenches, body, force, arm):
    """Add a force that acts at `arm` from the origin of a body; arm and force in world axes."""
    com = apply(load33(states, body * BODY_STATE + ATTITUDE), vector(layout.bodies[body].com))
    increase3(wrenches, body * WRENCH, force)
    increase3(wrenches, body * WRENCH + 3, cross(sub(arm, com), force))
