"""A number type of LANES numbers side by side, in the vector registers of one core: the same kernels run on it as on float64.

Kernels name no number type, so that arithmetic on what they load decides: arrays of lanes (`lane_arrays.py`) give and take these numbers.
Every operation acts on each lane by itself, so that what one lane holds, NaN or infinity included, never reaches another.
There is no comparison, on purpose: a branch would have to be taken by all lanes. Single numbers meet lanes as if every lane had them.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from llvmlite import ir
from numba import float64
from numba.core import types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model

from poinsot.algebra.bounds import LANES

VECTOR = ir.VectorType(ir.DoubleType(), LANES)
BITS = ir.VectorType(ir.IntType(64), LANES)
_WITHOUT_SIGN = 0x7FFFFFFFFFFFFFFF


class LanesType(types.Type):
    """Numba's type of these numbers."""

    def __init__(self) -> None:
        super().__init__(name=f"lanes{LANES}")

    def can_convert_from(self, typingctx: Any, other: types.Type) -> Conversion | None:
        """A single number can stand where lanes are expected."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None

    def unify(self, typingctx: Any, other: types.Type) -> types.Type | None:
        """Where a variable is a single number on one path and lanes on another, it has lanes."""
        return self if isinstance(other, types.Float | types.Integer) else None


LANE_NUMBER = LanesType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: LanesType) -> None:
        super().__init__(manager, kind, VECTOR)


def spread(builder: Any, number: Any) -> Any:
    """LLVM's vector with one number in all lanes."""
    empty = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(empty, number, ir.IntType(32)(0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


@lower_cast(types.Float, LanesType)
@lower_cast(types.Integer, LanesType)
def _spread(context: Any, builder: Any, kind: Any, to: Any, number: Any) -> Any:
    return spread(builder, context.cast(builder, number, kind, float64))


def _binary(operators: tuple[Any, ...], instruction: str) -> None:
    class Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            known = all(isinstance(one, LanesType | types.Float | types.Integer) for one in args)
            if len(args) == 2 and known and LANE_NUMBER in args:
                return signature(LANE_NUMBER, LANE_NUMBER, LANE_NUMBER)
            return None

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, instruction)(*args)

    for one in operators:
        infer_global(one)(type("Typing", (Typing,), {}))
        lower_builtin(one, LanesType, LanesType)(lower)


_binary((operator.add, operator.iadd), "fadd")
_binary((operator.sub, operator.isub), "fsub")
_binary((operator.mul, operator.imul), "fmul")
_binary((operator.truediv, operator.itruediv), "fdiv")


def _unary(function: Any, lower: Any) -> None:
    class Typing(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            return signature(LANE_NUMBER, LANE_NUMBER) if len(args) == 1 and args[0] is LANE_NUMBER else None

    infer_global(function)(type("Typing", (Typing,), {}))
    lower_builtin(function, LanesType)(lower)


def _lane_by_lane(name: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = builder.module.declare_intrinsic(name, (ir.DoubleType(),))
        found = args[0]
        for k in range(LANES):
            place = ir.IntType(32)(k)
            found = builder.insert_element(found, builder.call(function, [builder.extract_element(args[0], place)]), place)
        return found

    return lower


_unary(operator.neg, lambda context, builder, sig, args: builder.fneg(args[0]))
_unary(math.sin, _lane_by_lane("llvm.sin"))
_unary(math.cos, _lane_by_lane("llvm.cos"))


@intrinsic
def _larger_magnitude(typingctx, most, x):
    """Of every lane the larger of the magnitudes of two numbers; NaN counts as larger than all others, so that it is never hidden."""

    def codegen(context, builder, sig, args):
        mask = ir.Constant(BITS, [_WITHOUT_SIGN] * LANES)
        one, other = (builder.and_(builder.bitcast(arg, BITS), mask) for arg in args)
        return builder.bitcast(builder.select(builder.icmp_signed(">", one, other), one, other), VECTOR)

    return LANE_NUMBER(LANE_NUMBER, LANE_NUMBER), codegen


larger_magnitude: Any = _larger_magnitude  # the first argument of intrinsics is supplied by Numba


@intrinsic
def _in_all_lanes(typingctx, x):
    """A number in all lanes."""

    def codegen(context, builder, sig, args):
        return spread(builder, args[0])

    return LANE_NUMBER(float64), codegen


@intrinsic
def _choose(typingctx, condition, one, other):
    """Of every lane the first of two numbers where the condition is not zero, otherwise the second."""

    def codegen(context, builder, sig, args):
        zero = ir.Constant(VECTOR, [0.0] * LANES)
        return builder.select(builder.fcmp_unordered("!=", args[0], zero), args[1], args[2])

    return LANE_NUMBER(LANE_NUMBER, LANE_NUMBER, LANE_NUMBER), codegen


in_all_lanes: Any = _in_all_lanes
choose: Any = _choose
