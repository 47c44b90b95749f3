"""`change=`: a prepared run with other values is, to the bit, the run of a system written with them."""

import numpy as np
import pytest

import poinsot as po
from change_models import MODELS, built, keys, other_value
from poinsot.files.models.compare import differences
from systems import chain, oscillator, pendulum

pytestmark = pytest.mark.filterwarnings(
    "ignore::poinsot.errors.AssemblyWarning", "ignore::poinsot.errors.DriveWarning"
)
SETTINGS = {
    "open": {"step": 0.02, "integrator": "gauss3"},
    "closed": {"step": 0.01},
    "planar": {"step": 0.01},
}
READY = {}
WITHOUT_EFFECT = ("a.y", "bob.radius")  # sizes that the inertia about a hinge does not know, and of what never turns


def ready(model):
    if model not in READY:
        READY[model] = po.prepare(built(model, {}), **SETTINGS[model])
    return READY[model]


def same_as_written(model, change):
    run = ready(model).run(0.1, change=change)
    wanted = po.simulate(built(model, change), 0.1, **SETTINGS[model])
    assert np.array_equal(run.raw, wanted.raw) and np.array_equal(run.t, wanted.t), change
    assert np.array_equal(run.motion, wanted.motion) and np.array_equal(run.loads, wanted.loads), change
    numbers, others = ({k: n for k, n in r.audit.to_dict().items() if k != "seconds"} for r in (run, wanted))
    assert numbers == others
    assert differences(run.system, wanted.system) == []
    return run


@pytest.mark.parametrize(("model", "key"), [(model, key) for model in MODELS for key in keys(model)])
def test_every_change_is_the_system_written_with_it(model, key):
    rng = np.random.default_rng([len(key), ord(key[0])])
    run = same_as_written(model, {key: other_value(model, key, rng)})
    assert key in WITHOUT_EFFECT or not np.array_equal(run.raw, ready(model).run(0.1).raw)


def several(seed):
    rng = np.random.default_rng(seed)
    model = list(MODELS)[seed % 3]
    known = keys(model)
    chosen = rng.choice(len(known), size=rng.integers(2, 6), replace=False)
    change = {known[k]: other_value(model, known[k], rng) for k in chosen}
    try:
        po.simulate(built(model, change), 0.1, **SETTINGS[model])
    except po.AssemblyError as written:  # velocities that contradict each other where the loops are closed then
        with pytest.raises(po.AssemblyError) as caught:
            ready(model).run(0.1, change=change)
        assert str(caught.value) == str(written) and "bob.velocity" in change
        return
    same_as_written(model, change)


@pytest.mark.parametrize("seed", range(6))
def test_several_changes_at_once(seed):
    several(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6, 306))
def test_many_changes_at_once(seed):
    several(seed)


def top(shape):
    s = po.System("top", gravity=None)
    s.body("top", shape).set(angular_velocity=(1.0, 9.0, 2.0))
    return s


def test_the_inertia_of_a_shape_follows_its_mass_and_a_given_one_stays():
    run = po.prepare(top(po.Box(0.1, 0.2, 0.3, mass=1.0)), step=0.01).run(0.1, change={"top.mass": 4})
    body = run.system["top"]
    assert body.mass == 4.0 and body.inertia == top(po.Box(0.1, 0.2, 0.3, mass=4.0))["top"].inertia
    assert run.energy[0] == pytest.approx(0.5 * (np.array(body.inertia[:3]) @ np.square([1.0, 9.0, 2.0])))
    given = po.System("given", gravity=None)
    given.body("top", mass=1.0, inertia=(1, 2, 2.5)).set(angular_velocity=(1.0, 0.0, 0.0))
    run = po.prepare(given, step=0.01).run(0.1, change={"top.mass": 4})
    assert run.system["top"].inertia[:3] == (1.0, 2.0, 2.5) and run.system["top"].mass == 4.0


@pytest.mark.parametrize(("given", "change"), [({"density": 100.0}, {"mass": 4.0}), ({"mass": 4.0}, {"density": 100.0})])
def test_a_mass_stands_in_for_a_density_and_the_other_way_round(given, change):
    run = po.prepare(top(po.Sphere(0.1, **given)), step=0.01).run(0.01, change={f"top.{k}": v for k, v in change.items()})
    assert run.system["top"].inertia == top(po.Sphere(0.1, **change))["top"].inertia


