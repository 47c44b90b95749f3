"""A formulation from outside, on the family of absolute coordinates: poses and twists, with rates.

State y: poses of all bodies, unwrapped angles of the joints, twists, work.
"""

from dataclasses import replace

from poinsot.algebra.compile import compiled
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.accepts import reasons_against
from poinsot.formulations.absolute.closing import allow_twists, close_poses
from poinsot.formulations.absolute.observe import fill_motion
from poinsot.formulations.absolute.rates import accelerations, configuration_rate
from poinsot.formulations.absolute.reactions import fill_reactions
from poinsot.formulations.absolute.states import configured, unpack
from poinsot.formulations.absolute.tables import with_tables
from poinsot.formulations.absolute.work import TWIST, StatePlaces
from poinsot.formulations.contract import Formulation, Rates, Rows
from poinsot.tables.types import OK, PROJECTED, RATE_SIGNATURE


@compiled(RATE_SIGNATURE)
def position_rate(t, y, layout, work, ydot):
    p = layout.pattern
    configuration_rate(y, layout, y[p[at.VELOCITIES] : p[at.EFFORTS]], ydot)
    return OK


@compiled(RATE_SIGNATURE)
def velocity_rate(t, y, layout, work, ydot):
    p = layout.pattern
    last = p[at.STATE] - 1
    return accelerations(t, y, layout, work, y[p[at.VELOCITIES] : p[at.EFFORTS]], ydot[p[at.VELOCITIES] : p[at.EFFORTS]], ydot[last:])


@compiled(RATE_SIGNATURE)
def project(t, y, layout, work, room):
    p = layout.pattern
    status = close_poses(y, layout, work)
    allow_twists(y, layout, y[p[at.VELOCITIES] : p[at.EFFORTS]], work)
    return PROJECTED if status == OK else status


@compiled(RATE_SIGNATURE)
def observe_motion(t, y, layout, work, row):
    p = layout.pattern
    for k in range(TWIST * layout.bodies.shape[0]):
        work[p[at.PUSH] + k] = y[p[at.VELOCITIES] + k]
    fill_motion(y, layout, work, row)
    return OK


@compiled(RATE_SIGNATURE)
def observe_loads(t, y, layout, work, row):
    p = layout.pattern
    twists, report = y[p[at.VELOCITIES] : p[at.EFFORTS]], 6 * (layout.bodies.shape[0] + layout.joints.shape[0])
    forces = work[p[at.STAGE_FORCES] : p[at.STAGE_FORCES] + twists.shape[0]]
    status = accelerations(t, y, layout, work, twists, forces, row[report:])
    fill_reactions(y, layout, work, twists, forces, row)
    return status


def accepts(frozen):
    return reasons_against(frozen, "trial") + [f"{drive.label()} is a drive" for drive in frozen.system.drives]


def places(bodies, angles, drives):
    velocities = POSE * bodies + angles
    return StatePlaces(velocities, POSE * bodies, velocities + TWIST * bodies, velocities + TWIST * bodies + 1)


def pack(frozen, coordinates, rates):
    y, twists = configured(frozen, coordinates, rates)
    y[frozen.layout.pattern[at.VELOCITIES] : frozen.layout.pattern[at.EFFORTS]] = twists.ravel()
    return y


def without(frozen, dropped):
    frozen = replace(frozen, layout=with_tables(frozen, dropped, places))
    layout, head = frozen.layout, frozen.layout.pattern
    return frozen, Formulation(
        name="trial", observe_motion=observe_motion, observe_loads=lambda: observe_loads, acceleration=lambda: None,
        state_size=int(head[at.STATE]), work_size=int(head[at.WORK]),
        pack=lambda coordinates, rates: pack(frozen, coordinates, rates), unpack=lambda y: unpack(observe_motion, layout, y),
        rates=Rates(position_rate, velocity_rate, int(head[at.VELOCITIES]), project), rows=Rows(without, tuple(sorted(dropped))), continuous=False,
    )  # fmt: skip


def formulation(frozen):
    return without(frozen, ())[1]
