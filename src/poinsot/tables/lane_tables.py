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
from poinsot.tables.records import N_VALUES, STACKED, Layout

UNREAD = ("plane_links", "plane_bodies", "plane_scalars")  # trees in lanes are those in space


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
    """The layout of one lane, as it was before it was stacked (`Layout.address`)."""

    def codegen(context, builder, signature, args):
        return builder.gep(args[0], [builder.add(args[1], ir.IntType(64)(1))])

    return LAYOUT(layout, int64), codegen


layout_of: Any = _layout_of  # the first argument of intrinsics is supplied by Numba


@kernel
def lane_links(layout, first):
    """The links of all lanes; `first` is the layout of the first lane."""
    return lane_records(first.links, layout.values, LANES * layout.sizes[N_VALUES])
