"""Calls of compiled drivers of steps from Python.

Numba looks at the types of all arguments at every call, which takes 5 us for the tables of a layout. Here tables are looked at once, and what
changes from call to call, states and memories, at every call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from poinsot.tables.records import Layout, empty_layout

FLOAT = np.dtype(float)


@cache
def direct(kernel: Any) -> Callable[..., Any]:
    """A compiled kernel, for calls without a look at the types of arguments."""
    (signature,) = kernel.nopython_signatures
    found: Callable[..., Any] = kernel.get_compile_result(signature).entry_point
    return found


def checked(*arrays: np.ndarray) -> None:
    """Raise where arrays are not what kernels that are called directly take them for: contiguous numbers in double precision."""
    for array in arrays:
        if array.dtype != FLOAT or not array.flags.carray:
            raise TypeError(f"kernels take contiguous arrays of float64 that they may write to, not one of {array.dtype}")


@cache
def _tables() -> tuple[tuple[str, np.dtype], ...]:
    layout = empty_layout()
    return tuple((name, table.dtype) for name, table in zip(layout._fields, layout))


def check_tables(layout: Layout) -> None:
    """The same for the tables of a layout; those that were found to be right are not looked at again."""
    known = vars(layout)
    if "_right" in known:
        return
    for table, (name, dtype) in zip(layout, _tables()):
        if table.dtype != dtype or not table.flags.c_contiguous:
            raise TypeError(f"table '{name}' of a layout must be a contiguous array of {dtype}, not of {table.dtype}")
    known["_right"] = True
