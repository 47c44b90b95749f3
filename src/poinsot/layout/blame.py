"""Find the user's function that failed. Compiled functions keep no exception, so the failed evaluation is repeated with Python functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from poinsot.errors import CallbackError
from poinsot.layout.callbacks import Callback, first_failure, interpreted, place
from poinsot.tables.records import Layout


def find_failed_function(callbacks: Sequence[Callback], layout: Layout, again: Callable[[Layout], Any]) -> tuple[str, BaseException]:
    """Description of the failed function, and its exception; `again` repeats the failed evaluation with another layout."""
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
            "they have no finite solution, although all users' functions return finite numbers"
        )
    words = f"the function of {labels}"
    remedy = "write large whole numbers as floats, such as 2.0**70"
    return words, CallbackError(f"{words} fails when compiled, but not as Python: {remedy}")
