"""Which user's function failed, and how. Compiled functions keep no exception: what failed is done once more with Python functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from poinsot.errors import CallbackError
from poinsot.layout.callbacks import Callback, first_failure, interpreted, place
from poinsot.tables.records import Layout


def blamed(callbacks: Sequence[Callback], layout: Layout, again: Callable[[Layout], Any]) -> tuple[str, BaseException]:
    """Words that name the function that failed, and its own exception; `again` does once more, with another layout, what failed."""
    found = first_failure(callbacks)
    if found is None:
        python = [interpreted(callback) for callback in callbacks]
        again(layout._replace(addresses=np.array([callback.address for callback in python], np.int64)))
        found = first_failure(python)
    if found is None:
        return _unlike(callbacks)
    callback, error = found
    return f"the function of {callback.label} ({place(callback.function, error)})", error


def _unlike(callbacks: Sequence[Callback]) -> tuple[str, BaseException]:
    labels = ", ".join(callback.label for callback in callbacks if callback.compiled)
    if not labels:
        return "the equations", CallbackError(
            "they have no finite solution, though all users' functions give finite numbers"
        )
    words = f"the function of {labels}"
    remedy = "write whole numbers that may grow as floats, 2.0**70"
    return words, CallbackError(f"{words} fails when it is compiled, and not as Python: {remedy}")
