"""Poses and twists of bodies that move parallel to a plane, put back onto the constraints: `absolute/closing.py` in the plane."""

from __future__ import annotations

from math import cos, sin

from poinsot.algebra.compile import helper
from poinsot.algebra.plane import add2, dot2, load2, scale2, store2, turned
from poinsot.formulations.absolute.closing import MOST, SWEEPS, WORSE
from poinsot.formulations.absolute.coordinates import keep_coordinates
from poinsot.formulations.absolute.openings import POSITION_ROUNDING, farthest
from poinsot.formulations.absolute.plane.bodies import read_bodies, write_motions, write_poses
from poinsot.formulations.absolute.plane.matrix import build, constrained
from poinsot.formulations.absolute.plane.places import FREE_MOTION, room_of
from poinsot.formulations.absolute.plane.rows import set_values
from poinsot.formulations.tree.plane.loops.openings import largest_opening
from poinsot.formulations.tree.plane.work import PLACE, PLANE_BLOCK, SPIN, TURN, VELOCITY
from poinsot.integrators.stages import copy
from poinsot.tables.types import NOT_CONVERGED, OK


@helper
def normalise(n, blocks):
    """Turns that are nearly unit vectors become so."""
    for b in range(1, n):
        z = load2(blocks, PLANE_BLOCK * b + TURN)
        for _ in range(SWEEPS):
            z = scale2(1.5 - 0.5 * dot2(z, z), z)
        store2(blocks, PLANE_BLOCK * b + TURN, z)


@helper
def move(n, motions, blocks):
    """Move all bodies by motions, as displacements."""
    for b in range(1, n):
        k, block = FREE_MOTION * b, PLANE_BLOCK * b
        store2(blocks, block + PLACE, add2(load2(blocks, block + PLACE), load2(motions, k)))
        store2(blocks, block + TURN, turned((cos(motions[k + 2]), sin(motions[k + 2])), load2(blocks, block + TURN)))


@helper
def close_poses(y, layout, work, room):
    """Poses at which all rows in the plane hold, in the blocks; the factor there stays in the room, its smallest pivot in `work`. A status.

    No row that was left out acts in the plane.
    """
    n = layout.bodies.shape[0]
    normalise(n, room.blocks)
    far, last = farthest(y, layout), 1e300
    for _ in range(MOST):
        work[layout.places[0].pivot] = build(layout, room)
        set_values(layout, room.blocks, room.gaps)
        largest = largest_opening(layout.plane_scalars, room.gaps)
        if largest <= POSITION_ROUNDING * (1.0 + far) or (largest <= WORSE and largest > 0.5 * last):
            return OK
        for k in range(room.push.shape[0]):
            room.push[k] = 0.0
        copy(room.gaps, room.pull)
        constrained(layout, room, room.push, room.pull)
        move(n, room.push, room.blocks)
        last = largest
    return NOT_CONVERGED


@helper
def allow_motions(layout, room):
    """Velocities and angular velocities in `push` that are nearest to those of the blocks and that the rows allow."""
    for b in range(1, layout.bodies.shape[0]):
        k, block, frame = FREE_MOTION * b, PLANE_BLOCK * b, layout.frames[b].plane
        z = load2(room.blocks, block + TURN)
        store2(room.push, k, scale2(frame.mass, load2(room.blocks, block + VELOCITY)))
        room.push[k + 2] = frame.inertia * dot2(z, z) * room.blocks[block + SPIN]
    for k in range(room.pull.shape[0]):
        room.pull[k] = 0.0
    constrained(layout, room, room.push, room.pull)


@helper
def put_back(t, y, layout, work, twists):
    """Poses of a configuration and twists become the nearest that the rows in the plane allow. Returns a status."""
    room = room_of(layout, work)
    read_bodies(y, layout, twists, room.blocks)
    status = close_poses(y, layout, work, room)
    allow_motions(layout, room)
    write_poses(layout, room.blocks, y)
    keep_coordinates(layout, y, y)
    write_motions(layout, room.push, twists)
    return status
