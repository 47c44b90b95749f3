"""Small problems with known solutions, in the form that integrators take: two RATE functions and a layout that holds nq."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.algebra.compile import compiled
from poinsot.integrators.adaptive import Outputs, drive_addresses, march_adaptive, march_adaptive_at, nothing_quick
from poinsot.integrators.march import Run as Marched
from poinsot.integrators.march import (
    Span,
    march_addresses,
    march_at,
    no_projection,
    no_rate_nearby,
    no_rescue,
)
from poinsot.integrators.stages import no_stiffness
from poinsot.tables.records import N_POSITIONS, N_V, empty_layout
from poinsot.tables.types import N_COUNTERS, OK, RATE_SIGNATURE, SINGULAR, Buffers

INERTIA = (1.0, 2.0, 3.5)


def layout_of(nq, values=()):
    """An empty layout with nq positions and with these `values`."""
    layout = empty_layout()
    layout.sizes[N_POSITIONS] = nq
    layout.sizes[N_V] = nq
    return layout._replace(values=np.array([0.0, *values]), addresses=np.zeros(0, np.int64))


@dataclass
class Problem:
    """Two rates, the layout and the initial state; the last component of y is work."""

    position_rate: Any
    velocity_rate: Any
    layout: Any
    start: np.ndarray


# --- Kepler's problem seen from a shaken frame: nonlinear, depends on time, solution known --------------------------------


@compiled(RATE_SIGNATURE)
def velocity_is_rate(t, y, layout, work, ydot):
    """q' = v."""
    nq = layout.sizes[N_POSITIONS]
    for j in range(nq):
        ydot[j] = y[nq + j]
    return OK


@compiled(RATE_SIGNATURE)
def nothing(t, y, layout, work, ydot):
    """For problems without positions: not to be called."""
    return SINGULAR


@compiled(RATE_SIGNATURE)
def kepler_acceleration(t, y, layout, work, ydot):
    """v' of a body seen from the frame that moves by -a sin(w t) along x; the work is that of the whole acceleration."""
    shake, frequency = layout.values[1], layout.values[2]
    offset = shake * math.sin(frequency * t)
    x = y[0] - offset
    cube = (x * x + y[1] * y[1]) ** 1.5
    ydot[2] = -x / cube - frequency * frequency * offset
    ydot[3] = -y[1] / cube
    ydot[4] = ydot[2] * y[2] + ydot[3] * y[3]
    return OK


@compiled(RATE_SIGNATURE)
def kepler_whole(t, y, layout, work, ydot):
    """The same as one first-order system (nq = 0)."""
    ydot[0] = y[2]
    ydot[1] = y[3]
    return kepler_acceleration(t, y, layout, work, ydot)


@dataclass
class Kepler(Problem):
    """Kepler's problem with its solution."""

    eccentricity: float
    shake: float
    frequency: float

    def state(self, t):
        """Position and velocity at time t, from Kepler's equation."""
        e, anomaly = self.eccentricity, t
        for _ in range(60):
            anomaly -= (anomaly - e * math.sin(anomaly) - t) / (1 - e * math.cos(anomaly))
        c, s, root = math.cos(anomaly), math.sin(anomaly), math.sqrt(1 - e * e)
        x = c - e + self.shake * math.sin(self.frequency * t)
        vx = -s / (1 - e * c) + self.shake * self.frequency * math.cos(self.frequency * t)
        return np.array([x, root * s, vx, root * c / (1 - e * c)])

    def solution(self, t):
        """The state and, as its work, the kinetic energy gained since t = 0."""
        here, begin = self.state(t), self.state(0.0)
        return np.append(here, (here[2:] @ here[2:] - begin[2:] @ begin[2:]) / 2)


def kepler(nq=2, eccentricity=0.3, shake=0.1, frequency=5.0):
    """The Kepler problem, with positions apart (nq = 2) or as one system (nq = 0)."""
    rates = (velocity_is_rate, kepler_acceleration) if nq else (nothing, kepler_whole)
    problem = Kepler(*rates, layout_of(nq, (shake, frequency)), np.zeros(5), eccentricity, shake, frequency)
    problem.start = problem.solution(0.0)
    return problem


# --- a free rigid body: quaternion and angular velocity in the body ---------------------------------------------------------


