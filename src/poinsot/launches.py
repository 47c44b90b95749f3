"""A run that is ready to start, and its results so far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.driver import Driver, Plan, Progress
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen
from poinsot.results.record import Record
from poinsot.results.trajectory import Trajectory


@dataclass
class Launch:
    """A run that is ready to start: equations, method, plan and record. `bare`: without the tables of the formulation."""

    bare: Frozen
    frozen: Frozen
    formulation: Formulation
    driver: Driver
    plan: Plan
    record: Record


def reached(launch: Launch, p: Progress) -> Trajectory:
    """The run as far as its outputs go."""
    launch.record.counters = p.counters
    times, rows = np.array(p.times), np.concatenate(p.rows)
    if len(times) != len(rows):  # stopped in the middle of a step
        count = min(len(times), len(rows))
        times, rows = times[:count], rows[:count]
    return Trajectory(launch.frozen, launch.formulation, times, rows, launch.record)
