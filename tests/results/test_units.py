"""The unit of every result, by dimensions: a model written in other units gives the same results in those units."""

from itertools import chain as joined

import numpy as np
import pytest

import poinsot as po
import scaled_models
from fitting import runs
from poinsot.model.joints import JOINTS
from poinsot.results import views
from poinsot.results.quantities import names, quantity
from scaled_models import MODELS, Units

OTHER = Units(m=2.0, kg=5.0, s=1.3)  # no product of small powers of these is one
STEP, DURATION = 0.01, 0.2
# properties of views that are no quantities: what has no unit, several, or is no array
OTHERS = {"rotation", "unique", "signal", "grip", "conditioning", "rate", "multipliers", "contacts"}


def single(run):
    """Every result whose components have one unit, and the components of those that have several: by name."""
    found = {}
    for name in names(run):
        one = quantity(run, name)
        if not one.unit:  # of a user's function, which alone knows it
            continue
        if " or " in one.unit:
            found |= {f"{name}.{c}": quantity(run, f"{name}.{c}") for c in one.components}
        else:
            found[name] = one
    return found


def compare(ours, theirs):
    """Assert that results in other units are the same; returns those that are large enough to be seen."""
    ours, theirs = single(ours), single(theirs)
    assert list(ours) == list(theirs)
    largest = {}
    for one in ours.values():
        largest[one.unit] = max(largest.get(one.unit, 0.0), np.abs(one.values).max())
    seen = set()
    for name, one in ours.items():
        assert " or " not in one.unit, name
        assert np.allclose(theirs[name].t, one.t * OTHER.s, rtol=1e-12), name
        error = np.abs(theirs[name].values / OTHER.of(one.unit) - one.values).max()
        assert error < 1e-6 * largest[one.unit], f"{name} is not in {one.unit}: {error} of {np.abs(one.values).max()}"
        if np.abs(one.values).max() > 1e-4 * largest[one.unit]:
            seen.add(name)
    return seen


@pytest.fixture(scope="module", params=MODELS, ids=lambda build: build.__name__)
def both(request):
    """Runs of a model in both units, by formulation and integrator."""
    ours = runs(request.param(Units()), DURATION, STEP, every=False)
    theirs = runs(request.param(OTHER), DURATION * OTHER.s, STEP * OTHER.s, every=False)
    assert ours and list(ours) == list(theirs)
    return [(ours[name], theirs[name]) for name in ours]


def test_results_scale_with_their_units(both):
    seen, known = set(), set()
    for ours, theirs in both:
        seen |= compare(ours, theirs)
        known |= set(single(ours))
    potential = {f"{load.name}.power" for load in ours.system.loads if load.conservative and not getattr(load, "damping", 0.0)}
    zero = sorted(name for name in known - seen - potential if name.rpartition(".")[2] in ("effort", "power", "tension"))
    assert not zero, f"always zero, so that their units are not seen: {zero}"


def test_audits_scale_with_their_units(both):
    for ours, theirs in both:
        for name, unit in (("energy_start", "J"), ("energy_scale", "J"), ("end", "s"), ("step", "s")):
            assert getattr(theirs.audit, name) == pytest.approx(getattr(ours.audit, name) * OTHER.of(unit), rel=1e-6), name


def test_every_property_of_a_view_states_the_unit_of_its_result(both):
    run = both[-1][0]
    for name in names(run):
        owner, _, what = name.rpartition(".")
        found = getattr(type(run[owner] if owner else run), what, None)
        if isinstance(found, property) and quantity(run, name).unit != "1":
            assert any(unit in found.__doc__ for unit in quantity(run, name).unit.split(" or ")), f"{name}: {found.__doc__}"


def test_every_property_of_a_view_is_a_quantity(both):
    run = both[-1][0]
    known = {name.rpartition(".")[2] for name in joined(names(run), ("angle", "force", "torque", "tension", "contact", "effort", "power"))}
    for view in (views.BodyView, views.JointView, views.ConstraintView, views.LoadView, views.DriveView):
        public = [name for name, value in vars(view).items() if isinstance(value, property) and not name.startswith("_")]
        assert set(public) <= known | OTHERS, view


def test_every_element_is_in_a_scaled_model():
    assert not scaled_models.missing(), "write them in tests/scaled_models.py, in units"


@pytest.mark.parametrize(
    ("kind", "units"),
    [
        ("cylindrical", {"displacement": "N", "angle": "N m"}),
        ("planar", {"x": "N", "y": "N", "angle": "N m"}),
        ("universal", {"angle1": "N m", "angle2": "N m"}),
        ("free", {f"{name}_{axis}": unit for name, unit in (("position", "N"), ("rotation", "N m")) for axis in "xyz"}),
    ],
)
def test_a_damper_on_a_whole_joint_has_the_unit_of_each_coordinate(kind, units):
    s = scaled_models.tree(Units(), [cls for cls in JOINTS if cls.kind == kind])
    s.add(po.JointDamper(s[kind], 2.0, name="damper"))
    run = po.simulate(s, STEP, step=STEP)
    whole = quantity(run, "damper.effort")
    assert whole.components == tuple(units) and whole.unit == " or ".join(dict.fromkeys(units.values()))
    rates = np.asarray(run[kind].rate)
    for k, (name, unit) in enumerate(units.items()):
        part = quantity(run, f"damper.effort.{name}")
        assert part.unit == unit and part.values == pytest.approx(-2.0 * rates[:, k], rel=1e-12), name


def test_what_a_users_function_does_has_a_power_and_no_effort():
    run = po.simulate(scaled_models.loaded(Units()), STEP, step=STEP)
    assert "user_force1.power" in names(run) and "user_force1.effort" not in names(run)
    with pytest.raises(AttributeError, match="user force 'user_force1'.* has no result 'effort'; it has power"):
        _ = run["user_force1"].effort


def test_columns_of_a_table_have_the_unit_of_each_component():
    pytest.importorskip("pandas")
    run = po.simulate(scaled_models.closed(Units()), STEP, step=STEP)
    assert run.to_dataframe("servo.effort").attrs["units"] == {"t": "s", "servo.effort.turner": "N m", "servo.effort.slider": "N"}
