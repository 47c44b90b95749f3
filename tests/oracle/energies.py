"""Energies and momenta of a state."""

from collections import namedtuple

import numpy as np

from oracle.kinematics import com_position
from oracle.loads import State

# Energy: gravity's potential is zero at the world origin; angular momentum is about the world origin.
Energy = namedtuple("Energy", "kinetic potential momentum angular_momentum")


def energy(model, poses, twists, coordinates):
    """Energy of a state: gravity and springs are potential; constant forces and torques and Euler-angle springs are not."""
    coms = com_position(model, poses)
    kinetic, potential, momentum, moment = 0.0, 0.0, np.zeros(3), np.zeros(3)
    for body, r, c, v, w in zip(model.bodies, poses.rotation, coms, *twists):
        spin = r @ body.inertia @ r.T @ w
        kinetic += 0.5 * body.mass * (v @ v) + 0.5 * (w @ spin)
        potential -= body.mass * (model.gravity @ c)
        momentum = momentum + body.mass * v
        moment = moment + body.mass * np.cross(c, v) + spin
    state = State(model, poses, twists, coordinates, None)
    potential += sum(load.potential(state) for load in model.loads)
    return Energy(float(kinetic), float(potential), momentum, moment)
