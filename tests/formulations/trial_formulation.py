"""A formulation from outside, on the family of absolute coordinates: poses and twists, with rates.

State y: poses of all bodies, unwrapped angles of the joints, twists, work.
"""

from dataclasses import replace

from poinsot.algebra.compile import compiled
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.accepts import reasons_against
from poinsot.formulations.absolute.closing import allow_twists, close_poses
from poinsot.formulations.absolute.observe import fill_motion
from poinsot.formulations.absolute.rates import accelerations, configuration_rate
from poinsot.formulations.absolute.reactions import fill_reactions
from poinsot.formulations.absolute.states import configured, unpack
from poinsot.formulations.absolute.tables import with_tables
from poinsot.formulations.absolute.work import TWIST, StatePlaces
from poinsot.formulations.contract import Formulation, Rates, Rows
from poinsot.integrators.stages import copy
from poinsot.tables.types import OK, PROJECTED, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    at = layout.places[0]
    configuration_rate(y, layout, y[places.velocities(at)], ydot)
    return OK


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    at = layout.places[0]
    last = at.state - 1
    return accelerations(t, y, layout, work, y[places.velocities(at)], ydot[places.velocities(at)], ydot[last:])


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    at = layout.places[0]
    status = close_poses(y, layout, work)
    allow_twists(y, layout, y[places.velocities(at)], work)
    return PROJECTED if status == OK else status


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    at = layout.places[0]
    copy(y[places.velocities(at)], work[places.push(at)])
    fill_motion(y, layout, work, row)
    return OK


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    at = layout.places[0]
    report = 6 * (layout.bodies.shape[0] + layout.joints.shape[0])
    twists, forces = y[places.velocities(at)], work[places.forces(at)]
    status = accelerations(t, y, layout, work, twists, forces, row[report:])
    fill_reactions(y, layout, work, twists, forces, row)
    return status


def accepts(frozen):
    return reasons_against(frozen, "trial") + [f"{drive.label()} is a drive" for drive in frozen.system.drives]


def state_places(bodies, angles, drives):
    velocities = POSE * bodies + angles
    return StatePlaces(velocities, POSE * bodies, velocities + TWIST * bodies, velocities + TWIST * bodies + 1)


def pack(frozen, coordinates, rates):
    y, twists = configured(frozen, coordinates, rates)
    first = int(frozen.layout.places["velocities"][0])
    y[first : first + twists.size] = twists.ravel()
    return y


def without(frozen, dropped):
    frozen = replace(frozen, layout=with_tables(frozen, dropped, state_places))
    layout, at = frozen.layout, frozen.layout.places[0]
    return frozen, Formulation(
        name="trial", observe_motion=observe_motion, observe_loads=lambda: observe_loads, acceleration=lambda: None,
        state_size=int(at["state"]), work_size=int(at["work"]),
        pack=lambda coordinates, rates: pack(frozen, coordinates, rates), unpack=lambda y: unpack(observe_motion, layout, y),
        rates=Rates(position_rate, velocity_rate, int(at["velocities"]), project), rows=Rows(without, tuple(sorted(dropped))), continuous=False,
    )  # fmt: skip


def formulation(frozen):
    return without(frozen, ())[1]
