"""Sweeps: every variant is the run that it would be alone, whoever computes it; what fails is kept; names and shapes are right."""

import warnings

import numpy as np
import pytest
from scipy import stats

import poinsot as po
from loops import four_bar
from poinsot.sweeps import engines
from poinsot.sweeps.figures import FIGURES
from systems import chain, oscillator, pendulum

GRID = {"spring.stiffness": np.array([1.0, 4.0, 9.0]), "mass.mass": [0.5, 2.0]}


def mass_on_spring():
    s = oscillator(damping=0.1)
    s["slide"].set(displacement=1.0)
    return s


def height(run):
    return run["bob"].position[-1, 1]


def two_numbers(run):
    return [run.t[-1], run.energy[0]]


def same(one, other):
    """All results of two sweeps, to the bit."""
    for a, b in zip((one.store.figures, *one.store.values), (other.store.figures, *other.store.values)):
        assert np.array_equal(a.view(np.int64), b.view(np.int64))
    assert one.store.failures == other.store.failures
    return True


@pytest.fixture(scope="module")
def swept():
    record = ["energy", po.last("mass.position"), po.largest("mass.velocity"), po.mean("slide.displacement"), two_numbers]
    return po.sweep(mass_on_spring(), GRID, 1.0, step=0.02, record=record, workers=1)


