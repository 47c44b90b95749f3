"""Tables of several variants of one model in one layout, one variant per lane (`algebra/lanes.py`).

Those that may differ from variant to variant (STACKED) hold the records of all lanes, one lane after the other. The values end with the links once
more, as a table of lanes. `sizes` has one entry more: N_VALUES, how many values a lane has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64
from numba.extending import intrinsic

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import kernel
from poinsot.algebra.lane_arrays import lane_records, table_of_lanes
from poinsot.tables.layout_type import LAYOUT
from poinsot.tables.records import N_CONTROL, Layout

STACKED = ("bodies", "links", "joints", "motions", "loads", "values")
UNREAD = ("plane_links", "plane_bodies", "plane_scalars")  # trees in lanes are those in space
N_VALUES = N_CONTROL + 1
_PLACES, _SIZES = tuple(Layout._fields.index(name) for name in STACKED), Layout._fields.index("sizes")


def difference(one: Layout, other: Layout) -> str | None:
    """Why two variants cannot share lanes: the name of a table in which they differ, but must not; None: they can."""
    for name, mine, its in zip(Layout._fields, one, other):
        if name in UNREAD:
            continue
        if mine.shape != its.shape:
            return name
        if name not in STACKED:
            if mine.tobytes() != its.tobytes():
                return name
        elif mine.dtype.names is not None:
            whole = [field for field in mine.dtype.names if mine.dtype[field].base.kind != "f"]
            if any(not np.array_equal(mine[field], its[field]) for field in whole):
                return name
    return None


def stacked(layouts: Sequence[Layout]) -> Layout:
    """The layout of LANES variants, of which no two have a `difference`."""
    assert len(layouts) == LANES
    first = layouts[0]
    tables: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in layouts]) for name in STACKED}
    tables["values"] = np.concatenate([tables["values"], table_of_lanes([one.links for one in layouts])])
    return first._replace(**tables, sizes=np.append(first.sizes[:N_VALUES], len(first.values)))


@intrinsic
def _layout_of(typingctx, layout, lane):
    """The layout of one lane, as it was before it was stacked."""

    def codegen(context, builder, signature, args):
        index, found = ir.IntType(64), args[0]

        def field(place, name):
            return context.data_model_manager[LAYOUT.types[place]].get_field_position(name)

        sizes = builder.extract_value(found, [_SIZES, field(_SIZES, "data")])
        values = builder.load(builder.gep(sizes, [index(N_VALUES)]))
        for name, place in zip(STACKED, _PLACES):
            data, shape, items = ([place, field(place, part)] for part in ("data", "shape", "nitems"))
            n = values if name == "values" else builder.udiv(builder.extract_value(found, items), index(LANES))
            begin = builder.gep(builder.extract_value(found, data), [builder.mul(n, args[1])])
            found = builder.insert_value(builder.insert_value(found, begin, data), n, items)
            found = builder.insert_value(found, n, [*shape, 0])
        return found

    return LAYOUT(layout, int64), codegen


layout_of: Any = _layout_of  # the first argument of intrinsics is supplied by Numba


@kernel
def lane_links(layout, first):
    """The links of all lanes; `first` is the layout of the first lane."""
    return lane_records(first.links, layout.values, LANES * layout.sizes[N_VALUES])
