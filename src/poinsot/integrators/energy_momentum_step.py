"""One energy-momentum step: stage twists and multipliers by a simplified Newton iteration.

The stage equations are multiplied by h a, so that all stages share the matrix [M J'; J 0], taken once per step in the
middle of it and eliminated in the space of the multipliers.
"""

from __future__ import annotations

from math import isfinite

from poinsot.algebra.compile import compiled, helper
from poinsot.algebra.matrices import load33, transpose
from poinsot.algebra.vectors import add, cross, load3, scale, store3
from poinsot.elements.director_scalars import ANGLE, POSE, scalar_value
from poinsot.formulations.directors import work as at
from poinsot.formulations.directors.loads import add_loads, set_betas
from poinsot.formulations.directors.project import reflect
from poinsot.formulations.directors.rows import add_rows, build, constrained
from poinsot.formulations.directors.stages import (
    INVERSE,
    MATRIX,
    STAGES,
    TABLEAU,
    WEIGHTS,
    end_poses,
    end_state,
    inertia_forces,
    middle_poses,
    stage_poses,
)
from poinsot.formulations.directors.work import TWIST
from poinsot.linear.pattern import GROUPS
from poinsot.integrators.stages import all_finite, copy
from poinsot.tables.types import CORRECTIONS, EVALUATIONS, ITERATIONS, NOT_CONVERGED, NOT_FINITE, OK, STEP_SIGNATURE, STEPS

# positions in the constants
TOLERANCE, STAGNATION, LIMIT, KEPT = 0, 1, 2, 3
# positions in the memory: steps known, their size, which of them is the newest; then what the sums of poses lost, then the steps
KNOWN, SIZE, NEWEST, LOST = 0, 1, 2, 3
REFRESH = 6  # iterations after which the matrix is taken anew


@helper
def guess(n, y, velocities, poses, twists, multipliers, s):
    """Stage twists from the velocities at the start of the step; no multipliers."""
    for b in range(1, n):
        D, Z = transpose(load33(y, POSE * b + 3)), transpose(load33(velocities, POSE * b + 3))
        spin = scale(0.5, add(add(cross(D[0], Z[0]), cross(D[1], Z[1])), cross(D[2], Z[2])))
        for i in range(s):
            store3(twists, TWIST * (i * n + b), load3(velocities, POSE * b))
            store3(twists, TWIST * (i * n + b) + 3, spin)
    for k in range(multipliers.shape[0]):
        multipliers[k] = 0.0


@helper
def extrapolate(weights, s, known, kept, newest, size, history, first, count, out):
    """Numbers first .. first + count of every stage, extrapolated from the known steps."""
    for i in range(s):
        for k in range(count):
            out[i * count + k] = 0.0
        for m in range(known):
            block = (newest - m) % kept
            for j in range(s):
                c = weights[i * s * known + m * s + j]
                base = (block * s + j) * size + first
                for k in range(count):
                    out[i * count + k] += c * history[base + k]


