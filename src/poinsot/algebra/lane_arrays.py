"""Arrays and tables of lanes: what loads and stores the numbers of `lanes.py`. Kernels index them as they index arrays and records of single numbers.

An array of lanes is an ordinary array in which the numbers of all lanes lie side by side: entry k of lane l is at LANES k + l. A table of
lanes belongs to an array of records: every word of 8 bytes of a record is repeated for all lanes, in the same way. Whole numbers in
records (kinds, parents, places) are those of the first lane and must be the same in all.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64
from numba.core import types
from numba.core.imputils import impl_ret_untracked
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_getattr_generic, models, register_model

from poinsot.algebra.bounds import LANES
from poinsot.algebra.lanes import LANE_NUMBER, VECTOR

WORD = 8  # bytes of a number of a record
_BYTE, _INDEX = ir.IntType(8), ir.IntType(64)


class LaneArrayType(types.Type):
    """An array of lanes: the address of its first number."""

    def __init__(self) -> None:
        super().__init__(name=f"lane_array{LANES}")


class LaneRecordsType(types.Type):
    """An array of records, with a table of lanes; `dtype` is that of a record."""

    def __init__(self, dtype: types.Record) -> None:
        self.dtype = dtype
        super().__init__(name=f"lane_records{LANES}({dtype})")


class LaneRecordType(types.Type):
    """One of these records."""

    def __init__(self, dtype: types.Record) -> None:
        self.dtype = dtype
        super().__init__(name=f"lane_record{LANES}({dtype})")


class LaneFieldType(types.Type):
    """A field of a record that is an array of numbers of lanes, of this shape."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        super().__init__(name=f"lane_field{LANES}({shape})")


LANE_ARRAY = LaneArrayType()


@register_model(LaneArrayType)
@register_model(LaneFieldType)
class _Address(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, _BYTE.as_pointer())


@register_model(LaneRecordsType)
@register_model(LaneRecordType)
class _Addresses(models.StructModel):
    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, [("records", types.voidptr), ("table", types.voidptr)])


def _moved(builder: Any, address: Any, count: Any, size: int) -> Any:
    return builder.gep(address, [builder.mul(count, _INDEX(size))], inbounds=True)


def _lanes_at(builder: Any, address: Any) -> Any:
    return builder.bitcast(address, VECTOR.as_pointer())


def _load(builder: Any, address: Any) -> Any:
    return builder.load(_lanes_at(builder, address), align=WORD)


def _addresses(builder: Any, pair: Any) -> tuple[Any, Any]:
    return builder.extract_value(pair, 0), builder.extract_value(pair, 1)


def _pair(context: Any, builder: Any, kind: types.Type, records: Any, table: Any) -> Any:
    empty = ir.Constant(context.get_value_type(kind), ir.Undefined)
    return builder.insert_value(builder.insert_value(empty, records, 0), table, 1)


@infer_global(operator.getitem)
class _TypeOfItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        of, index = args
        if isinstance(of, LaneArrayType) and isinstance(index, types.Integer):
            return signature(LANE_NUMBER, of, int64)
        if isinstance(of, LaneRecordsType) and isinstance(index, types.Integer):
            return signature(LaneRecordType(of.dtype), of, int64)
        if isinstance(of, LaneFieldType) and len(of.shape) == 1 and isinstance(index, types.Integer):
            return signature(LANE_NUMBER, of, int64)
        if isinstance(of, LaneFieldType) and isinstance(index, types.BaseTuple) and len(index) == len(of.shape):
            return signature(LANE_NUMBER, of, types.UniTuple(int64, len(of.shape)))
        return None


@infer_global(operator.setitem)
class _TypeOfStore(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        of, index, _ = args
        if isinstance(of, LaneArrayType) and isinstance(index, types.Integer):
            return signature(types.void, of, int64, LANE_NUMBER)
        return None


@lower_builtin(operator.getitem, LaneArrayType, types.Integer)
@lower_builtin(operator.getitem, LaneFieldType, types.Integer)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _load(builder, _moved(builder, args[0], args[1], WORD * LANES))


@lower_builtin(operator.getitem, LaneFieldType, types.BaseTuple)
def _get_entry(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place = _INDEX(0)
    for k, n in enumerate(sig.args[0].shape):
        place = builder.add(builder.mul(place, _INDEX(n)), builder.extract_value(args[1], k))
    return _load(builder, _moved(builder, args[0], place, WORD * LANES))


@lower_builtin(operator.setitem, LaneArrayType, types.Integer, LANE_NUMBER)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.store(args[2], _lanes_at(builder, _moved(builder, args[0], args[1], WORD * LANES)), align=WORD)
    return context.get_dummy_value()


@lower_builtin(operator.getitem, LaneRecordsType, types.Integer)
def _get_record(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    records, table = _addresses(builder, args[0])
    size = sig.args[0].dtype.size
    return _pair(context, builder, sig.return_type, _moved(builder, records, args[1], size), _moved(builder, table, args[1], size * LANES))


@infer_getattr
class _TypeOfField(AttributeTemplate):
    key = LaneRecordType

    def generic_resolve(self, kind: LaneRecordType, name: str) -> Any:  # type: ignore[override]
        if name not in kind.dtype.fields:
            return None
        field = kind.dtype.typeof(name)
        if isinstance(field, types.Integer):
            return field
        return LaneFieldType(field.shape) if isinstance(field, types.NestedArray) else LANE_NUMBER


@lower_getattr_generic(LaneRecordType)
def _get_field(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    field, offset = kind.dtype.typeof(name), kind.dtype.offset(name)
    records, table = _addresses(builder, value)
    if isinstance(field, types.Integer):
        place = builder.gep(records, [_INDEX(offset)], inbounds=True)
        return impl_ret_untracked(context, builder, field, builder.load(builder.bitcast(place, _INDEX.as_pointer()), align=WORD))
    place = builder.gep(table, [_INDEX(offset * LANES)], inbounds=True)
    return place if isinstance(field, types.NestedArray) else _load(builder, place)


@intrinsic
def _lane_array(typingctx, array, first):
    """The numbers of a flat array from position `first` on, as an array of lanes."""

    def codegen(context, builder, sig, args):
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        return _moved(builder, builder.bitcast(data, _BYTE.as_pointer()), args[1], WORD)

    return LANE_ARRAY(array, int64), codegen


@intrinsic
def _lane_records(typingctx, records, array, first):
    """Records with their table of lanes, which lies in a flat array from position `first` on."""

    def codegen(context, builder, sig, args):
        data = [context.make_array(kind)(context, builder, arg).data for kind, arg in zip(sig.args[:2], args[:2])]
        one, other = (builder.bitcast(each, _BYTE.as_pointer()) for each in data)
        return _pair(context, builder, sig.return_type, one, _moved(builder, other, args[2], WORD))

    return LaneRecordsType(records.dtype)(records, array, int64), codegen


lane_array: Any = _lane_array  # the first argument of intrinsics is supplied by Numba
lane_records: Any = _lane_records


def table_of_lanes(records: list[np.ndarray]) -> np.ndarray:
    """The table of lanes, flat, of arrays of records: those of every lane, of the same length and type."""
    words = [np.ascontiguousarray(one).view(np.float64).reshape(-1) for one in records]
    return np.stack(words, axis=1).reshape(-1)
