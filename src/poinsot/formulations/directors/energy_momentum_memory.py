"""What an energy-momentum step keeps for the next: its stages, from which they are predicted, and what sums of poses lost."""

from __future__ import annotations

from typing import Any, NamedTuple

from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.matrices import load33, transpose
from poinsot.algebra.vectors import ZERO, add, cross, load3, scale, store3
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute.work import TWIST
from poinsot.formulations.directors.stage_places import EM_TABLEAU
from poinsot.integrators.stages import copy

EM_KEPT = 3  # position in the constants: how many steps are kept
# positions in the memory: steps known, their size, which of them is the newest, the pivot at which rows were last selected;
# then what the sums of poses lost, then the steps
KNOWN, LAST_SIZE, NEWEST, LOOKED, LOST = 0, 1, 2, 3, 4
# positions from the end of the memory, of notes: what the last rescue cost (in iterations; 0: none yet), how many of the next steps go there
# at once, and how many will when the simple iteration fails again; how many of the next steps do not try new matrices; from how many steps
# stages are predicted best (0: not known yet)
RESCUE_COST, RESCUES_LEFT, RESCUES_IN_ROW, SAME_MATRIX, BEST_KNOWN, NOTES = 1, 2, 3, 4, 5, 5
USUAL_COST = 40.0  # of a rescue, before there was one
MOST_IN_ROW = 16.0  # steps after which what did not help is tried again


class Past(NamedTuple):
    """Steps that stages are extrapolated from: weights (stages, known stages), how many are known and how many are kept, which of
    these is the newest, and the numbers of a stage.
    """

    weights: Any
    known: Any
    kept: Any
    newest: Any
    size: Any


@kernel
def note_at(memory, position):
    """Where a note stands in the memory."""
    return memory.shape[0] - position


@helper
def guess(step, y, velocities, twists, others):
    """Stage twists from the velocities at the start of the step; the other unknowns are zero."""
    s, n = step.stages, step.bodies
    for i in range(s):  # the ground, where steps of fewer stages have their multipliers
        store3(twists, TWIST * i * n, ZERO)
        store3(twists, TWIST * i * n + 3, ZERO)
    for b in range(1, n):
        D, Z = transpose(load33(y, POSE * b + 3)), transpose(load33(velocities, POSE * b + 3))
        spin = scale(0.5, add(add(cross(D[0], Z[0]), cross(D[1], Z[1])), cross(D[2], Z[2])))
        for i in range(s):
            store3(twists, TWIST * (i * n + b), load3(velocities, POSE * b))
            store3(twists, TWIST * (i * n + b) + 3, spin)
    for k in range(others.shape[0]):
        others[k] = 0.0


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
def extrapolate(past, s, history, count, out):
    """The first `count` numbers of each of s stages, extrapolated from the known steps."""
    weights, known, kept, newest, size = past
    for i in range(s):
        own = out[i * count : (i + 1) * count]
        for m in range(known):
            block = (newest - m) % kept
            for j in range(s):
                base = (block * s + j) * size
                add_multiple(m + j == 0, weights[i * s * known + m * s + j], history[base : base + count], own)


