"""Signals and drives in the tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.layout.callbacks import Callback, python_callback
from poinsot.layout.forms import signal_form
from poinsot.layout.loads import Loads
from poinsot.model.signals import Polynomials, Signal
from poinsot.model.system import System
from poinsot.tables.records import DRIVE, SIGNAL


def build_drives(system: System, loads: Loads, known: Sequence[Callback] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Tables SIGNAL and DRIVE; signals are appended to the values and functions of the loads. `known`: those functions, if compiled already."""
    signals: list[tuple] = []
    drives: list[tuple] = []
    for drive in system.drives:
        signals.append(_signal(drive.label(), drive.signal, loads, known))
        for component, motor in enumerate(drive.motors()):
            load = -1 if motor is None else loads.owner.index(motor)
            drives.append((len(signals) - 1, component, load))
    return np.array(signals, SIGNAL) if signals else np.zeros(0, SIGNAL), (
        np.array(drives, DRIVE) if drives else np.zeros(0, DRIVE)
    )


def _signal(label: str, signal: Signal, loads: Loads, known: Sequence[Callback]) -> tuple:
    if isinstance(signal, Polynomials):
        start = len(loads.values)
        loads.values = np.concatenate([loads.values, signal.times, signal.coefficients.ravel()])
        return (signal.size, -1, start, len(signal.times) - 1, signal.coefficients.shape[1] - 1)
    made = known[len(loads.callbacks)] if known else python_callback(label, signal_form(signal), signal.function)
    loads.callbacks.append(made)
    loads.addresses = np.append(loads.addresses, loads.callbacks[-1].address)
    return (signal.size, len(loads.callbacks) - 1, 0, 0, 0)
