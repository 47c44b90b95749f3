"""Every system comes back from its file to the bit."""

import importlib.util
import math
from pathlib import Path

import file_models
import numpy as np
import pytest
from file_models import again, assert_same
from hypothesis import example, given, settings
from hypothesis import strategies as st

import poinsot as po
from bridge import to_system
from poinsot.files.models.elements import SECTIONS, entries
from poinsot.files.models.read_write import read_text
from poinsot.files.models.shapes import shape_classes
from poinsot.files.models.writer import to_data
from poinsot.model.element import Element
from poinsot.model.shapes import Shape
from random_models import random_loop, random_tree

ROOT = Path(__file__).parents[2]
BUILDS = {
    "flyball_governor": {"springs": True},
    "gimbals": {"weight": True},
    "top": {"spin": 100.0},
}


def concrete(cls):
    below = [c for child in cls.__subclasses__() for c in (child, *concrete(child))]
    return [c for c in below if c.__module__.startswith("poinsot.")]


@pytest.mark.parametrize("build", [file_models.spatial, file_models.planar, file_models.two_columns], ids=lambda f: f.__name__)
def test_every_element_and_option(build):
    system = build()
    read = again(system)
    assert_same(system, read)
    assert read.to_yaml() == system.to_yaml()
    assert read_text(system.to_yaml()).to_yaml() == system.to_yaml()  # without the functions too


def test_no_element_is_forgotten():
    """A new class of elements is found in files, and stands in the systems of this test."""
    known = {entry.cls for entry in entries().values()}
    assert known == {cls for cls in concrete(Element) if "kind" in cls.__dict__}
    written = [to_data(build()) for build in (file_models.spatial, file_models.planar)]
    elements = [element for data in written for section in SECTIONS for element in data.get(section, [])]
    for entry in entries().values():
        said = {key for element in elements if entry.word in element for key in element}
        assert said >= set(entry.arguments), entry.word
    assert set(shape_classes().values()) == set(concrete(Shape))


@pytest.mark.parametrize("seed", range(12))
def test_random_models(seed):
    rng = np.random.default_rng(seed)
    system = to_system(*(random_tree(rng, 6) if seed % 2 else random_loop(rng, 5)))
    read = again(system)
    assert_same(system, read)
    assert read.to_yaml() == system.to_yaml()


