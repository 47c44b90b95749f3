"""The type of the layout in kernels: one for all systems, short and quick to compare."""

import pickle

import numba
import numpy as np
import pytest

from loops import four_bar
from poinsot.layout.freeze import freeze
from poinsot.tables.layout_type import digest
from poinsot.tables.records import empty_layout
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
    """A kernel takes the layout as over a hundred numbers: one that was compiled for more or other tables would read wrong places."""
    tables = empty_layout()
    assert LAYOUT.name == f"Layout{digest(tables)}"
    assert digest(tables._replace(links=tables.links.astype([(name, "f8") for name in tables.links.dtype.names]))) != digest(tables)
    cached = pickle.loads(pickle.dumps(LAYOUT).replace(LAYOUT.name.encode(), b"Layout00000000"))
    assert cached.name == "Layout00000000" and cached != LAYOUT and hash(cached) != hash(LAYOUT)


def test_a_kernel_reads_every_table_of_a_layout():
    layout = freeze(four_bar()).layout
    count = numba.njit(lambda tables: (tables.bodies.shape[0], tables.values[2], tables.joints[0].second))
    assert count(layout) == (len(layout.bodies), layout.values[2], layout.joints[0]["second"])