def test_every_variant_is_the_run_that_it_would_be_alone(swept):
    ready = po.prepare(mass_on_spring(), step=0.02)
    for k in range(6):
        change = {"spring.stiffness": GRID["spring.stiffness"][k // 2], "mass.mass": GRID["mass.mass"][k % 2]}
        run = ready.run(1.0, change=change)
        at = (k // 2, k % 2)
        assert np.array_equal(swept.values("energy")[at], run.energy)
        assert np.array_equal(swept.values("last(mass.position)")[at], run["mass"].position[-1])
        assert swept.values("largest(mass.velocity)")[at] == np.sqrt((run["mass"].velocity ** 2).sum(axis=1)).max()
        x = run["slide"].displacement
        assert abs(swept.values("mean(slide.displacement)")[at] - np.trapezoid(x, run.t)) < 1e-14
        assert np.array_equal(swept.values("two_numbers")[at], two_numbers(run))
        assert swept.figure_values("energy_drift")[at] == run.audit.energy_drift
        assert swept.figure_values("steps")[at] == run.audit.steps
        assert np.array_equal(swept.run(at).raw, run.raw) and np.array_equal(swept.run(change).raw, run.raw)


def test_amplitudes_and_periods_are_those_of_an_oscillator():
    """Against the solution in closed form: x = cos(w t), w^2 = k / m."""
    s = oscillator()
    s["slide"].set(displacement=1.0)
    found = po.sweep(s, GRID, 2.0, step=0.01, record=po.last("slide.displacement"))
    stiffness, mass = np.meshgrid(GRID["spring.stiffness"], GRID["mass.mass"], indexing="ij")
    assert np.abs(found.values("last(slide.displacement)") - np.cos(np.sqrt(stiffness / mass) * 2.0)).max() < 1e-9


@pytest.mark.parametrize("settings", [{"engine": "threads", "workers": 3}, {"engine": "processes", "workers": 2}])
def test_the_same_bits_whoever_computes(swept, settings):
    record = {spec.name: kept.what for spec, kept in zip(swept.task.specs, swept.task.records)}
    assert same(swept, po.sweep(mass_on_spring(), GRID, 1.0, step=0.02, record=record, **settings))


def test_dataset_and_table(swept):
    data = swept.dataset
    assert data["energy"].dims == ("spring.stiffness", "mass.mass", "t") and data["energy"].attrs["units"] == "J"
    assert data["last(mass.position)"].dims == ("spring.stiffness", "mass.mass", "xyz")
    one = data["last(mass.position)"].sel({"spring.stiffness": 4.0, "mass.mass": 2.0, "xyz": "x"})
    assert float(one) == swept.values("last(mass.position)")[1, 1, 0]
    assert not data["failed"].any() and set(FIGURES) == {name[6:] for name in data if name.startswith("audit.")}
    table = swept.to_dataframe()
    assert len(table) == 6 and table["last(mass.position).x"][3] == swept.values("last(mass.position)")[1, 1, 0]
    assert list(table["mass.mass"]) == [0.5, 2.0] * 3 and "energy" not in table
    assert "6 variants (3 x 2)" in str(swept) and "energy scale" in str(swept)


def test_a_list_a_table_and_a_sample_are_variants():
    import pandas

    s = mass_on_spring()
    changes = po.sample({"mass.mass": (0.5, 2.0), "spring.stiffness": stats.norm(4.0, 0.1)}, 5, seed=3)
    assert changes == po.sample({"mass.mass": (0.5, 2.0), "spring.stiffness": stats.norm(4.0, 0.1)}, 5, seed=3)
    record = [po.last("slide.displacement")]
    listed = po.sweep(s, changes, 0.2, step=0.02, record=record)
    tabled = po.sweep(s, pandas.DataFrame(changes), 0.2, step=0.02, record=record)
    assert same(listed, tabled)
    assert listed.dataset["last(slide.displacement)"].dims == ("variant",)
    assert np.array_equal(listed.dataset["mass.mass"], [change["mass.mass"] for change in changes])
    some = po.sweep(s, [{}, {"mass.mass": 2.0}, {"spring.stiffness": 1.0}], 0.2, step=0.02, record=record)
    alone = po.simulate(s, 0.2, step=0.02)
    assert some.values("last(slide.displacement)")[0] == alone["slide"].displacement[-1]
    assert len(set(some.values("last(slide.displacement)"))) == 3


@pytest.mark.parametrize("method", ["sobol", "latin", "random"])
def test_samples_have_their_distribution(method):
    found = po.sample({"a": (2.0, 4.0), "b": stats.norm(1.0, 0.5)}, 500, method=method, seed=1)
    a, b = (np.array([change[name] for change in found]) for name in "ab")
    assert a.min() >= 2.0 and a.max() <= 4.0 and stats.kstest(a, stats.uniform(2, 2).cdf).pvalue > 1e-3
    assert stats.kstest(b, stats.norm(1.0, 0.5).cdf).pvalue > 1e-3
    assert found != po.sample({"a": (2.0, 4.0), "b": stats.norm(1.0, 0.5)}, 500, method=method, seed=2)


def test_settings_of_runs_can_vary():
    found = po.sweep(chain(2), {"step": [0.02, 0.01], "integrator": ["rk4", "gauss2"]}, 0.2, output_step=0.02, record=["link2.position"])
    for i, step in enumerate((0.02, 0.01)):
        for j, integrator in enumerate(("rk4", "gauss2")):
            run = po.simulate(chain(2), 0.2, step=step, integrator=integrator, output_step=0.02)
            assert np.array_equal(found.values("link2.position")[i, j], run["link2"].position)
    assert list(found.dataset["integrator"].values) == ["rk4", "gauss2"]


def test_a_function_may_build_the_system():
    def build(length=1.0, angle=0.5):
        s = po.System("pendulum", plane="xy", gravity=(0, -9.81))
        bob = s.body("bob", mass=1.0, inertia=0.0, position=(0, -length))
        s.revolute(s.ground, bob, at=(0, 0), name="pin").set(angle=angle)
        return s

    found = po.sweep(build, {"length": [1.0, 2.0], "pin.rate": [0.0, 1.0]}, 0.5, step=0.01, record=height)
    run = po.prepare(build(length=2.0), step=0.01).run(0.5, change={"pin.rate": 1.0})
    assert found.values("height")[1, 1] == height(run)


def test_loops_are_assembled_in_the_branch_of_the_drawing():
    """Whatever is computed before or beside it: the first and the last angles of a turn are the same position."""
    angles = np.linspace(0.0, 2 * np.pi, 9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.ModelWarning)
        there = po.sweep(four_bar(), {"base.angle": angles}, 0.02, step=0.01, record=["coupler.position"], workers=2)
        back = po.sweep(four_bar(), {"base.angle": angles[::-1]}, 0.02, step=0.01, record=["coupler.position"], workers=1)
    first = there.values("coupler.position")[:, 0]
    assert np.array_equal(there.values("coupler.position"), back.values("coupler.position")[::-1])
    assert np.abs(first[0] - first[-1]).max() < 1e-12 and np.abs(np.diff(first, axis=0)).max() < 0.9
    assert there.figure_values("moved_metres").max() > 1.0 and len(there.warnings) == 1


def test_a_variant_that_fails_loses_no_other():
    found = po.sweep(mass_on_spring(), {"mass.mass": [1.0, -4.0, 9.0], "spring.stiffness": [1.0, 2.0]}, 0.2, step=0.02, record=["energy"])
    assert [failure.variant for failure in found.failures] == [2, 3]
    assert found.failures[0].change == {"mass.mass": -4.0, "spring.stiffness": 1.0} and "body 'mass'" in found.failures[0].message
    values = found.values("energy")
    assert np.all(np.isnan(values[1])) and np.all(np.isfinite(values[[0, 2]]))
    assert found.dataset["failed"].values.tolist() == [[False] * 2, [True] * 2, [False] * 2]
    assert "failed                   2 of 6" in str(found) and "ModelError" in str(found)


def test_a_variant_that_cannot_be_assembled_is_told():
    changes = [{"base.angle": 0.1}, {"base.angle": 0.1, "elbow.angle": 2.0}]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.ModelWarning)
        found = po.sweep(four_bar(), changes, 0.02, step=0.01, record=[po.last("energy")])
    assert [failure.variant for failure in found.failures] == [1] and found.failures[0].message.startswith("AssemblyError")


def odd_one_out(run):
    if run.system["mass"].mass == 2.0:
        raise ZeroDivisionError("not for me")
    return np.nan if run.system["mass"].mass == 3.0 else 1.0


def test_functions_that_fail_or_give_no_numbers():
    found = po.sweep(mass_on_spring(), {"mass.mass": [1.0, 2.0, 3.0]}, 0.1, step=0.02, record=odd_one_out)
    messages = [failure.message for failure in found.failures]
    assert messages[0] == "ZeroDivisionError: not for me" and "must give finite numbers" in messages[1]
    assert found.values("odd_one_out")[0] == 1.0


def test_processes_that_die_are_replaced(tmp_path, monkeypatch):
    def dies_once(run):
        import os

        mark = tmp_path / "died"
        if run.system["mass"].mass == 2.0 and not mark.exists():
            mark.touch()
            os._exit(9)
        return run.energy[-1]

    def dies(run):
        import os

        return os._exit(9) if run.system["mass"].mass == 2.0 else run.energy[-1]

    masses = np.linspace(1.0, 3.0, 9)
    once = po.sweep(mass_on_spring(), {"mass.mass": masses}, 0.1, step=0.02, record=dies_once, engine="processes", workers=2)
    assert not once.failures and np.all(np.isfinite(once.values("dies_once")))
    twice = po.sweep(mass_on_spring(), {"mass.mass": masses}, 0.1, step=0.02, record=dies, engine="processes", workers=2)
    assert [failure.variant for failure in twice.failures] == [4] and "ended unexpectedly" in twice.failures[0].message


def test_a_run_that_ends_early_has_nothing_after_its_end():
    found = po.sweep(
        pendulum(), {"pin.angle": [0.2, 0.5]}, 2.0, step=0.01, until=lambda t, state: state["pin"].angle, record=["pin.angle", po.last("energy")]
    )
    angles = found.values("pin.angle")
    ends = [int(np.isnan(row).argmax()) for row in angles]
    assert all(0 < end < 80 for end in ends) and all(np.all(np.isfinite(row[:end])) for row, end in zip(angles, ends))
    assert np.all(np.isfinite(found.values("last(energy)"))) and found.figure_values("end")[0] < 0.6


def test_everything():
    found = po.sweep(pendulum(), {"pin.angle": [0.2, 0.5]}, 0.1, step=0.05, record="everything")
    assert {"energy", "bob.position", "pin.force", "pin.rate"} <= set(found.names)
    run = po.prepare(pendulum(), step=0.05).run(0.1, change={"pin.angle": 0.5})
    assert np.array_equal(found.values("pin.force")[1], run["pin"].force)


def test_ctrl_c_leaves_what_is_done(monkeypatch):
    def interrupted(task, batches, workers):
        yield from list(original(task, batches, 1))[:3]
        raise KeyboardInterrupt

    original = engines.by_threads
    monkeypatch.setattr("poinsot.sweeps.sweep.by_threads", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        po.sweep(mass_on_spring(), {"mass.mass": np.linspace(1, 2, 8)}, 0.1, step=0.02, record=[po.last("energy")])
    part = caught.value.sweep
    assert not part.complete and np.isfinite(part.values("last(energy)")).tolist() == [True] * 3 + [False] * 5
    assert part.dataset["failed"].values.tolist() == [False] * 3 + [True] * 5 and "3 of 8" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    "vary, words",
    [
        ({"spring.stifness": [1.0]}, "did you mean 'stiffness'"),
        ({"sprng.stiffness": [1.0]}, "did you mean 'spring.stiffness'"),
        ({"stepp": [0.1]}, "did you mean 'step'"),
        ({"spring.stiffness": 4.0}, "must be several values"),
        ({"spring.stiffness": []}, "has no values"),
        ({"spring.stiffness": [1.0, [2.0, 3.0]]}, "value 1 of spring.stiffness: spring.stiffness must be one number"),
        ({"mass.com": [(0, 0)]}, "com: must be three numbers"),
        ({"slide.displacement": ["far"]}, "displacement"),
        ({"integrator": ["gaus4"]}, "did you mean 'gauss4'"),
        ({"formulation": ["tre"]}, "did you mean 'tree'"),
        ({"step": [-1.0]}, "step must be a positive number"),
        ([{"mass.mass": 1.0}, {"mass.mas": 2.0}], "variant 1"),
        ([], "no variants"),
        ({}, "no variants"),
        ("mass.mass", "vary must be"),
    ],
)
def test_wrong_variants_are_told_before_anything_runs(vary, words):
    with pytest.raises((po.ModelError, po.SettingsError), match=words.replace("(", r"\(")):
        po.sweep(mass_on_spring(), vary, 0.1, step=0.02)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"record": ["enrgy"]}, "did you mean energy"),
        ({"record": [po.last("mass.positon")]}, "did you mean mass.position"),
        ({"record": 3}, "record must be names of results"),
        ({"record": [po.last("energy"), po.last("energy")]}, "two of the name"),
        ({"engine": "thread"}, "did you mean 'threads'"),
        ({"workers": 0}, "workers must be"),
        ({"scheduler": "tcp://1.2.3.4:5"}, "is for engine='dask'"),
        ({"stream": 3}, "stream must be the path"),
    ],
)
def test_wrong_settings_are_told(given, words):
    with pytest.raises(po.SettingsError, match=words):
        po.sweep(mass_on_spring(), {"mass.mass": [1.0, 2.0]}, 0.1, step=0.02, **given)