def example_systems(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if path.stem == "spring_chain":
        return [module.with_springs(), module.with_anchor()]
    return [module.build(**BUILDS.get(path.stem, {}))]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples(path):
    for system in example_systems(path):
        read = again(system)
        assert_same(system, read)
        assert read.to_yaml() == system.to_yaml()


@pytest.mark.parametrize("build", [file_models.two_columns, lambda: to_system(*random_tree(np.random.default_rng(8), 5))])
def test_runs_are_the_same_to_the_bit(build):
    system = build()
    one, other = (po.simulate(s, 0.2, step=0.02) for s in (system, again(system)))
    for body in system.bodies:
        assert one[body].position.tobytes() == other[body.name].position.tobytes()
        assert one[body].quaternion.tobytes() == other[body.name].quaternion.tobytes()
    assert one.energy.tobytes() == other.energy.tobytes()


def test_planar_vectors_are_short():
    text = file_models.planar().to_yaml()
    assert "gravity: [0.0, -9.81]" in text
    assert "lower.end.z" in text
    assert "{body: floating, point: [0.1, 0.2], coordinate: z}" in text


def test_what_is_given_cannot_be_changed_afterwards():
    s = po.System("s", gravity=None)
    place, turn, axis = np.array([1.0, 2, 3]), [0.1, 0.2, 0.3], np.array([0.0, 0, 1])
    body = s.body("b", po.Sphere(0.1, mass=1), position=place, rotation=turn)
    s.revolute(s.ground, body, at=place, axis=axis, name="hinge")
    text = s.to_yaml()
    place[:], turn[0], axis[0] = 7, 7, 7
    assert s.to_yaml() == text
    assert_same(s, again(s))


def test_initial_values_given_several_times():
    s = po.System("s", gravity=None)
    slab = s.body("slab", po.Sphere(0.1, mass=1))
    flat = s.planar(s.ground, slab, name="flat")
    flat.set(rate=(1, 2, 3))
    flat.set(x_rate=5.0)
    flat.set(rate=(4, 2, 3))
    assert "flat: {x_rate: 5.0, rate: [4, 2, 3]}" in s.to_yaml()
    assert_same(s, again(s))


def test_initial_values_held_without_being_said():
    s = file_models.spatial()
    s.initial[s["hinge"]]["angle"] = (0.25,)
    assert again(s).initial.keys()
    assert {e.name: v for e, v in again(s).initial.items()}["hinge"] == {"angle": (0.25,), "rate": (2.0,)}


names = st.text(st.characters(exclude_categories=()), min_size=1, max_size=12).filter(lambda name: name != "ground")
awkward = st.sampled_from(
    ["on", "off", "yes", "No", "null", "~", "1", "1e-3", "0x1F", ".inf", ".nan", "- a", "a: b", "a #b", "b.end", "b.x", "j.angle",
     "{", "'", '"', "\\", "#", "none",
     " ", "a\nb", "\t", "\u2028", "\ufeff", "\x85", "\U0001f600", "true", "<<", "*a", "&a", "!!str",
     "=", "%", "@", "`", "|", ">", "?", "a.", ".a", ".", "2026-01-01"]
)  # fmt: skip


@example(["a", "b", "b.end", "b.y", "b.end.x"], "t")
@example(["a", "b", "b.y", "b.end", "b.start"], "b")
@example(["b.end", "b", "a.angle", "a", "a.angle.angle"], "t")
@example(["a", "b", "j", "j.angle", "a.end"], "t")
@settings(max_examples=60, deadline=None)
@given(st.lists(names | awkward, min_size=5, max_size=5, unique=True), names | awkward)
def test_names(five, title):
    first, second, joint, load, drive = five
    s = po.System(title, gravity=None)
    a = s.body(first, po.Rod(radius=0.1, mass=1), between=((0, 0, 0), (1, 0, 0)))
    b = s.body(second, po.Rod(radius=0.1, mass=1), between=((1, 0, 0), (2, 0, 0)))
    hinge = s.revolute(s.ground, a, at=a.start, axis="z", name=joint)
    s.spherical(a, b, at=(a.end, b.start))
    s.add(po.Motor(hinge.angle, 1.0, name=load))
    s.add(po.JointDamper(hinge, 1.0))
    s.add(po.Force(b.end, (0, 0, 1)))
    s.add(po.Force(b, (0, 0, 1), at=b.end))
    s.add(po.Motion(b.end.x, po.signals.step(0, 1, to=2.0), name=drive))
    s.add(po.Motion(b.y, po.signals.step(0, 1, to=2.0)))
    hinge.set(angle=0.1)
    read = again(s)
    assert_same(s, read)
    assert read.to_yaml() == s.to_yaml()
    assert repr([d.outputs for d in read.drives]) == repr([d.outputs for d in s.drives])
    assert [d.outputs[0].owner.body.name for d in read.drives] == [second, second]


number = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=60, deadline=None)
@given(st.tuples(number, number, number), number, st.integers(-(10**20), 10**20))
def test_numbers(place, strength, whole):
    s = po.System("numbers", gravity=place)
    b = s.body("b", mass=1.0, inertia=(1, 1, 1), position=place, com=np.array(place))
    hinge = s.revolute(s.ground, b, at=place, axis="x", name="hinge")
    s.add(po.Motor(hinge, strength))
    s.add(po.JointDamper(hinge, whole))
    hinge.set(angle=strength)
    read = again(s)
    for one, other in ((s.gravity, read.gravity), (b.position, read["b"].position), (b.com, read["b"].com)):
        assert [x.hex() for x in one] == [x.hex() for x in other]
    assert read["motor1"].law.hex() == strength.hex()
    assert read["joint_damper1"].damping == whole
    assert read.initial[read["hinge"]]["angle"][0].hex() == strength.hex()


def test_numbers_that_are_none_come_back_too():
    s = po.System("numbers", gravity=None)
    b = s.body("b", mass=math.inf, inertia=(math.nan, 1, -math.inf))
    assert repr(again(s)["b"].inertia) == repr(b.inertia)


def test_files_are_written_and_read(tmp_path):
    system = file_models.spatial()
    path = tmp_path / "model.yaml"
    text = system.to_yaml(path)
    assert path.read_text(encoding="utf-8") == text == system.to_yaml()
    assert po.read(str(path)).to_yaml() == po.read(path).to_yaml() == text


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "models").glob("*.yaml")), ids=lambda p: p.stem)
def test_models_written_by_hand_run(path):
    system = po.read(path)
    assert system.check().ok
    assert_same(system, again(system))
    run = po.simulate(system, 0.2, step=0.01)
    assert run.audit.energy_drift < 1e-9 * run.audit.energy_scale
