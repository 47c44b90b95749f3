"""Runs remember what they have in common: nothing is found twice, nothing stale is used, and no bit changes."""

import pickle
from copy import copy

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

import poinsot as po
from change_models import MODELS, built, keys, other_value
from loops import four_bar
from poinsot import simulation, starts
from poinsot.formulations import directors
from poinsot.formulations.tree.rates import position_rate
from poinsot.integrators.addressed import addresses_of
from poinsot.integrators.march import no_projection
from poinsot.integrators.registry import find
from poinsot.layout.change import with_changes
from poinsot.layout.freeze import freeze
from poinsot.model.contents import contents
from poinsot.remembered import Remembered
from poinsot.tables.records import N_POSITIONS, Layout
from poinsot.tables.types import RATE
from systems import chain, oscillator

rate_addresses = addresses_of(RATE)

CALLED = ("drag", "law", "fed", "swing", "soft", "motor", "drive", "lead")  # loads and drives with functions or signals


@pytest.fixture
def count(monkeypatch):
    """Count the calls of a function by the name under which a module calls it."""
    counts = {}

    def watch(owner, name):
        original = getattr(owner, name)

        def counted(*args, **kwargs):
            counts[name] += 1
            return original(*args, **kwargs)

        counts[name] = 0
        monkeypatch.setattr(owner, name, counted)

    watch.counts = counts
    return watch


def test_a_second_run_finds_nothing_again(count):
    ready = po.prepare(four_bar(), step=0.01)
    ready.run(0.1)
    for owner, name in ((starts, "start"), (simulation, "freeze"), (simulation, "formulate"), (JITCodeLibrary, "get_pointer_to_function")):
        count(owner, name)
    count(directors, "with_tables")
    ready.run(0.1)
    assert not any(count.counts.values()), count.counts


def test_what_is_kept_of_the_last_run_is_its_own():
    ready = po.prepare(four_bar(), formulation="tree", step=0.01)
    once, later = ready.run(0.1), ready.run(0.1, start=0.5)
    assert ready.run(0.1).raw.tobytes() == once.raw.tobytes() and later.t[0] == 0.5
    driver = ready.kept._equipment.driver
    assert not driver.work.any() and not driver.scratch.any()  # it never ran
    finer = ready.run(0.1, estimate_error=True)
    assert finer.record.error_position > 0.0 and finer.raw.tobytes() == once.raw.tobytes()
    other = copy(ready)
    other.method = find("dop853")
    wanted = po.prepare(four_bar(), formulation="tree", integrator="dop853", step=0.01).run(0.1)
    assert other.run(0.1).raw.tobytes() == wanted.raw.tobytes()
    changed = ready.run(0.1, change={"crank.mass": 3.0})
    assert changed.raw.tobytes() != once.raw.tobytes() == ready.run(0.1).raw.tobytes()


def test_a_system_that_ran_before_is_not_prepared_again(count):
    po.simulate(four_bar(), 0.1, step=0.01)
    count(simulation, "freeze")
    po.simulate(four_bar(), 0.2, step=0.01)
    assert count.counts == {"freeze": 0}
    po.simulate(four_bar(), 0.1, step=0.02)
    assert count.counts == {"freeze": 1}


def without_functions(model, given):
    """A model of `change_models.py` without functions and signals, which can change unseen."""
    s = built(model, given)
    s.loads, s.drives = [load for load in s.loads if load.name not in CALLED], []
    s.by_name = {name: element for name, element in s.by_name.items() if element in [s.ground, *s.elements()]}
    return s


@pytest.mark.parametrize("model", MODELS)
def test_every_value_is_part_of_the_contents(model):
    """Two systems with the same contents are the same; every value that can change changes them."""
    rng = np.random.default_rng(1)
    plain = contents(without_functions(model, {}), {})
    assert plain is not None and plain == contents(without_functions(model, {}), {}) == contents(without_functions(model, {}).copy(), {})
    for key in keys(model):
        if key.split(".")[0] in CALLED:
            continue
        given = {key: other_value(model, key, rng)}
        assert contents(without_functions(model, given), {}) not in (None, plain), key


def test_contents_tell_what_python_takes_as_equal():
    def of(gravity, **options):
        return contents(po.System("same", gravity=gravity), options)

    assert of((0.0, 0, -1)) != of((-0.0, 0, -1))
    assert len({of(None, step=1), of(None, step=1.0), of(None, step=True), of(None, step=np.float64(1.0)), of(None, step=np.int64(1))}) == 5
    assert of(None, rtol=1e-3) != of(None, atol=1e-3)


def test_functions_have_no_contents():
    s = oscillator()
    assert contents(s, {}) is not None
    s.add(po.Motor(s["slide"], lambda t: 0.5))
    assert contents(s, {}) is None
    assert contents(oscillator(), {"formulation": object()}) is None


class Odd:
    """Fails whenever it is looked into."""

    def __getattribute__(self, name):
        raise RuntimeError(name)


def test_what_may_hold_more_than_it_shows_has_no_contents():
    """Nor is it looked into: it may fail then."""
    masks = np.ma.masked, np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.array([1.0])
    for value in (*masks, np.zeros(2).view(np.matrix), Odd(), Odd):
        assert contents(oscillator(), {"step": value}) is None


def test_what_has_no_end_has_no_contents():
    own = []
    own.append(own)
    assert contents(oscillator(), {"step": own}) is None