def test_the_parts_of_a_composite_share_its_mass():
    parts = [(po.Box(0.1, 0.2, 0.3, mass=1.0), (0.1, 0, 0)), po.Sphere(0.1, density=100.0), (po.Composite([po.Sphere(0.2, mass=1.0)]), (0, 0, 1))]
    before = top(po.Composite(parts))["top"]
    after = po.prepare(top(po.Composite(parts)), step=0.01).run(0.01, change={"top.mass": 3 * before.mass}).system["top"]
    assert after.mass == pytest.approx(3 * before.mass, rel=1e-14) and after.com == pytest.approx(before.com, rel=1e-14)
    assert after.inertia == pytest.approx([3 * x for x in before.inertia], rel=1e-13, abs=1e-16)


def test_one_number_of_several_can_change():
    key = ready("open").run(0.1, change={"drag.params[1]": 0.7, "gravity[2]": -5.0, "push.vector[0]": 0.4, "c.com[1]": 0.03})
    whole = {"drag.params": [0.4, 0.7], "gravity": (0.2, 0.0, -5.0), "push.vector": (0.4, 0.2, 0.3), "c.com": (0.0, 0.03, 0.01)}
    assert np.array_equal(key.raw, ready("open").run(0.1, change=whole).raw)


@pytest.mark.parametrize(
    ("model", "change", "words"),
    [
        ("open", {"hing.angle": 1.0}, "there is no 'hing.angle'.*did you mean 'hinge.angle'"),
        ("open", {"zzz.angle": 1.0}, r"there is no 'zzz.angle'.*such as '(?!zzz|spring1)\w+\.\w+'.*its elements are .*hinge"),
        ("open", {"gravitation": None}, "did you mean 'gravity'"),
        ("open", {"stiffness": 1.0}, "write 'element.parameter'"),
        ("open", {"rope.stifness": 1.0}, "spring 'rope' has no parameter 'stifness' to change; it has .*did you mean 'stiffness'"),
        ("open", {"b.length": 1.0}, "its length is the distance between the points of between="),
        ("open", {"b.mass": "heavy"}, "b.mass must be a number, or several, not 'heavy'"),
        ("open", {"a.mass": [1.0, 2.0]}, "a.mass must be one number"),
        ("open", {"a.mass": float("nan")}, "body 'a': mass must be a finite number"),
        ("open", {"a.x": -1.0}, "x must be a positive length"),
        ("open", {"b.mass": 1.0, "b.density": 2.0}, "give its mass or its density, not both"),
        ("open", {"swing.law": 3.0}, "motor 'swing' has no parameter 'law' to change; it has none"),
        ("open", {"rope.length": None}, "rope.length must be a number"),
        ("open", {"rope.stiffness": lambda t: t}, "rope.stiffness must be a number"),
        ("open", {"drag.params": [1.0]}, "as many numbers as before, 2"),
        ("open", {"drag.params[2]": 1.0}, "has 2 numbers, from \\[0\\] on"),
        ("open", {"rope.length[0]": 1.0}, "has 1 number, from"),
        ("open", {"a.velocity": (1, 0, 0)}, "it is carried by revolute 'hinge'"),
        ("open", {"free:f.position": (1, 0, 0)}, "'f.velocity', 'f.position'"),
        ("open", {"gravity": "down"}, "gravity must be a number"),
        ("open", [("a.mass", 1.0)], "change must be a dictionary"),
        ("closed", {"string.length": 0.0}, "distance 'string': length must be a positive number"),
        ("closed", {"foot.pitch": 1.0}, "revolute 'foot' has no parameter 'pitch'"),
        ("planar", {"gravity": (0, 1, 2)}, "outside the plane"),
        ("planar", {"lead.times": [0.0, 0.0, 1.0]}, "times must increase"),
    ],
)
def test_what_cannot_change_is_said_with_the_nearest_name(model, change, words):
    with pytest.raises(po.SettingsError if isinstance(change, list) else po.ModelError, match=words):
        ready(model).run(0.1, change=change)


def test_nothing_is_compiled_for_a_change():
    from numba.core import event

    change = {"rope.stiffness": 12.0, "a.mass": 3.0, "drag.params": [0.1, 0.2], "hinge.angle": 0.1}
    ready("open").run(0.1, change=change)
    with event.install_recorder("numba:compile") as recorder:
        ready("open").run(0.1, change=change | {"a.x": 0.2})
    assert not recorder.buffer


def test_a_changed_run_tells_the_values_that_ran(tmp_path):
    s = oscillator()
    run = po.prepare(s, step=0.01).run(0.1, change={"spring.stiffness": 9.0, "mass.mass": 2, "gravity": (0, 0, -1)})
    assert (s["spring"].stiffness, s["mass"].mass, s.gravity[2]) == (4.0, 1.0, 0.0)
    for told in (run, po.load(run.save(tmp_path / "run.h5")), po.load(run.path if hasattr(run, "path") else tmp_path / "run.h5", s)):
        assert (told.system["spring"].stiffness, told.system["mass"].mass, told.system.gravity[2]) == (9.0, 2.0, -1.0)
        assert told.record.settings["change"]["spring.stiffness"] == 9.0
        assert np.array_equal(told.raw, run.raw)
    again = po.simulate(run.system, 0.1, step=0.01)
    assert np.array_equal(again.raw, run.raw)


