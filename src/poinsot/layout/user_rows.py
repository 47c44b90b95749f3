"""Rows that users wrote, in the tables: their functions among the callbacks, and the descriptions that `elements/user_rows.py` reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.elements.user_rows import described
from poinsot.layout.callbacks import Callback, python_callback, wrap
from poinsot.layout.extent import reach
from poinsot.layout.forms import Form, rows_form
from poinsot.layout.loads import Loads
from poinsot.model.functions import same_function
from poinsot.model.system import System
from poinsot.model.user_rows import VelocityRows
from poinsot.tables.records import Layout


def user_rows(system: System) -> list[VelocityRows]:
    """The elements of a system whose rows users wrote."""
    return [constraint for constraint in system.constraints if isinstance(constraint, VelocityRows)]


def form_of(element: VelocityRows) -> Form:
    """How its function is called."""
    return rows_form(len(element.on), len(element.params), int(element.count))


def in_python(element: VelocityRows) -> Callback:
    """Its function, to be called in Python."""
    return python_callback(element.label(), form_of(element), element.function)


def build_user_rows(system: System, loads: Loads, known: Sequence[Callback] = ()) -> None:
    """Append the functions of users' rows to those of the loads. `known`: all functions, if compiled already."""
    for element in user_rows(system):
        k = len(loads.callbacks)
        again = known[k] if known and same_function(known[k].function, element.function) else None
        loads.callbacks.append(again or wrap(element.label(), form_of(element), element.function))
        loads.addresses = np.append(loads.addresses, loads.callbacks[-1].address)
        loads.rows[k] = element


def description(element: VelocityRows, bodies: Sequence[int], com: np.ndarray, axes: np.ndarray, layout: Layout) -> np.ndarray:
    """The description of an element on frames with origins `com` and axes (columns), in the body frames, of all bodies."""
    own = layout.bodies[list(bodies)]
    own = own[own["mass"] > 0]
    gyration = float(np.sqrt(own["inertia"][:, :3].max(axis=1, initial=0.0) / own["mass"]).max(initial=0.0))
    head = [len(bodies), int(element.count), len(element.params), gyration or reach(layout), 0.0]
    parts = [np.concatenate([[b], axes[b].T.ravel(), -axes[b].T @ com[b]]) for b in bodies]
    memory = np.full(described(len(bodies), int(element.count)), np.nan)
    return np.concatenate([head, *parts, element.values(), memory])
