"""Welded bodies that share mass and inertia (`layout/welds.py`): loads and reactions of each as it is by itself."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import apply, apply_transposed, load_symmetric
from poinsot.algebra.vectors import ZERO, add, cross, increase3, load3, scale, store3, sub, vector
from poinsot.elements.director_scalars import centre, directors
from poinsot.elements.states import WRENCH
from poinsot.formulations.absolute.bodies import attitude, point
from poinsot.formulations.absolute.rows import inertia
from poinsot.formulations.absolute.work import TWIST


@helper
def take_wrenches(layout, poses, wrenches, forces):
    """Take wrenches about the centres of mass of bodies from the forces on them."""
    for b in range(1, layout.bodies.shape[0]):
        force, moment = load3(wrenches, WRENCH * b), load3(wrenches, WRENCH * b + 3)
        if layout.frames[b].shared == 1:
            moment = add(moment, cross(point(layout, poses, b, vector(layout.bodies[b].com)), force))
        increase3(forces, TWIST * b, scale(-1.0, force))
        increase3(forces, TWIST * b + 3, scale(-1.0, moment))


@kernel
def difference(b, y, layout, twists, accelerations):
    """Force, and moment about where the directors of body b are fixed, that its own inertia asks for beyond its share; gravity counts too."""
    frame, table, gravity = layout.frames[b], layout.bodies[b], load3(layout.values, 0)
    a, alpha, spin = load3(accelerations, TWIST * b), load3(accelerations, TWIST * b + 3), load3(twists, TWIST * b + 3)
    arm, R, J = point(layout, y, b, vector(table.com)), attitude(layout, y, b), inertia(frame, directors(y, b))
    I, w = load_symmetric(table.inertia, 0), apply_transposed(R, spin)
    at_com = add(a, add(cross(alpha, arm), cross(spin, cross(spin, arm))))
    force = scale(table.mass, sub(at_com, gravity))
    own = apply(R, add(apply(I, apply_transposed(R, alpha)), cross(w, apply(I, w))))
    share = add(apply(J, alpha), cross(spin, apply(J, spin)))
    return (
        sub(force, scale(frame.mass, sub(a, gravity))),
        add(sub(own, share), cross(arm, force)),
    )


@helper
def correct_reactions(y, layout, twists, accelerations, room, row, reactions):
    """Reactions of welds between bodies with shares, from the tips to the ground; `room`: WRENCH numbers per body."""
    n = layout.bodies.shape[0]
    for b in range(n):
        force, moment = ZERO, ZERO
        if layout.frames[b].shared == 1:
            force, moment = difference(b, y, layout, twists, accelerations)
        store3(room, WRENCH * b, force)
        store3(room, WRENCH * b + 3, moment)
    for k in range(n - 1, 0, -1):
        b = layout.bodies[k].order
        table = layout.bodies[b]
        joint = layout.joints[table.joint]
        if layout.frames[b].shared == 0 or joint.motions > 0:
            continue
        force, moment = load3(room, WRENCH * b), load3(room, WRENCH * b + 3)
        increase3(room, WRENCH * table.parent, force)
        arm = sub(centre(y, b), centre(y, table.parent))
        increase3(room, WRENCH * table.parent + 3, add(moment, cross(arm, force)))
        place = add(centre(y, joint.second), point(layout, y, joint.second, vector(joint.second_origin)))
        moment = add(moment, cross(sub(centre(y, b), place), force))
        sign = 1.0 if joint.tree > 0 else -1.0
        increase3(row, reactions + 6 * table.joint, scale(sign, force))
        increase3(row, reactions + 6 * table.joint + 3, scale(sign, moment))