@kernel
def past_of(step, known, memory, size):
    """The newest `known` steps, to extrapolate from."""
    weights = step.method[EM_TABLEAU + step.stages * step.stages * (known * (known - 1)) // 2 :]
    return Past(weights, known, int(step.method[EM_KEPT]), int(memory[NEWEST]), size)


@helper
def extrapolated(step, memory, unknowns):
    """Whether there are steps of this size to predict from; if so, the unknowns become what these predict."""
    method, s, n, _, h = step
    known = int(memory[KNOWN]) if memory[LAST_SIZE] == h else 0
    if known == 0:
        return False
    best = int(memory[note_at(memory, BEST_KNOWN)])
    best = best if best > 0 else (int(method[EM_KEPT]) + 1) // 2
    sizes = (unknowns.twists.shape[0] // s, unknowns.multipliers.shape[0] // s, unknowns.efforts.shape[0] // s)
    past = past_of(step, min(known, best), memory, sizes[0] + sizes[1] + sizes[2])
    history = memory[LOST + POSE * n :]
    extrapolate(past, s, history, sizes[0], unknowns.twists)
    extrapolate(past, s, history[sizes[0] :], sizes[1], unknowns.multipliers)
    extrapolate(past, s, history[sizes[0] + sizes[1] :], sizes[2], unknowns.efforts)
    return True


@helper
def predict(step, y, velocities, memory, poses, unknowns):
    """First guess of the unknowns, and of the directors at the stages."""
    s, n = step.stages, step.bodies
    if not extrapolated(step, memory, unknowns):
        guess(step, y, velocities, unknowns.twists, unknowns.multipliers)
        for k in range(unknowns.efforts.shape[0]):
            unknowns.efforts[k] = 0.0
    for i in range(s):
        for k in range(POSE * n):
            poses[i * POSE * n + k] = y[k]


@kernel
def goes_to_rescue(memory):
    """Whether a step leaves the simple iteration out, since the steps before needed rescue."""
    return memory[note_at(memory, RESCUES_LEFT)] > 0.0


@kernel
def cost_of_rescue(memory):
    """What a rescue is expected to cost, in iterations."""
    cost = memory[note_at(memory, RESCUE_COST)]
    return cost if cost > 0.0 else USUAL_COST


@kernel
def remember_matrices(memory, in_vain):
    """After a step: whether it tried new matrices in vain."""
    at = note_at(memory, SAME_MATRIX)
    memory[at] = MOST_IN_ROW if in_vain else max(memory[at] - 1.0, 0.0)


@helper
def remember_rescue(memory, left, in_row, cost):
    """After a rescue: what it cost, and how many of the next steps go there at once, given the notes that the step began with."""
    memory[note_at(memory, RESCUE_COST)] = cost
    memory[note_at(memory, RESCUES_LEFT)] = left - 1.0 if left > 0.0 else in_row
    memory[note_at(memory, RESCUES_IN_ROW)] = in_row if left > 0.0 else min(max(2.0 * in_row, 1.0), MOST_IN_ROW)


@helper
def missed(past, s, history, count, twists):
    """Square of the error of stage twists, `count` numbers each, that are extrapolated from the known steps."""
    weights, known, kept, newest, size = past
    total = 0.0
    for i in range(s):
        for k in range(count):
            off = twists[i * count + k]
            for m in range(known):
                for j in range(s):
                    off -= weights[i * s * known + m * s + j] * history[((newest - m) % kept * s + j) * size + k]
            total += off * off
    return total


@helper
def best_known(step, memory, count, size, twists):
    """From how many of the last steps the twists of this one would have been predicted best."""
    least, best, history = 1e300, 1, memory[LOST + POSE * step.bodies :]
    for known in range(1, int(step.method[EM_KEPT]) + 1):
        error = missed(past_of(step, known, memory, size), step.stages, history, count, twists)
        if error < least:
            least, best = error, known
    return float(best)


@helper
def remember(step, lost, unknowns, memory):
    """Keep the stages of this step for the prediction of the next."""
    method, s, n, _, h = step
    twists, multipliers, efforts = unknowns
    kept = int(method[EM_KEPT])
    nt, nm, nd = twists.shape[0] // s, multipliers.shape[0] // s, efforts.shape[0] // s
    if memory[KNOWN] == kept and memory[LAST_SIZE] == h and memory[NEWEST] == 0.0:  # once in a while
        memory[note_at(memory, BEST_KNOWN)] = best_known(step, memory, nt, nt + nm + nd, twists)
    if memory[LAST_SIZE] != h:
        memory[KNOWN] = 0.0
    memory[KNOWN] = min(memory[KNOWN] + 1.0, float(kept))
    memory[LAST_SIZE] = h
    memory[note_at(memory, RESCUES_LEFT)] = 0.0
    memory[note_at(memory, RESCUES_IN_ROW)] = 0.0
    memory[NEWEST] = (memory[NEWEST] + 1.0) % kept
    copy(lost, memory[LOST : LOST + POSE * n])
    history = memory[LOST + POSE * n :]
    for i in range(s):
        base = (int(memory[NEWEST]) * s + i) * (nt + nm + nd)
        copy(twists[i * nt : (i + 1) * nt], history[base : base + nt])
        copy(multipliers[i * nm : (i + 1) * nm], history[base + nt : base + nt + nm])
        copy(efforts[i * nd : (i + 1) * nd], history[base + nt + nm : base + nt + nm + nd])