@compiled(RATE_SIGNATURE)
def quaternion_rate(t, y, layout, work, ydot):
    """q' = q w / 2."""
    a, b, c, d = y[0], y[1], y[2], y[3]
    p, q, r = 0.5 * y[4], 0.5 * y[5], 0.5 * y[6]
    ydot[0] = -b * p - c * q - d * r
    ydot[1] = a * p + c * r - d * q
    ydot[2] = a * q + d * p - b * r
    ydot[3] = a * r + b * q - c * p
    return OK


@compiled(RATE_SIGNATURE)
def euler_equations(t, y, layout, work, ydot):
    """J w' = J w x w; in place of a work, an integral of the attitude."""
    p, q, r = y[4], y[5], y[6]
    ydot[4] = (INERTIA[1] - INERTIA[2]) * q * r / INERTIA[0]
    ydot[5] = (INERTIA[2] - INERTIA[0]) * r * p / INERTIA[1]
    ydot[6] = (INERTIA[0] - INERTIA[1]) * p * q / INERTIA[2]
    ydot[7] = y[0]
    return OK


@compiled(RATE_SIGNATURE)
def rigid_body_whole(t, y, layout, work, ydot):
    """The same as one first-order system (nq = 0)."""
    quaternion_rate(t, y, layout, work, ydot)
    return euler_equations(t, y, layout, work, ydot)


def rigid_body(angular_velocity=(0.3, 1.0, 0.2), nq=4):
    """A free body that tumbles, with its attitude apart (nq = 4) or as one system (nq = 0)."""
    start = np.array([0.5, -0.5, 0.5, 0.5, *angular_velocity, 0.0])
    rates = (quaternion_rate, euler_equations) if nq else (nothing, rigid_body_whole)
    return Problem(*rates, layout_of(nq), start)


# --- linear decay of a rate that can be made stiff, infinite, or invalid ----------------------------------------------------


@compiled(RATE_SIGNATURE)
def damped(t, y, layout, work, ydot):
    """v' = -k v with k = values[1] between the times values[2] and values[3], else 1; the work is that of the damper."""
    inside = layout.values[2] <= t <= layout.values[3]
    k = layout.values[1] if inside else 1.0
    ydot[1] = -k * y[1]
    ydot[2] = -k * y[1] * y[1]
    return OK


def damper(stiffness, begin=-math.inf, end=math.inf):
    """One coordinate with a damper; functional iteration contracts by about stiffness h / 4 (two stages: 0.29)."""
    return Problem(velocity_is_rate, damped, layout_of(1, (stiffness, begin, end)), np.array([0.0, 1.0, 0.0]))


# --- running --------------------------------------------------------------------------------------------------------------------


@dataclass
class Run:
    """A run and its arrays."""

    problem: Problem
    method: Any

    def __post_init__(self):
        self.y = self.problem.start.copy()
        self.memory = np.zeros(self.method.memory(self.y.size))
        self.scratch = np.full(self.method.scratch(self.y.size), np.nan)
        self.counters = np.zeros(N_COUNTERS, np.int64)
        self.work = np.zeros(1)
        self.out = np.zeros((0, self.y.size))

    @property
    def buffers(self):
        return Buffers(self.method.constants, self.memory, self.scratch, self.work, self.counters)

    def adaptive(self, output_step, first, last, count=10**9, rows=None, t0=0.0):
        """Continue a run of adaptive steps."""
        out = np.full((last - first + 1 if rows is None else rows, self.y.size), np.nan)
        rates = self.problem.position_rate, self.problem.velocity_rate
        functions = (self.method.drive or march_adaptive, *rates, no_rate_nearby, no_projection, no_projection, nothing_quick)
        result = march_adaptive_at(
            drive_addresses(*functions),
            Marched(Outputs(float(t0), float(output_step), first, last, count), self.y, self.buffers, self.problem.layout, out),
        )
        self.out = out[: result[2]]
        return result

    def march(self, h, first, count, stride=1, rows=None, t0=0.0):
        """Continue a run of fixed steps."""
        out = np.full(((first + count) // stride - first // stride if rows is None else rows, self.y.size), np.nan)
        rates = self.problem.position_rate, self.problem.velocity_rate
        result = march_at(
            march_addresses(self.method.step, no_rescue, no_projection, no_projection, *rates, no_stiffness),
            Marched(Span(float(t0), float(h), first, count, stride), self.y, self.buffers, self.problem.layout, out),
        )
        self.out = out[: result[2]]
        return result
