"""Kernels handed to a driver of steps by their addresses: as objects Numba takes 10 us for each of them, at every call."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic

SETS = 64  # sets of kernels whose addresses are remembered


def taken(kind: Any) -> Any:
    """An intrinsic that makes a function of this type of two addresses: of its wrapper in C, and its own."""

    @intrinsic
    def made(typingctx, c_address, address):
        signature = kind(int64, int64)

        def codegen(context, builder, signature, args):
            function = cgutils.create_struct_proxy(kind)(context, builder)
            pointer = context.get_value_type(types.voidptr)
            function.c_addr = builder.inttoptr(args[0], pointer)
            function.py_addr = builder.inttoptr(context.get_constant(types.intp, 0), pointer)
            function.jit_addr = builder.inttoptr(args[1], pointer)
            return function._getvalue()

        return signature, codegen

    return made


def addresses_of(*kinds: Any) -> Callable[..., np.ndarray]:
    """A function that gives the addresses (2 n,) of n kernels of these types of functions, two each as `taken` takes them.

    Kernels have one signature and are never compiled again, so addresses stay what they are; the kernels must be kept alive while they are used.
    """

    @lru_cache(SETS)
    def addresses(*kernels: Any) -> np.ndarray:
        found: list[int] = []
        for kernel, kind in zip(kernels, kinds, strict=True):
            compiled_one = kernel.get_compile_result(kind.signature)
            names = compiled_one.fndesc.llvm_cfunc_wrapper_name, compiled_one.fndesc.llvm_func_name
            found += [compiled_one.library.get_pointer_to_function(name) for name in names]
        return np.array(found, np.int64)

    return addresses
