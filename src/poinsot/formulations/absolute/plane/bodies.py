"""Bodies in the plane: blocks from poses and twists in space, and back."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.plane import across, load2, store2
from poinsot.algebra.vectors import ZERO, store3
from poinsot.formulations.absolute.plane.places import FREE_MOTION, pick, place_numbers, put
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.tree.plane.work import ACCELERATION, ALPHA, PLACE, PLANE_BLOCK, SPIN, TURN, VELOCITY


@helper
def read_bodies(y, layout, twists, blocks):
    """Places, turns and motions of all bodies from the numbers in the plane of poses and twists, accelerations zero."""
    ground = layout.frames[0].plane
    for b in range(layout.bodies.shape[0]):
        place, first, _ = place_numbers(layout, b)
        k, block = TWIST * b, PLANE_BLOCK * b
        store2(blocks, block + PLACE, pick(y, place))
        store2(blocks, block + TURN, pick(y, first))
        store2(blocks, block + VELOCITY, (twists[k + ground.first], twists[k + ground.second]))
        blocks[block + SPIN] = twists[k + 3 + ground.third]
        store2(blocks, block + ACCELERATION, (0.0, 0.0))
        blocks[block + ALPHA] = 0.0


@helper
def write_poses(layout, blocks, y):
    """Numbers in the plane of the poses of all bodies but the ground."""
    for b in range(1, layout.bodies.shape[0]):
        place, first, second = place_numbers(layout, b)
        turn = load2(blocks, PLANE_BLOCK * b + TURN)
        put(y, place, load2(blocks, PLANE_BLOCK * b + PLACE))
        put(y, first, turn)
        put(y, second, across(layout.frames[b].plane.sense, turn))


@helper
def write_motions(layout, motions, twists):
    """Twists, or accelerations, in space from FREE_MOTION numbers per body; zero out of the plane, and for the ground."""
    ground = layout.frames[0].plane
    for b in range(layout.bodies.shape[0]):
        k, m = TWIST * b, FREE_MOTION * b
        store3(twists, k, ZERO)
        store3(twists, k + 3, ZERO)
        if b > 0:
            twists[k + ground.first], twists[k + ground.second] = load2(motions, m)
            twists[k + 3 + ground.third] = motions[m + 2]
