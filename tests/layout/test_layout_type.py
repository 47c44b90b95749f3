"""The type of the layout in kernels: one for all systems, short and quick to compare."""

import copy
import pickle

import numba
import numpy as np
import pytest

from loops import four_bar
from poinsot.algebra.bounds import LANES
from poinsot.layout.freeze import freeze
from poinsot.tables.lane_tables import layout_of, stacked
from poinsot.tables.layout_type import digest
from poinsot.tables.records import Layout, empty_layout
from poinsot.tables.types import LAYOUT
from systems import chain


@pytest.mark.parametrize("system", [chain(2), four_bar()], ids=["open", "closed"])
def test_all_layouts_have_one_type(system):
    assert numba.typeof(freeze(system).layout) is LAYOUT


def test_tables_of_other_types_make_no_layout():
    layout = freeze(chain(2)).layout
    assert numba.typeof(layout._replace(values=layout.values.astype(np.float32))) != LAYOUT
    assert numba.typeof(layout._replace(values=np.repeat(layout.values, 2)[::2])) != LAYOUT


def test_files_of_the_cache_name_the_type_instead_of_describing_it():
    described = pickle.dumps(LAYOUT)
    assert pickle.loads(described) is LAYOUT and len(described) < 200


def test_kernels_that_were_cached_for_other_tables_are_not_loaded():
    """A kernel takes the layout as one pointer: one that was compiled for more or other tables would read wrong places."""
    tables = empty_layout()
    assert LAYOUT.name == f"Layout{digest(tables)}"
    assert digest(tables._replace(links=tables.links.astype([(name, "f8") for name in tables.links.dtype.names]))) != digest(tables)
    cached = pickle.loads(pickle.dumps(LAYOUT).replace(LAYOUT.name.encode(), b"Layout00000000"))
    assert cached.name == "Layout00000000" and cached != LAYOUT and hash(cached) != hash(LAYOUT)


def _reader(name):
    """A kernel that returns length, size of a record and address of one table."""
    source = f"def read(layout):\n    return layout.{name}.shape[0], layout.{name}.strides[0], layout.{name}.ctypes.data"
    found = {}
    exec(source, found)
    return numba.njit(found["read"])


@pytest.mark.parametrize("name", Layout._fields)
def test_a_kernel_finds_every_table_of_a_layout(name):
    layout = freeze(four_bar()).layout
    read, table = _reader(name), getattr(layout, name)
    assert read(layout) == (len(table), table.itemsize, table.ctypes.data)
    longer = layout._replace(**{name: np.concatenate([table, table])})
    own = getattr(longer, name)
    assert read(longer) == (len(own), own.itemsize, own.ctypes.data)
    assert read(layout) == (len(table), table.itemsize, table.ctypes.data)  # the pointers of the first are its own


def test_a_kernel_reads_the_records_of_a_layout():
    layout = freeze(four_bar()).layout
    count = numba.njit(lambda tables: (tables.bodies.shape[0], tables.values[2], tables.joints[0].second))
    assert count(layout) == (len(layout.bodies), layout.values[2], layout.joints[0]["second"])
    count_again = layout._replace(values=layout.values + 1.0)._replace(bodies=layout.bodies[:1].copy())
    assert count(count_again) == (1, layout.values[2] + 1.0, layout.joints[0]["second"])


def test_copies_of_a_layout_have_addresses_of_their_own():
    """An address that travelled to another process, or to a copy, would lead to memory of others."""
    layout = freeze(four_bar()).layout
    assert layout.address
    for other in (pickle.loads(pickle.dumps(layout)), copy.deepcopy(layout), copy.copy(layout)):
        assert "address" not in other.__dict__ and "_pointers" not in other.__dict__
        assert all(np.array_equal(mine, its) for mine, its in zip(layout, other))


def test_lanes_lie_behind_the_layout_that_holds_them():
    layouts = [freeze(chain(2)).layout for _ in range(LANES)]
    for k, one in enumerate(layouts):
        one.values[0] = k
        one.links["mass"] = 10.0 + k
    both = stacked(layouts)
    read = numba.njit(lambda layout, k: (layout_of(layout, k).values[0], layout_of(layout, k).links[1].mass, layout_of(layout, k).links.shape[0]))
    for k in range(LANES):
        assert read(both, k) == (k, 10.0 + k, len(layouts[0].links))
