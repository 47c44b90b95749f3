"""What an energy-momentum step keeps for the next: its stages, from which they are predicted, and what sums of poses lost."""

from __future__ import annotations

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import load33, transpose
from poinsot.algebra.vectors import ZERO, add, cross, load3, scale, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.stages import STAGES, TABLEAU
from poinsot.integrators.stages import copy

WEAK = 1e-3  # pivot relative to its diagonal entry below which rows are nearly dependent, and others are looked for
KEPT = 3  # position in the constants: how many steps are kept
# positions in the memory: steps known, their size, which of them is the newest, the pivot at which rows were last looked at;
# then what the sums of poses lost, then the steps
KNOWN, SIZE, NEWEST, LOOKED, LOST = 0, 1, 2, 3, 4


@helper
def guess(n, y, velocities, poses, twists, multipliers, s):
    """Stage twists from the velocities at the start of the step; no multipliers."""
    for i in range(s):  # the ground, where steps of fewer stages have their multipliers
        store3(twists, TWIST * i * n, ZERO)
        store3(twists, TWIST * i * n + 3, ZERO)
    for b in range(1, n):
        D, Z = transpose(load33(y, POSE * b + 3)), transpose(load33(velocities, POSE * b + 3))
        spin = scale(0.5, add(add(cross(D[0], Z[0]), cross(D[1], Z[1])), cross(D[2], Z[2])))
        for i in range(s):
            store3(twists, TWIST * (i * n + b), load3(velocities, POSE * b))
            store3(twists, TWIST * (i * n + b) + 3, spin)
    for k in range(multipliers.shape[0]):
        multipliers[k] = 0.0


@kernel
def add_multiple(first, c, source, out):
    """out = c source when it is the first of a sum, out += c source otherwise; in loops that can be vectorised."""
    if first:
        for k in range(out.shape[0]):
            out[k] = c * source[k]
    else:
        for k in range(out.shape[0]):
            out[k] += c * source[k]


@helper
def extrapolate(weights, s, known, kept, newest, size, history, count, out):
    """The first `count` numbers of every stage, of which there are `size` each, extrapolated from the known steps."""
    for i in range(s):
        own = out[i * count : (i + 1) * count]
        for m in range(known):
            block = (newest - m) % kept
            for j in range(s):
                base = (block * s + j) * size
                add_multiple(m + j == 0, weights[i * s * known + m * s + j], history[base : base + count], own)


@helper
def predict(method, h, n, y, velocities, memory, poses, twists, multipliers, efforts):
    """First guess of twists, multipliers, efforts of drives and directors at the stages."""
    s, kept = int(method[STAGES]), int(method[KEPT])
    nt, nm, nd = TWIST * n, multipliers.shape[0] // s, efforts.shape[0] // s
    known = int(memory[KNOWN]) if memory[SIZE] == h else 0
    if known == 0:
        guess(n, y, velocities, poses, twists, multipliers, s)
        for k in range(efforts.shape[0]):
            efforts[k] = 0.0
    else:
        weights = method[TABLEAU + s * s * (known * (known - 1)) // 2 :]
        history = memory[LOST + POSE * n :]
        newest = int(memory[NEWEST])
        size = nt + nm + nd
        extrapolate(weights, s, known, kept, newest, size, history, nt, twists)
        extrapolate(weights, s, known, kept, newest, size, history[nt:], nm, multipliers)
        extrapolate(weights, s, known, kept, newest, size, history[nt + nm :], nd, efforts)
    for i in range(s):
        for k in range(POSE * n):
            poses[i * POSE * n + k] = y[k]


@helper
def rows_weaken(pivot, memory):
    """Whether the rows in use, with this smallest pivot of their matrix, are worth a look: when they become nearly dependent, and again
    when that changes tenfold.
    """
    looked = memory[LOOKED]
    if pivot >= WEAK:
        memory[LOOKED] = 0.0
        return False
    if 0.1 * looked <= pivot <= 10.0 * looked:
        return False
    memory[LOOKED] = max(pivot, 1e-300)
    return True


@helper
def remember(method, h, n, lost, twists, multipliers, efforts, memory):
    """Keep the stages of this step for the prediction of the next."""
    s, kept = int(method[STAGES]), int(method[KEPT])
    nt, nm, nd = TWIST * n, multipliers.shape[0] // s, efforts.shape[0] // s
    if memory[SIZE] != h:
        memory[KNOWN] = 0.0
    memory[KNOWN] = min(memory[KNOWN] + 1.0, float(kept))
    memory[SIZE] = h
    memory[NEWEST] = (memory[NEWEST] + 1.0) % kept
    copy(lost, memory[LOST : LOST + POSE * n])
    history = memory[LOST + POSE * n :]
    for i in range(s):
        base = (int(memory[NEWEST]) * s + i) * (nt + nm + nd)
        copy(twists[i * nt : (i + 1) * nt], history[base : base + nt])
        copy(multipliers[i * nm : (i + 1) * nm], history[base + nt : base + nt + nm])
        copy(efforts[i * nd : (i + 1) * nd], history[base + nt + nm : base + nt + nm + nd])