@pytest.mark.parametrize("model", ["open", "closed"])
def test_random_changes_give_the_bits_of_a_fresh_start(model):
    """Systems that come again, in any order, and changes of one prepared system, against runs that remember nothing."""
    rng = np.random.default_rng(2)
    known = [key for key in keys(model) if key.split(".")[0] not in CALLED and key != "string.length"]
    some = [{}] + [{key: other_value(model, key, rng)} for key in rng.choice(known, 4)]
    ready = po.prepare(without_functions(model, {}), step=0.01)
    fresh = []
    for given in some:
        simulation._KNOWN.forget()
        fresh.append(po.prepare(without_functions(model, given), step=0.01).run(0.03))
    for k in rng.integers(0, len(some), 15):
        again = po.simulate(without_functions(model, some[k]), 0.03, step=0.01)
        changed = ready.run(0.03, change=some[k])
        for run in (again, changed):
            assert np.array_equal(run.raw, fresh[k].raw) and np.array_equal(run.loads, fresh[k].loads)
            assert run.ambiguous == fresh[k].ambiguous and str(run.audit).count("\n") == str(fresh[k].audit).count("\n")


@pytest.mark.parametrize("model", ["open", "closed"])
def test_what_a_start_depends_on_is_that_of_tables_refilled(model):
    """It is taken from the system that they were refilled from, where they differ from it in masses and initial values alone."""
    rng, ready = np.random.default_rng(3), po.prepare(without_functions(model, {}), step=0.01)
    plain, told = starts._geometry(ready.frozen), set()
    for key in keys(model):
        if key.split(".")[0] in CALLED:
            continue
        frozen, _ = with_changes(ready.refill, {key: other_value(model, key, rng)})
        found = starts._geometry(frozen)
        assert found == (starts._tables(frozen), starts._set(frozen)), key
        told |= {(key.rpartition(".")[2], found != plain)}
    assert ("mass", False) in told and any(changed for _, changed in told)


def test_tables_with_a_number_of_positions_are_made_once():
    """They and those with other numbers know the addresses of all tables; the layout that they are made from stays as it is."""
    layout = freeze(chain()).layout
    three, five = layout.with_positions(3), layout.with_positions(5)
    assert layout.with_positions(3) is three and three.sizes[N_POSITIONS] == 3 and five.sizes[N_POSITIONS] == 5 and layout.sizes[N_POSITIONS] == 0
    twice = layout._replace(values=layout.values + 1.0)._replace(links=layout.links.copy())
    for made in (three, five, twice, twice.refilled(bodies=layout.bodies.copy())):
        assert made.address and np.array_equal(made._pointers, Layout(*made)._found())


def test_a_method_is_bound_again_for_equations_of_other_sizes():
    ready = po.prepare(four_bar(), step=0.01)
    whole, fewer = ready.formulation, ready.run(0.02).formulation
    for formulation in (whole, fewer, fewer, whole):
        bound, anew = ready.method.bound(formulation), ready.method.bind(formulation)
        assert np.array_equal(bound.constants, anew.constants) and bound.memory(0) == anew.memory(0)
    assert ready.method.bound(whole) is ready.method.bound(whole)


def test_addresses_are_those_of_the_kernels():
    one, other = rate_addresses(no_projection), rate_addresses(position_rate)
    assert rate_addresses(no_projection) is one and not (set(one.tolist()) & set(other.tolist()))


def test_values_set_later_are_followed():
    s = four_bar()
    first = po.simulate(s, 0.05, step=0.01)
    s["base"].set(rate=3.0)
    second = po.simulate(s, 0.05, step=0.01)
    assert second["base"].rate[0] == pytest.approx(3.0) and first["base"].rate[0] != pytest.approx(3.0)
    s.add(po.JointDamper(s["base"], 0.5))
    assert po.simulate(s, 0.05, step=0.01).energy[-1] < second.energy[-1] - 1e-3
    assert first.system["base"].name == "base" and len(first.system.loads) == 0


def test_warnings_come_every_time():
    s = chain()
    s["joint1"].set(rate=(0, 0, 0.1))
    s.gravity = (0.0, 0.0, -9810.0)
    for _ in range(2):
        with pytest.warns(po.ModelWarning, match="mm/s"):
            po.simulate(s, 1e-4, step=1e-5)
    ready = po.prepare(four_bar(gap=0.01), step=0.01)
    for _ in range(2):
        with pytest.warns(po.AssemblyWarning, match="to close its loops"):
            ready.run(0.02)


def test_an_element_that_was_never_added_is_told_also_when_the_system_ran_before():
    s = oscillator()
    po.simulate(s, 0.1, step=0.01)
    lost = po.JointSpring(s["slide"], stiffness=1.0)
    with pytest.warns(po.ModelWarning, match="never added"):
        po.simulate(s, 0.1, step=0.01)
    s.add(lost)


def test_the_least_recently_used_is_forgotten():
    known = Remembered(2)
    found = [known.get(key, lambda key=key: [key]) for key in (1, 2, 1, 3)]
    assert found[0] is found[2] and len(known) == 2 and known.look(2) is None and known.look(1) is found[0]


def test_misspelt_names_are_told_when_they_are_read():
    s = oscillator()
    with pytest.raises(AttributeError, match="did you mean 'mass'"):
        _ = s["mass"].masss
    assert getattr(s["mass"], "masss", None) is None
    try:
        _ = s["mass"].masss
    except AttributeError as error:
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
