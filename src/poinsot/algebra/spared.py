"""What Numba does for every function although kernels do not need it, left out while they are compiled: a twentieth of the time.

Sizes of types are asked for at every variable, for debuggers, and each time LLVM parses a module to tell; here it is asked once for each type.
Which variables are alive where a block begins is worked out five times; only generators and functions of Python objects read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite.ir import IdentifiedStructType
from numba.core.base import BaseContext
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg

_ask_size, _process = BaseContext.get_abi_sizeof, PostProcessor.run
_sizes: dict[tuple[int, int], tuple[Any, Any, int]] = {}  # by identity; what the numbers identify is kept alive with the answer


def _size(self: Any, kind: Any) -> int:
    """In place of Numba's method: bytes of a type."""
    if isinstance(kind, IdentifiedStructType):  # may still be given its members
        return int(_ask_size(self, kind))
    key = id(self.target_data), id(kind)
    if key not in _sizes:
        _sizes[key] = self.target_data, kind, int(_ask_size(self, kind))
    return _sizes[key][2]


def _run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """In place of Numba's method: blocks in order, lifetimes of variables when they are asked for, deletions where they are wanted."""
    code = self.func_ir
    if code.is_generator:
        _process(self, emit_dels, extend_lifetimes)
        return
    code.blocks = canonicalize_cfg(code.blocks)
    code.variable_lifetime, code.generator_info = VariableLifetime(code.blocks), None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


@contextmanager
def work_spared() -> Iterator[None]:
    """Within it, that work is not done."""
    within = PostProcessor.run is _run
    BaseContext.get_abi_sizeof, PostProcessor.run = _size, _run  # type: ignore[method-assign]
    try:
        yield
    finally:
        if not within:
            BaseContext.get_abi_sizeof, PostProcessor.run = _ask_size, _process  # type: ignore[method-assign]