@helper
def predict(method, h, n, y, velocities, memory, poses, twists, multipliers):
    """First guess of twists, multipliers and directors at the stages."""
    s, kept = int(method[STAGES]), int(method[KEPT])
    nt, nm = TWIST * n, multipliers.shape[0] // s
    known = int(memory[KNOWN]) if memory[SIZE] == h else 0
    if known == 0:
        guess(n, y, velocities, poses, twists, multipliers, s)
    else:
        weights = method[TABLEAU + s * s * (known * (known - 1)) // 2 :]
        history = memory[LOST + POSE * n :]
        newest = int(memory[NEWEST])
        extrapolate(weights, s, known, kept, newest, nt + nm, history, 0, nt, twists)
        extrapolate(weights, s, known, kept, newest, nt + nm, history, nt, nm, multipliers)
    for i in range(s):
        for k in range(POSE * n):
            poses[i * POSE * n + k] = y[k]


@helper
def remember(method, h, n, lost, twists, multipliers, memory):
    """Keep the stages of this step for the prediction of the next."""
    s, kept = int(method[STAGES]), int(method[KEPT])
    nt, nm = TWIST * n, multipliers.shape[0] // s
    if memory[SIZE] != h:
        memory[KNOWN] = 0.0
    memory[KNOWN] = min(memory[KNOWN] + 1.0, float(kept))
    memory[SIZE] = h
    memory[NEWEST] = (memory[NEWEST] + 1.0) % kept
    copy(lost, memory[LOST : LOST + POSE * n])
    history = memory[LOST + POSE * n :]
    for i in range(s):
        base = (int(memory[NEWEST]) * s + i) * (nt + nm)
        for k in range(nt):
            history[base + k] = twists[i * nt + k]
        for k in range(nm):
            history[base + nt + k] = multipliers[i * nm + k]


@helper
def middle(method, n, poses, out):
    """Weighted mean of the stage poses."""
    s = int(method[STAGES])
    for k in range(POSE * n):
        total = 0.0
        for i in range(s):
            total += method[WEIGHTS + i] * poses[i * POSE * n + k]
        out[k] = total


@helper
def improve(method, h, n, layout, work, twists, multipliers, forces, gaps):
    """One Newton correction of all stages; returns the largest change of a twist and the largest twist."""
    s = int(method[STAGES])
    p = layout.pattern
    push, step = work[p[at.PUSH] : p[at.PUSH + 1]], work[p[at.STEP] : p[at.STEP + 1]]
    nt, nm = TWIST * n, step.shape[0]
    change, size = 0.0, 0.0
    for i in range(s):
        for k in range(TWIST, nt):
            total = 0.0
            for j in range(s):
                total -= method[MATRIX + 3 * i + j] * forces[j * nt + k]
            push[k] = h * total
        for k in range(nm):
            step[k] = gaps[i * nm + k]
        constrained(layout, work, step, push)
        for k in range(nm):
            gaps[i * nm + k] = step[k]
        for k in range(TWIST, nt):
            twists[i * nt + k] += push[k]
            change = max(change, abs(push[k]))
            size = max(size, abs(twists[i * nt + k]))
    for k in range(nm):
        for i in range(s):
            total = 0.0
            for j in range(s):
                total += method[INVERSE + 3 * i + j] * gaps[j * nm + k]
            multipliers[i * nm + k] += total / h
    return change, size


@helper
def residuals(method, t, h, n, y, layout, work, first):
    """Forces and gaps of all stages at the present twists and multipliers; returns a status."""
    p = layout.pattern
    s = int(method[STAGES])
    nt, nm = TWIST * n, 3 * p[GROUPS]
    poses, twists = work[p[at.STAGE_POSES] : p[at.STAGE_TWISTS]], work[p[at.STAGE_TWISTS] : p[at.STAGE_FORCES]]
    forces, multipliers = work[p[at.STAGE_FORCES] : p[at.MULTIPLIERS]], work[p[at.MULTIPLIERS] : p[at.GAPS]]
    gaps, betas = work[p[at.GAPS] : p[at.MIDDLE]], work[p[at.BETAS] : p[at.ROOM]]
    if s == 1:
        middle_poses(h, n, y, poses, twists)
    else:
        stage_poses(method, h, n, y, poses, twists, s + 2 if first else 2)
    inertia_forces(method, h, n, layout, y, y[p[at.VELOCITIES] :], poses, twists, forces)
    status = OK
    if p[at.NEEDS_END] == 1:
        end_poses(method, h, n, y, poses, twists, work[p[at.END] : p[at.STATES]])
        set_betas(method, h, n, y, layout, work)
    if layout.loads.shape[0] > 0:
        status = add_loads(method, t, h, n, y, layout, work)
    for i in range(s):
        add_rows(
            layout,
            poses[i * POSE * n : (i + 1) * POSE * n],
            twists[i * nt : (i + 1) * nt],
            multipliers[i * nm : (i + 1) * nm],
            betas,
            forces[i * nt : (i + 1) * nt],
            gaps[i * nm : (i + 1) * nm],
        )
    return status


@compiled(STEP_SIGNATURE)
def energy_momentum_step(
    position_rate, velocity_rate, stiffness, t, h, y, method, memory, scratch, layout, work, counters
):
    """One step of the energy-momentum methods; of the type STEP."""
    p = layout.pattern
    s, n = int(method[STAGES]), layout.bodies.shape[0]
    nm = 3 * p[GROUPS]
    velocities = y[p[at.VELOCITIES] : p[at.ANGLES]]
    poses, twists = work[p[at.STAGE_POSES] : p[at.STAGE_TWISTS]], work[p[at.STAGE_TWISTS] : p[at.STAGE_FORCES]]
    forces, multipliers = work[p[at.STAGE_FORCES] : p[at.MULTIPLIERS]], work[p[at.MULTIPLIERS] : p[at.GAPS]]
    gaps, mean = work[p[at.GAPS] : p[at.MIDDLE]], work[p[at.MIDDLE] : p[at.MASSES]]
    predict(method, h, n, y, velocities, memory, poses, twists, multipliers[: s * nm])
    last, done = 0.0, False
    for iteration in range(int(method[LIMIT])):
        counters[ITERATIONS] += 1
        counters[EVALUATIONS] += s
        status = residuals(method, t, h, n, y, layout, work, iteration == 0)
        if status != OK:
            return status
        if iteration % REFRESH == 0:
            middle(method, n, poses, mean)
            build(layout, mean, work)
        change, size = improve(method, h, n, layout, work, twists, multipliers[: s * nm], forces, gaps)
        if not isfinite(change + size):
            return NOT_FINITE
        error = change / size if size > 0.0 else 0.0
        ratio = error / last if last > 0.0 else 1.0
        if error == 0.0 or (iteration > 0 and error * ratio < method[TOLERANCE] * (1.0 - ratio)):
            done = True
            break
        if iteration > 0 and error < method[STAGNATION] and ratio > 0.3:
            done = True
            break
        if error > 1e6:
            break
        last = error
    if not done:
        return NOT_CONVERGED
    if s == 1:
        middle_poses(h, n, y, poses, twists)
    else:
        stage_poses(method, h, n, y, poses, twists, 2)
    end = work[p[at.END] : p[at.STATES]]
    lost = scratch[: POSE * n]
    copy(y, end)
    end_velocities = end[p[at.VELOCITIES] : p[at.ANGLES]]
    end_state(
        method, h, n, y, velocities, poses, twists, memory[LOST : LOST + POSE * n], end, end_velocities, lost
    )
    if s % 2 == 0:
        reflect(layout, end, end_velocities, work)
    for k in range(layout.coordinates.shape[0]):
        scalar = layout.coordinates[k]
        if scalar.angle >= 0:
            end[p[at.ANGLES] + scalar.angle] = scalar_value(scalar, end, y[p[at.ANGLES] + scalar.angle])
    for i in range(s):
        end[p[at.STATE] - 1] += h * method[WEIGHTS + i] * work[p[at.POWERS] + i]
    if not all_finite(end):
        return NOT_FINITE
    copy(end, y)
    remember(method, h, n, lost, twists, multipliers[: s * nm], memory)
    counters[STEPS] += 1
    return OK
