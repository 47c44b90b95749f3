"""The middle of a step, where its matrix is taken: poses, and moments and angular velocities turned to it and from it."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.algebra.matrices import apply, apply_transposed, load33, transpose
from poinsot.algebra.vectors import add_scaled, cross, dot, load3, scale, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.stage_places import EM_WEIGHTS


@helper
def set_middle(step, poses, out):
    """Weighted mean of the stage poses."""
    count = POSE * step.bodies
    for k in range(count):
        total = 0.0
        for i in range(step.stages):
            total += step.method[EM_WEIGHTS + i] * poses[i * count + k]
        out[k] = total


@helper
def to_middle(s, n, mean, poses, forces):
    """Turn the moments of all stages along with their bodies to the middle of the step, where the matrix is taken.

    Moments of different stages would otherwise be added up about different axes, and what a thin rod resists about one
    axis would turn it about another.
    """
    for b in range(1, n):
        D = transpose(load33(mean, POSE * b + 3))
        x, y, z = cross(D[1], D[2]), cross(D[2], D[0]), cross(D[0], D[1])
        k = 1.0 / dot(D[0], x)
        for i in range(s):
            at_body = TWIST * (i * n + b) + 3
            m = apply_transposed(load33(poses, POSE * (i * n + b) + 3), load3(forces, at_body))
            store3(forces, at_body, add_scaled(add_scaled(scale(k * m[0], x), k * m[1], y), k * m[2], z))


@helper
def from_middle(s, n, mean, poses, changes):
    """Turn the changes of angular velocities from the middle of the step to the stages."""
    for b in range(1, n):
        D = transpose(load33(mean, POSE * b + 3))
        x, y, z = cross(D[1], D[2]), cross(D[2], D[0]), cross(D[0], D[1])
        k = 1.0 / dot(D[0], x)
        for i in range(s):
            at_body = TWIST * (i * n + b) + 3
            w = load3(changes, at_body)
            own = (k * dot(x, w), k * dot(y, w), k * dot(z, w))
            store3(changes, at_body, apply(load33(poses, POSE * (i * n + b) + 3), own))
