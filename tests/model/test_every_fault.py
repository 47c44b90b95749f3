"""Whatever is wrong with an argument of an element is an error that names the element: of every class, for every argument.

Elements and their arguments come from the classes; an example of each is taken from `tests/scaled_models.py`.
"""

import inspect
import math

import numpy as np
import pytest

import poinsot as po
from poinsot.files.models.elements import entries
from poinsot.model.parameters import initial_names, parameters
from poinsot.model.shapes import Shape
from scaled_models import MODELS, Units

NAME = "the wrong one"
NOT_FINITE = [math.nan, math.inf, -math.inf, (math.nan, 0.0, 1.0), [0.0, math.inf, 1.0], np.full(3, math.nan), np.full((3, 3), math.inf)]
NOT_FINITE += [("x", math.nan), (math.inf, 0.0), ((0.0, 0.0, math.nan), (0.0, 0.0, 1.0))]
WRONG_KINDS = [object(), "no such thing", {}, 1j, b"bytes", {1.0, 2.0}, ["a", "b", "c"], 10**400, [[1.0], [1.0, 2.0]]]
TEXTS = {"name"}  # arguments that any text may be
POSITIVE = {"mass", "inertia", "length"}
EXAMPLES = {}  # class of an element: the model that has it, and its name there
for build in MODELS:
    for example in build(Units()).elements():
        EXAMPLES.setdefault(type(example), (build, example.name))
ENTRIES = [entry for entry in entries().values() if entry.cls in EXAMPLES]  # tests/results/test_units.py asks for an example of every class


def refusals(build, entry, example, changes):
    """What is said against a second element like the example with some arguments changed."""
    system = build(Units())
    try:
        made = entry.make(system, system[example].arguments() | {"name": NAME} | changes)
    except po.ModelError as error:
        return error.faults
    try:
        found = made.faults()
        if not found:
            system.check(rank=False).raise_faults()
    except po.ModelError as error:
        found = error.faults
    return found


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.word)
def test_wrong_arguments_are_refused_by_name(entry):
    build, example = EXAMPLES[entry.cls]
    before = set(refusals(build, entry, example, {}))  # what a second one is told anyway
    for argument in (*entry.arguments, "name"):
        values = [*NOT_FINITE, *WRONG_KINDS, *([None] if argument in entry.required else [])]
        for value in values:
            if argument in TEXTS and isinstance(value, str):
                continue
            found = set(refusals(build, entry, example, {argument: value})) - before
            assert found, f"{entry.word}: {argument}={value!r} is not refused"
            assert argument == "name" or all(NAME in fault for fault in found), f"{argument}={value!r}: {found}"
            assert all(entry.cls.kind in fault for fault in found), f"{argument}={value!r}: {found}"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.word)
def test_what_must_be_positive_is_refused_when_it_is_not(entry):
    build, example = EXAMPLES[entry.cls]
    for argument in POSITIVE & set(entry.arguments):
        given = build(Units())[example].arguments().get(argument)
        value = np.negative(1.0 if given is None else np.asarray(given, float))
        found = refusals(build, entry, example, {argument: value.tolist()})
        assert found and all(NAME in fault for fault in found), f"{entry.word}: {argument}={value}: {found}"


@pytest.mark.parametrize("build", MODELS, ids=lambda build: build.__name__)
def test_wrong_changes_are_refused_by_name(build):
    system = build(Units())
    ready = po.prepare(system, step=0.01)
    for element in system.elements():
        for name in parameters(element):
            for value in (math.nan, math.inf, "no such thing", object(), {}, 10**400):
                with pytest.raises(po.PoinsotError) as caught:
                    ready.run(0.01, change={f"{element.name}.{name}": value})
                assert f"{element.name}" in str(caught.value), f"{element.name}.{name}={value!r}: {caught.value}"


@pytest.mark.parametrize("build", MODELS, ids=lambda build: build.__name__)
def test_wrong_initial_values_are_refused_by_name(build):
    system = build(Units())
    for element in (*system.bodies, *system.joints):
        for name in initial_names(element):
            for value in (*NOT_FINITE, *WRONG_KINDS):
                with pytest.raises(po.ModelError) as caught:
                    element.set(**{name: value})
                    system.check(rank=False).raise_faults()
                assert all(element.label() in fault for fault in caught.value.faults), f"{element.name}.{name}={value!r}: {caught.value}"


SHAPES = {  # by class: sizes of an example, without its mass
    po.Box: (0.1, 0.2, 0.3),
    po.Cylinder: (0.1, 0.2),
    po.Rod: (0.1, 0.2),
    po.Sphere: (0.1,),
    po.Disc: (0.1, 0.02),
}


def test_every_shape_has_an_example():
    assert set(Shape.__subclasses__()) - {po.Composite, po.Mesh} == set(SHAPES)  # meshes: test_meshes.py


@pytest.mark.parametrize("shape", SHAPES, ids=lambda cls: cls.__name__)
def test_wrong_shapes_are_refused_by_name(shape):
    """A shape that is wrong by itself says which shape; one that a body is made of says whose."""
    names = [name for name in inspect.signature(shape).parameters if name not in ("mass", "density", "axis")]
    sizes = dict(zip(names, SHAPES[shape], strict=True))
    for argument in (*names, "mass", "density", "axis"):
        if argument not in inspect.signature(shape).parameters:
            continue
        amount = {} if argument in ("mass", "density") else {"mass": 1.0}
        for value in (math.nan, math.inf, -1.0, *WRONG_KINDS):
            system = po.System("s", gravity=None)
            with pytest.raises(po.ModelError) as caught:
                system.body(NAME, shape(**(sizes | amount | {argument: value})))
                system.check(rank=False).raise_faults()
            assert all(shape.__name__ in fault or NAME in fault for fault in caught.value.faults), f"{argument}={value!r}: {caught.value}"
