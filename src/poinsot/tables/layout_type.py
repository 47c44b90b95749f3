"""Numba's type of the layout: for Numba a tuple of arrays, for the compiler one pointer, to where each table begins and how long it is.

Kernels hand the layout on at every evaluation, and a tuple of arrays is handed on by value, seven numbers per table: with two dozen tables that took
half the time of an evaluation of a small system. The pointer leads to the array of `Layout.address`, which is not changed while a kernel runs.

Numba compares types by what they consist of, and writes that into the name of every function that takes one: for the layout, the
fields of all its records. That takes time at every call in a kernel, and in every file of the cache. The short name ends with a digest of these
fields, so that a kernel that was compiled and cached for other tables is not loaded, whatever its module imports.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_getattr_generic
from numba.extending import NativeValue, register_model, typeof_impl, unbox

from poinsot.tables.records import Layout, empty_layout


def digest(tables: Layout) -> str:
    """Digest of the names and types of all tables: 8 hexadecimal digits."""
    text = repr([(name, repr(table.dtype)) for name, table in zip(tables._fields, tables)])
    return hashlib.sha256(text.encode()).hexdigest()[:8]


class LayoutType(types.NamedTuple):
    """The type of all layouts; there is only one, and those of other versions of the tables, in files of the cache, that are equal to no other."""

    def __init__(self, name: str = "") -> None:
        super().__init__([numba.typeof(table) for table in empty_layout()], Layout)
        self.name = name or f"{Layout.__name__}{digest(empty_layout())}"

    @property
    def key(self) -> str:
        """What types are compared by."""
        return self.name

    def __reduce__(self) -> Any:
        return LayoutType, (self.name,)


LAYOUT = LayoutType()


@typeof_impl.register(Layout)
def _typeof(layout: Layout, context: Any) -> types.Type:
    tables = tuple(typeof_impl(table, context) for table in layout)
    return LAYOUT if tables == LAYOUT.types else types.NamedTuple(tables, Layout)


@register_model(LayoutType)
class LayoutModel(PrimitiveModel):
    """A pointer to as many pairs of a pointer and a length as there are tables."""

    def __init__(self, manager: Any, kind: LayoutType) -> None:
        pair = ir.LiteralStructType([ir.IntType(8).as_pointer(), ir.IntType(64)])
        super().__init__(manager, kind, ir.ArrayType(pair, len(kind.types)).as_pointer())


@unbox(LayoutType)
def _unboxed(kind: LayoutType, layout: Any, c: Any) -> NativeValue:
    address = c.pyapi.object_getattr_string(layout, "address")
    number = c.unbox(types.intp, address)
    c.pyapi.decref(address)
    return NativeValue(c.builder.inttoptr(number.value, c.context.get_value_type(kind)), is_error=number.is_error)


@lower_getattr_generic(LayoutType)
def _table(context: Any, builder: Any, kind: LayoutType, layout: Any, name: str) -> Any:
    """One table, as Numba's array. Where it begins and how long it is does not change, so it need not be read again after a store."""
    place, index = kind.fields.index(name), ir.IntType(32)

    def read(part: int) -> Any:
        number = builder.load(builder.gep(layout, [index(0), index(place), index(part)]))
        number.set_metadata("invariant.load", builder.module.add_metadata([]))
        return number

    array_type = kind.types[place]
    array = cgutils.create_struct_proxy(array_type)(context, builder)
    size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(array_type.dtype)))
    data = context.get_value_type(types.CPointer(array_type.dtype))
    array.data, array.nitems, array.itemsize = builder.bitcast(read(0), data), read(1), size
    array.shape, array.strides = cgutils.pack_array(builder, [array.nitems]), cgutils.pack_array(builder, [size])
    array.meminfo, array.parent = (cgutils.get_null_value(getattr(array, part).type) for part in ("meminfo", "parent"))
    return array._getvalue()
