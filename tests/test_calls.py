"""Compiled drivers are called without a look at the types of their arguments: what could be wrong is looked at before."""

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot.calls import check_tables, checked, direct
from poinsot.driver import Driver, Progress
from poinsot.integrators.march import march_at
from systems import pendulum


def test_arrays_that_kernels_would_misread_are_refused():
    right = np.zeros(4)
    checked(right, np.zeros((2, 3)))
    fixed = right.view()
    fixed.flags.writeable = False
    for wrong in (np.zeros(4, np.int64), np.zeros(4, np.float32), np.zeros(8)[::2], fixed):
        with pytest.raises(TypeError, match="contiguous arrays of float64"):
            checked(right, wrong)


def test_tables_are_looked_at_once():
    layout = po.prepare(pendulum()).frozen.layout
    wrong = layout._replace(sizes=layout.sizes.astype(float))
    for _ in range(2):
        with pytest.raises(TypeError, match="'sizes' of a layout must be .* int64"):
            check_tables(wrong)
    sparse = layout._replace(values=np.zeros(6)[::2])
    with pytest.raises(TypeError, match="'values'"):
        check_tables(sparse)
    check_tables(layout)
    check_tables(layout)


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"rtol": 1e-6}], ids=["fixed", "adaptive"])
@pytest.mark.parametrize("name", ["y", "memory"])
def test_a_driver_refuses_states_of_other_numbers(settings, name):
    ready = po.prepare(four_bar(), formulation="tree", **settings)
    driver = Driver(ready.formulation, ready.method.bound(ready.formulation), ready.frozen.layout)
    start = ready.run(0.1).raw[0].copy()
    p = Progress(start, driver.fresh_memory(), 0.0)
    setattr(p, name, np.zeros(len(getattr(p, name)), np.int64))
    out = np.empty((1, len(start)))
    with pytest.raises(TypeError, match="int64"):
        if ready.step is None:
            driver.adaptive(p, 0.0, 0.1, 1, 1, 10, out)
        else:
            driver.fixed(p, 0.0, 0.01, 0, 1, 1, out)


def test_a_kernel_called_directly_refuses_what_is_no_array():
    with pytest.raises(TypeError):
        direct(march_at)(1.0, None)
    assert direct(march_at) is direct(march_at)