def test_the_momentum_of_a_changed_free_body_is_judged_with_the_gravity_that_ran():
    s = top(po.Box(0.1, 0.2, 0.3, mass=1.0))
    run = po.prepare(s, step=0.01).run(1.0, change={"gravity": (0, 0, -5.0)})
    assert run.audit.momentum_drift == pytest.approx(0.0, abs=1e-12)


def test_a_stream_with_changes_can_be_resumed_with_the_system_that_was_given(tmp_path):
    from poinsot.files.runs.stream import Stream

    s, change = chain(2, 1.0), {"link1.mass": 20.0, "link2.z": 1.5, "joint1.rotation": ("y", 0.4)}
    whole = po.prepare(s, step=0.01).run(1.0, change=change)
    for k, given in enumerate((None, s, whole.system)):
        path = tmp_path / f"run{k}.h5"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Stream, "keep", lambda self, p: (self.segment(p), 1 / (p.t < 0.3)))
            with pytest.raises(ZeroDivisionError):
                po.prepare(s, step=0.01).run(1.0, change=change, stream=path)
        assert np.array_equal(po.resume(path, given).raw, whole.raw)


@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_a_state_keeps_its_meaning_when_masses_change(formulation):
    """Frames of the raw state follow the heaviest branch and principal axes; positions and velocities do not."""
    s = po.System("branched", gravity=(0, 0, -9.81))
    a = s.body("a", po.Box(0.3, 0.2, 0.1, mass=1.0))
    for name, place in (("b", (1, 0, 0)), ("c", (0, 1, 0))):
        s.spherical(a, s.body(name, po.Box(0.1, 0.2, 0.4, mass=1.0), position=place), at=np.multiply(place, 0.5), name=f"to_{name}")
    s.spherical(s.ground, a, at=(0, 0, 1), name="pin").set(rotation=("x", 0.7), rate=(1.0, 2.0, 3.0))
    ready = po.prepare(s, step=0.01, formulation=formulation)
    first = ready.run(0.2)
    for change in ({"c.mass": 5.0}, {"b.inertia": [[0.2, 0.05, 0], [0.05, 0.3, 0], [0, 0, 0.25]], "b.com": (0, 0.1, 0)}):
        second = ready.run(0.1, state=first.state(), change=change)
        for name in "abc":
            assert second[name].position[0] == pytest.approx(first[name].position[-1], abs=1e-12)
            assert second[name].quaternion[0] == pytest.approx(first[name].quaternion[-1], abs=1e-12)
            assert second[name].velocity[0] == pytest.approx(first[name].velocity[-1], abs=1e-12)
            assert second[name].angular_velocity[0] == pytest.approx(first[name].angular_velocity[-1], abs=1e-11)
        chained = ready.run(0.1, state=ready.run(0.2, change=change).state(), change=change)
        assert np.array_equal(chained.motion[-1], ready.run(0.3, change=change).motion[-1])


def test_what_was_given_as_a_change_may_be_used_again():
    values = np.array([0.1, 0.2])
    change = {"drag.params": values}
    run = ready("open").run(0.1, change=change)
    values[:] = 7.0
    change["a.mass"] = 9.0
    assert run.record.settings["change"] == {"drag.params": [0.1, 0.2]} and run.system["drag"].params == (0.1, 0.2)


def test_change_in_the_command_line(tmp_path):
    from cli.test_commands import poinsot

    model = tmp_path / "model.yaml"
    pendulum(0.3).to_yaml(model)
    words = ("run", model, "--duration", "0.1", "--step", "0.01", "-o", tmp_path / "run.h5", "-q")
    found = poinsot(*words, "--change", "bob.mass=2", "--change", "gravity=0,-1", "--change", "bob.com[0]=0.1")
    assert found.exit_code == 0, found.output
    system = po.load(tmp_path / "run.h5").system
    assert (system["bob"].mass, system.gravity, system["bob"].com) == (2.0, (0.0, -1.0, 0.0), (0.1, 0.0, 0.0))
    found = poinsot(*words, "--change", "bob.mas=2")
    assert found.exit_code == 2 and "did you mean 'mass'" in found.output
    assert poinsot(*words, "--change", "gravity=none").exit_code == 0
    assert po.load(tmp_path / "run.h5").system.gravity == (0.0, 0.0, 0.0)
