"""Forward dynamics of chains against Pinocchio's `aba`: time and error, in the same row.

Ours is what an integrator evaluates, loads included, called from a compiled loop. Pinocchio is called from a Python
loop; what such a call costs is measured on a chain of one link and taken off for the second ratio. That takes off a
little too much, the dynamics of one link, to our disadvantage.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from models import Chain, pinocchio_chain, system
from numba import int64, njit, void
from table import NOT_INSTALLED, Table, verdict
from timing import seconds_per_call

import high_precision
import poinsot as po
from poinsot.formulations.registry import formulate
from poinsot.formulations.tree.rates import velocity_rate
from poinsot.layout.freeze import freeze
from poinsot.tables.types import FLOATS, LAYOUT

N = 64
TARGETS = {"spherical": 3.5, "revolute": 2.5}


@njit(void(int64, FLOATS, LAYOUT, FLOATS, FLOATS))
def evaluate(count, y, layout, work, ydot):
    """Evaluate the velocity's derivative `count` times."""
    for _ in range(count):
        velocity_rate(0.0, y, layout, work, ydot)


def ours(chain: Chain) -> Any:
    """A function that evaluates the velocity's derivative so many times."""
    frozen = freeze(system(chain))
    tree = formulate(frozen, "tree")
    y = tree.pack(chain.coordinates.ravel(), chain.rates.ravel())
    work, ydot = np.zeros(tree.work_size), np.zeros(tree.state_size)
    return lambda count: evaluate(count, y, frozen.layout, work, ydot)


def theirs(pin: Any, chain: Chain) -> Any:
    """The same for Pinocchio."""
    model, q, v = pinocchio_chain(pin, chain)
    data, tau, aba = model.createData(), np.zeros(model.nv), pin.aba

    def repeat(count: int) -> None:
        for _ in range(count):
            aba(model, data, q, v, tau)

    return repeat


def our_accelerations(chain: Chain) -> np.ndarray:
    dynamics = po.dynamics(system(chain), "tree")
    return dynamics.acceleration(dynamics.state(chain.coordinates.ravel(), chain.rates.ravel()))


def their_accelerations(pin: Any, chain: Chain) -> np.ndarray:
    model, q, v = pinocchio_chain(pin, chain)
    return np.array(pin.aba(model, model.createData(), q, v, np.zeros(model.nv)))


def error(result: np.ndarray, reference: np.ndarray) -> float:
    """Largest error beside the largest acceleration."""
    return float(np.abs(result - reference).max() / np.abs(reference).max())


def run() -> Table:
    """Both chains."""
    try:
        import pinocchio as pin
    except ImportError:
        pin = None
    table = Table(f"Forward dynamics of a bent chain of {N} bodies, one core, against pinocchio.aba")
    for joint, target in TARGETS.items():
        chain = Chain(joint, N)
        reference = high_precision.accelerations(chain)
        cells: dict[str, Any] = {"joints": joint}
        if pin is None:
            (own,) = seconds_per_call([ours(chain)])
            table.add(**cells, poinsot_us=1e6 * own, pinocchio_us=NOT_INSTALLED, target=f">= {target}")
            continue
        own, peer, call = seconds_per_call([ours(chain), theirs(pin, chain), theirs(pin, Chain(joint, 1))])
        ratio = (peer - call) / own
        table.add(
            **cells,
            poinsot_us=1e6 * own,
            pinocchio_us=1e6 * peer,
            a_call_us=1e6 * call,
            ratio=peer / own,
            ratio_without_call=ratio,
            target=f">= {target}",
            verdict=verdict(ratio >= target),
            error_poinsot=error(our_accelerations(chain), reference),
            error_pinocchio=error(their_accelerations(pin, chain), reference),
        )
    table.notes.append(
        "Errors: largest, relative to the largest acceleration, against a reference in 50-digit arithmetic."
    )
    table.notes.append(
        "Pinocchio as its wheel is built; the target holds for the ratio without the cost of a Python call."
    )
    return table
