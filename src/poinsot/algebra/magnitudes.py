"""Magnitudes of numbers as integers: their bits without the sign.

They are ordered as the magnitudes, with infinity and NaN above all others. So their maximum never hides numbers that are not
finite, as a maximum of floating-point numbers can; and unlike that maximum, the compiler can vectorise it over several
numbers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import float64, int64
from numba.extending import intrinsic

_WITHOUT_SIGN = 0x7FFFFFFFFFFFFFFF


@intrinsic
def _magnitude(typingctx, x):
    """The bits of abs(x)."""

    def codegen(context, builder, signature, args):
        bits = ir.IntType(64)
        return builder.and_(builder.bitcast(args[0], bits), ir.Constant(bits, _WITHOUT_SIGN))

    return int64(float64), codegen


@intrinsic
def _number(typingctx, magnitude):
    """The number with this magnitude; infinity or NaN if the magnitude is theirs."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], ir.DoubleType())

    return float64(int64), codegen


magnitude: Any = _magnitude  # the first argument of intrinsics is supplied by Numba
number: Any = _number
