"""Call a user's function from compiled code through its address."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def _call_address(typingctx, address, t, x, params, out):
    """void f(double t, double *x, double *params, double *out) at an int64 address; x, params, out are contiguous float64 arrays."""
    signature = types.void(address, t, x, params, out)

    def codegen(context, builder, signature, args):
        double = ir.DoubleType()
        pointer = double.as_pointer()
        arrays = [
            builder.bitcast(cgutils.create_struct_proxy(kind)(context, builder, value=value).data, pointer)
            for kind, value in zip(signature.args[2:], args[2:])
        ]
        function_type = ir.FunctionType(ir.VoidType(), [double, pointer, pointer, pointer])
        function = builder.inttoptr(args[0], function_type.as_pointer())
        builder.call(function, [args[1], *arrays])
        return context.get_dummy_value()

    return signature, codegen


call_address: Any = _call_address  # the first argument of intrinsics is supplied by Numba
