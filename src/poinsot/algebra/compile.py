"""How kernels are compiled: all settings of Numba.

`kernel`  small functions that read like mathematics; inlined into their callers, never called from Python.
`generic`  functions that take other functions; part of the kernels that call them, and not cached by themselves.
`compiled(signature)`  whole kernels with an explicit signature, compiled when their module is imported and cached on disk.

Operators of lanes (`lane_arrays.py`) are there before anything is compiled. Files of kernels that were compiled for lanes name their types, and
reading such a file imports them: in the middle of a compilation, Numba would take the operators that it has found until then for others.

Kernels neither allocate nor return arrays, so Numba need not count references to them (`_nrt`): that would cost 200 ns at
every entry of a function that takes the layout. `fastmath={"contract"}` allows fused multiply-add only: NaN and infinity keep their meaning.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numba
from llvmlite.binding import ffi
from numba.core.typeinfer import register_dispatcher

from poinsot.algebra import lane_arrays  # noqa: F401
from poinsot.algebra.inlined import InliningCompiler, WholeCompiler
from poinsot.algebra.kernel_cache import KernelCache, NoCache, settle
from poinsot.algebra.spared import work_spared
from poinsot.algebra.typed_operators import operators_remembered

njit: Any = numba.njit  # its type hints lack some of its settings

__all__ = ["compiled", "generic", "handed", "helper", "internal", "kernel", "njit"]

_SETTINGS: dict[str, Any] = {"fastmath": {"contract"}, "error_model": "numpy", "_nrt": False}
_WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InliningCompiler}


@contextmanager
def without_collection() -> Iterator[None]:
    """Without Python's search for cycles of garbage, which takes a tenth of the time to compile a kernel."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def without_lock_events() -> Iterator[None]:
    """Without the events by which Numba measures how long LLVM is locked; there are a hundred thousand of them."""
    callbacks: list[Any] = getattr(getattr(ffi.lib, "_lock", None), "_cblist", [])
    kept = callbacks[:]
    callbacks.clear()
    try:
        yield
    finally:
        callbacks.extend(kept)


def _remembered(find: Any) -> Any:
    """The compiled function of the only signature, without a look-up by types and addresses whenever the kernel is passed to another."""
    found: list[Any] = []

    def get_compile_result(signature: Any) -> Any:
        if not found:
            found.append(find(signature))
            library = found[0].library
            library.get_pointer_to_function = cache(library.get_pointer_to_function)
        return found[0]

    return get_compile_result


def _kept(signature: Any = None, **settings: Any) -> Any:
    """A decorator as `njit(signature, cache=True, ...)`, with kernels cached on disk by `kernel_cache.py`."""

    def decorate(function: Any) -> Any:
        dispatcher = njit(**_SETTINGS, **settings)(function)
        if dispatcher is function:  # NUMBA_DISABLE_JIT
            return function
        try:
            dispatcher._cache = KernelCache(function)
        except RuntimeError:  # no folder that Numba can cache to
            dispatcher._cache = NoCache()
        if signature is not None:
            with register_dispatcher(dispatcher), without_collection(), without_lock_events(), operators_remembered(), work_spared():
                dispatcher.compile(signature)
            settle()
            dispatcher.disable_compile()
            dispatcher.get_compile_result = _remembered(dispatcher.get_compile_result)
        return dispatcher

    return decorate


kernel = _kept(forceinline=True, **_WITHOUT_WRAPPERS)
helper = _kept(**_WITHOUT_WRAPPERS)


def generic(function: Any) -> Any:
    """A helper that takes functions. Its types contain them, as objects of this process, which an index on disk cannot hold."""
    dispatcher = njit(**_SETTINGS, **_WITHOUT_WRAPPERS)(function)
    if dispatcher is not function:
        dispatcher._cache = NoCache()
    return dispatcher


def compiled(signature: Any) -> Any:
    """Compile a kernel that Python calls or passes to other kernels, at import, for one explicit signature.

    It releases Python's global lock, so that another thread can write results to disk at the same time.
    """
    return _kept(signature, nogil=True, pipeline_class=WholeCompiler)


def handed(signature: Any) -> Any:
    """Compile a kernel that Python only hands to other kernels. It has no wrapper for calls from Python, which takes longer to compile than a small
    kernel itself; Python must not call it.
    """
    return _kept(signature, no_cpython_wrapper=True, nogil=True, pipeline_class=WholeCompiler)


def internal(signature: Any) -> Any:
    """Compile a kernel that only other kernels call. It has no wrapper, which saves compile time; Python must not call it."""
    return _kept(signature, **_WITHOUT_WRAPPERS)
