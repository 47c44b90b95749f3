"""Fixed steps by the addresses of their functions: the same as `march.march`, without the 20 us that handing over each function costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, types
from numba.core import cgutils
from numba.extending import intrinsic

from poinsot.algebra.compile import compiled
from poinsot.integrators.march import PROGRESS, RUN, march
from poinsot.tables.types import INTEGERS, RATE, RATE_SIGNATURE, STEP, STEP_SIGNATURE, STIFFNESS, STIFFNESS_SIGNATURE

SIGNATURES = (STEP_SIGNATURE,) * 2 + (RATE_SIGNATURE,) * 4 + (STIFFNESS_SIGNATURE,)  # of the functions of `march`, in its order


def _maker(kind: Any) -> Any:
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


step_at, rate_at, stiffness_at = _maker(STEP), _maker(RATE), _maker(STIFFNESS)


@compiled(PROGRESS(INTEGERS, RUN))
def march_at(a, run):
    """`march` with its seven functions given by their addresses, two each."""
    return march(
        step_at(a[0], a[1]),
        step_at(a[2], a[3]),
        rate_at(a[4], a[5]),
        rate_at(a[6], a[7]),
        rate_at(a[8], a[9]),
        rate_at(a[10], a[11]),
        stiffness_at(a[12], a[13]),
        run,
    )


def addresses(functions: Any) -> np.ndarray:
    """Addresses (14,) of the seven functions of `march`, in its order; the functions must be kept alive."""
    found: list[int] = []
    for function, signature in zip(functions, SIGNATURES, strict=True):
        compiled_one = function.get_compile_result(signature)
        names = compiled_one.fndesc.llvm_cfunc_wrapper_name, compiled_one.fndesc.llvm_func_name
        found += [compiled_one.library.get_pointer_to_function(name) for name in names]
    return np.array(found, np.int64)
