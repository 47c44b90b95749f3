"""Energy over 1000 s of violent motion: the largest error, with no more processor time than MuJoCo.

Four links on balls, all joints turned by 1.5 rad, about x and y in turn, and released. Nothing dissipates, so the energy
should stay constant. The errors are relative to the energy above hanging at rest, the largest at any tenth of a second.
MuJoCo runs as in `mujoco_accuracy`, at several steps. Beside each of its rows stand two of ours, of the adaptive dop853
and of the Gauss methods: of the settings that take no longer than MuJoCo, the one with the smallest error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from models import GRAVITY, LENGTH, MASS, let_go, mujoco_chain, quaternions, zigzag
from table import NOT_INSTALLED, Table, verdict
from timing import seconds_per_call, shortest

import poinsot as po

N, ANGLE, DURATION, OUTPUT = 4, 1.5, 1000.0, 0.1  # links, rad, s, s
THEIR_STEPS = (0.01, 0.005, 0.0025, 0.00125)  # s
TARGET = 1000.0  # times smaller
RUNS = 2  # of which the shorter counts
OURS: dict[str, list[dict[str, Any]]] = {
    "dop853": [{"rtol": rtol, "atol": rtol} for rtol in (1e-10, 1e-11, 1e-12)],
    "gauss4": [
        {"step": 0.0125, "tolerance": 1e-9},
        {"step": 0.01, "tolerance": 1e-11},
        {"step": 0.005, "tolerance": 1e-11},
        {"step": 0.005},
    ],
}


@dataclass
class Measured:
    """One run: settings in words, processor time (s), largest relative error of the energy."""

    name: str
    seconds: float
    error: float


def relative_error(energy: np.ndarray) -> float:
    """Largest deviation from the first value, beside the energy above hanging at rest (J)."""
    hanging = MASS * GRAVITY[2] * LENGTH * sum(k + 0.5 for k in range(N))
    return float(np.abs(energy - energy[0]).max() / (energy[0] - hanging))


def ours(integrator: str, settings: dict[str, Any], duration: float) -> Measured:
    """One of our settings."""
    ready = po.prepare(let_go(zigzag(N, ANGLE)), integrator=integrator, **settings)
    runs: list[po.Trajectory] = []

    def once() -> None:
        runs[:] = [ready.run(duration, output_step=OUTPUT, progress=False)]

    ready.run(OUTPUT, progress=False)  # what only a first run does is not counted
    (seconds,) = shortest([once], RUNS)
    words = ", ".join(f"{name} {value:g}" for name, value in settings.items() if name != "atol")
    return Measured(f"{integrator}, {words}", seconds, relative_error(runs[0].energy))


def theirs(mujoco: Any, step: float, duration: float) -> Measured:
    """MuJoCo; its time is the shortest time of a step, multiplied by their number."""
    model = mujoco_chain(mujoco, N, step)
    data = mujoco.MjData(model)
    data.qpos[:] = quaternions(zigzag(N, ANGLE)).ravel()
    energy = [their_energy(mujoco, model, data)]
    for _ in range(round(duration / OUTPUT)):
        mujoco.mj_step(model, data, nstep=round(OUTPUT / step))
        energy.append(their_energy(mujoco, model, data))
    (seconds,) = seconds_per_call([lambda count: mujoco.mj_step(model, data, nstep=count)])
    return Measured(f"{step:g} s", seconds * round(duration / step), relative_error(np.array(energy)))


def their_energy(mujoco: Any, model: Any, data: Any) -> float:
    """Total energy (J) at the state that MuJoCo is in."""
    mujoco.mj_forward(model, data)
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    return float(data.energy.sum())


def run(duration: float = DURATION, steps: Sequence[float] = THEIR_STEPS) -> Table:
    """All rows."""
    try:
        import mujoco
    except ImportError:
        mujoco = None
    table = Table(
        f"Energy over {duration:g} s of violent motion: {N} links turned by {ANGLE} rad, against MuJoCo's RK4"
    )
    settled = {name: [ours(name, settings, duration) for settings in each] for name, each in OURS.items()}
    if mujoco is None:
        for one in [one for each in settled.values() for one in each]:
            table.add(mujoco=NOT_INSTALLED, poinsot=one.name, poinsot_s=one.seconds, error_poinsot=one.error)
        return table
    for peer in [theirs(mujoco, step, duration) for step in steps]:
        for name, each in settled.items():
            in_time = [one for one in each if one.seconds <= peer.seconds]
            cells = {"mujoco": peer.name, "mujoco s": peer.seconds, "error mujoco": peer.error}
            if not in_time:
                table.add(**cells, poinsot=f"{name}: none of its settings is as fast", verdict=verdict(False))
                continue
            best = min(in_time, key=lambda one: one.error)
            table.add(
                **cells,
                poinsot=best.name,
                poinsot_s=best.seconds,
                error_poinsot=best.error,
                times_smaller=peer.error / best.error,
                target=f">= {TARGET:g}",
                verdict=verdict(peer.error >= TARGET * best.error),
            )
    table.notes.append("Errors: largest at tenths of a second, relative to the energy above hanging at rest.")
    table.notes.append(
        "The motion is chaotic: no program here knows where the links are after 1000 s. Times: processor time."
    )
    return table
