"""How kernels are compiled: one place for the settings of Numba.

`kernel`  small functions that read like mathematics; inlined into their callers, never called from Python.
`compiled(signature)`  whole kernels with an explicit signature, compiled when their module is imported and kept on disk.

Kernels neither allocate nor return arrays, so Numba need not count references to them (`_nrt`): that would cost 200 ns at
every entry of a function that takes the layout. `fastmath={"contract"}` allows fused multiply-add only: the meaning of NaN and infinity is kept.
"""

from __future__ import annotations

from typing import Any

import numba

njit: Any = numba.njit  # its type hints leave out settings that it takes

__all__ = ["compiled", "helper", "internal", "kernel", "njit"]

_SETTINGS: dict[str, Any] = {"fastmath": {"contract"}, "error_model": "numpy", "cache": True, "_nrt": False}

kernel = njit(**_SETTINGS, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
helper = njit(**_SETTINGS, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def compiled(signature: Any) -> Any:
    """Compile a kernel that Python calls or hands to other kernels, at import, for one explicit signature.

    It runs without Python's lock: while it does, another thread can write results to disk.
    """
    return njit(signature, **_SETTINGS, nogil=True)


def internal(signature: Any) -> Any:
    """Compile a kernel that only other kernels call. It has no wrapper, which saves compile time; Python must not call it."""
    return njit(signature, **_SETTINGS, no_cpython_wrapper=True, no_cfunc_wrapper=True)