def test_when_nothing_can_run_the_first_failure_is_told():
    with pytest.raises(po.PoinsotError, match="none of 2 variants tried can be run; variant 0: ModelError: 2 faults"):
        po.sweep(mass_on_spring(), {"mass.mass": [-1.0, -2.0]}, 0.1, step=0.02)


@pytest.mark.parametrize(
    "given, words",
    [
        (({"a": (1, 0)}, 4), "low < high"),
        (({"a": stats.norm}, 4), "frozen distribution"),
        (({"a": (0, 1)}, 0), "count must be"),
        (({}, 4), "name what varies"),
    ],
)
def test_wrong_samples_are_told(given, words):
    with pytest.raises(po.SettingsError, match=words):
        po.sample(*given)
    with pytest.raises(po.SettingsError, match="did you mean 'sobol'"):
        po.sample({"a": (0, 1)}, 4, method="sobl")


def test_figures_by_the_number_of_parameters(swept, tmp_path):
    maps = swept.plot("largest(mass.velocity)", "audit.energy_drift")
    assert [axes.get_xlabel() for axes in maps.axes[:2]] == ["spring.stiffness"] * 2
    curves = po.sweep(mass_on_spring(), {"mass.mass": [1.0, 2.0, 3.0]}, 0.1, step=0.02, record=["energy", po.last("energy")])
    drawn = curves.plot()
    assert len(drawn.axes[0].lines) == 3 and len(drawn.axes[1].lines) == 1
    assert np.array_equal(drawn.axes[1].lines[0].get_ydata(), curves.values("last(energy)"))
    changes = po.sample({"mass.mass": (1, 2), "spring.stiffness": (1, 2), "slide.displacement": (0, 1)}, 4)
    scatter = po.sweep(mass_on_spring(), changes, 0.1, step=0.02, record=[po.last("energy"), po.last("mass.position")]).plot(
        "last(energy)", "last(mass.position).x"
    )
    assert len(scatter.axes) == 6
    mixed = po.sweep(mass_on_spring(), changes, 0.1, step=0.02, record=["energy", po.last("energy")])
    assert len(mixed.plot().axes) == 3  # without names what fits into one figure
    with pytest.raises(po.SettingsError, match="do not fit into one figure here; name those to draw"):
        mixed.plot("energy", "last(energy)")
    with pytest.raises(po.SettingsError, match="did you mean 'largest"):
        swept.plot("larges(mass.velocity)")
    page = swept.write_html(tmp_path / "page.html", [0, {"spring.stiffness": 9.0, "mass.mass": 2.0}])
    assert "spring.stiffness 9" in page.read_text()
