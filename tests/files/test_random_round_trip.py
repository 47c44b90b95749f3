"""Any system that `check` accepts comes back from its file to the bit, whatever its numbers, its names and the way it was given."""

import warnings
from collections import Counter

import numpy as np
import pytest
from file_models import again, assert_same, file_names
from hypothesis import given, settings
from hypothesis import strategies as st
from random_systems import Drawn

import mesh_files
import poinsot as po
from poinsot.files.models.elements import SECTIONS, entries
from poinsot.files.models.functions import function_references
from poinsot.files.models.read_write import read_text
from poinsot.files.models.shapes import shape_classes
from poinsot.files.models.writer import to_data
from poinsot.files.models.yaml_nodes import parse
from poinsot.files.models.yaml_text import block
from poinsot.layout.freeze import freeze
from poinsot.model.functions import functions_of
from poinsot.model.shapes import Composite

scalars = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False) | st.text(st.characters(), max_size=40)
keys = st.text(st.characters(), max_size=30) | st.sampled_from(["a" * 96, "b" * 1023, "c d" * 700, "null", "1", "<<", "- a", "?", ": ", "'"])
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(keys, inner, max_size=4), max_leaves=40)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(keys, values, min_size=1, max_size=4), st.integers(0, 3), st.integers(3, 110))
def test_every_text_that_is_written_can_be_read(data, spread, width):
    """Whatever the width: what does not fit on a line is wrapped where YAML allows it."""
    read = parse("\n".join(block(data, spread, width)) + "\n", "m.yaml").plain()
    assert repr(read) == repr(data)


def drawn_alike(one, other):
    """Shapes are the same to the bit."""
    assert type(one) is type(other)
    if isinstance(one, Composite):
        for (a, place, turn), (b, place2, turn2) in zip(one.placed(), other.placed(), strict=True):
            drawn_alike(a, b)
            assert place.tobytes() == place2.tobytes()
            assert turn.tobytes() == turn2.tobytes()
    elif one is not None:
        assert {key: exact(value) for key, value in vars(one).items()} == {key: exact(value) for key, value in vars(other).items()}


def exact(value):
    """A value of a shape: a text, None, a number or, for the scale of a mesh, three."""
    return value if isinstance(value, str | None) else np.asarray(value, float).tobytes()


def with_files(system, folder):
    """The same system, read from a file in a folder: only there can shapes be files."""
    path = folder / "model.yaml"
    system.to_yaml(path)
    return read_text(path.read_text(), str(path), file_names(system), folder=folder)


def assert_comes_back(system, folder=None):
    read = again(system) if folder is None else with_files(system, folder)
    assert read.to_yaml() == system.to_yaml()
    for one, other in zip(system.bodies, read.bodies, strict=True):
        drawn_alike(one.shape, other.shape)
        drawn_alike(one.drawn_shape, other.drawn_shape)
        assert [look.colour for look in one.looks] == [look.colour for look in other.looks]
        assert repr(one.ends) == repr(other.ends)
    if not any(functions_of(element) for element in system.elements()):
        assert_same(system, read)
        return read
    assert function_references(read) == function_references(system)  # compiling them all would take hours
    a, b = freeze(system, loads=False), freeze(read, loads=False)
    assert all(getattr(a.layout, f).tobytes() == getattr(b.layout, f).tobytes() for f in a.layout._fields)
    assert [repr(load.values()) for load in system.loads] == [repr(load.values()) for load in read.loads]
    assert read_text(system.to_yaml()).to_yaml() == system.to_yaml()  # without the functions too
    return read


def outcome(system):
    """What a short run gives: its bits, or why there are none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run = po.simulate(system, 0.02, step=0.01, progress=False)
        except po.PoinsotError as error:
            return f"{type(error).__name__}: {error}"
    return [np.asarray(part).tobytes() for part in (run.raw, run.energy, *(run[b.name].position for b in system.bodies))]


def come_back(seeds, runs, meshes=()):
    """Systems of these seeds come back, and so do the runs of every `runs`-th; returns what occurred in them. `meshes`: files, all in one folder."""
    folder = meshes[0].parent if meshes else None
    seen, ran, accepted = Counter(), Counter(), 0
    for seed in seeds:
        try:
            system = Drawn(seed, meshes=meshes).system
        except po.ModelError:
            continue
        if not system.check(rank=False).ok:
            continue
        accepted += 1
        read = assert_comes_back(system, folder)
        for section, word, arguments in written(system, folder):
            seen.update([(section, word), *((word, argument) for argument in arguments)])
        if seed % runs == 0:
            one, other = outcome(system), outcome(read)
            assert one == other, seed
            ran.update([type(one).__name__])
    assert accepted > 0.9 * len(seeds)
    return seen, ran


def written(system, folder):
    data = to_data(system, folder)
    for section in SECTIONS:
        for element in data.get(section, []):
            yield section, next(iter(element)), element
    for name, values in data.get("initial", {}).items():
        yield "initial", type(system[name]).kind, values


def assert_everything_was_there(seen):
    for entry in entries().values():
        for argument in entry.arguments:
            assert seen[entry.word, argument], (entry.word, argument)
    for shape in shape_classes():
        assert seen["body", shape], shape


def test_random_systems_come_back():
    seen, _ = come_back(range(150), runs=50)
    assert seen["bodies", "body"] > 300 and seen["body", "looks"] > 50


@pytest.fixture
def meshes(tmp_path):
    """Files of closed surfaces."""
    mesh_files.stl(tmp_path / "block.stl", *mesh_files.box(1.0, 2.0, 0.5, at=(0.1, -0.3, 0.2)))
    mesh_files.obj(tmp_path / "a corner.obj", mesh_files.TETRAHEDRON, mesh_files.ITS_FACES)
    return [tmp_path / "block.stl", tmp_path / "a corner.obj"]


def test_random_systems_with_files_of_meshes_come_back(meshes):
    seen, _ = come_back(range(200, 260), runs=60, meshes=meshes)
    assert seen["body", "mesh"] > 5 and seen["body", "looks"] > 10


@pytest.mark.long
def test_5000_random_systems_come_back(meshes):
    seen, ran = come_back(range(1000, 5500), runs=50)
    more, _ = come_back(range(5500, 6000), runs=500, meshes=meshes)
    assert_everything_was_there(seen + more)
    assert ran["list"] > 20


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "a\udfff"])
def test_names_that_cannot_be_written_are_faults(name):
    """Surrogates and NUL can be neither written to files nor shown in terminals."""
    s = po.System("s", gravity=None)
    s.body(name, mass=1, inertia=(1, 1, 1))
    faults = s.check().faults
    assert len(faults) == 1
    assert faults[0].isprintable()
