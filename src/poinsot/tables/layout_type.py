"""Numba's type of the layout: that of a tuple of arrays, but with a short name.

Numba compares types by what they consist of, and writes that into the name of every function that takes one: for the layout, the
fields of all its records. That takes time at every call in a kernel, and in every file of the cache. The short name ends with a digest of these
fields, so that a kernel that was compiled and cached for other tables is not loaded, whatever its module imports.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numba
from numba import types
from numba.core.datamodel.models import TupleModel
from numba.extending import register_model, typeof_impl

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


register_model(LayoutType)(TupleModel)
