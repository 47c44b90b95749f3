"""The schema of model files: models conform to it, damaged ones do not, and the reader agrees."""

import json
import re
import warnings
from pathlib import Path

import jsonschema
import pytest
from file_models import planar, spatial, two_columns
from random_systems import Drawn
from typer.testing import CliRunner

import poinsot as po
from poinsot.cli import app
from poinsot.files.models.elements import entries
from poinsot.files.models.read_write import read_text
from poinsot.files.models.schema import schema
from poinsot.files.models.yaml_nodes import parse

ROOT = Path(__file__).parents[2]
SCHEMA = schema()
VALID = jsonschema.Draft202012Validator(SCHEMA)


def conforms(text):
    return VALID.is_valid(parse(text, "model").plain())


def documented():
    """The models in the page on model files: as they are, or between the quotes of Python."""
    page = (ROOT / "docs" / "model-files.md").read_text()
    return [found[1] for found in re.finditer(r'(?:^```\n|""")\\?\n?(poinsot: 1\n.*?)(?:^```|""")', page, re.MULTILINE | re.DOTALL)]


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert set(entries()) <= set(SCHEMA["$defs"])
    kinds = [(entry.word, name) for entry in entries().values() for name, kind in entry.arguments.items() if not kind.form]
    assert not kinds, "these arguments have no form, so that anything would conform"


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.yaml")), ids=lambda path: path.name)
def test_examples_conform(path):
    VALID.validate(parse(path.read_text(), path.name).plain())


def readable(text):
    try:
        return read_text(text) is not None
    except po.ModelError:
        return False


def test_documented_models_conform():
    """Those that the page shows as wrong do not."""
    found = documented()
    assert len(found) >= 4 and [conforms(text) for text in found] == [readable(text) for text in found]
    words = {word for text in found if conforms(text) for section in parse(text, "model").plain().values() if isinstance(section, list)
             for element in section if isinstance(element, dict) for word in element}  # fmt: skip
    assert words >= set(entries())  # the page shows every element


@pytest.mark.parametrize("make", [spatial, planar, two_columns])
def test_written_systems_conform(make):
    VALID.validate(parse(make().to_yaml(), "model").plain())


def test_random_systems_conform():
    checked = 0
    for seed in range(60):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                text = Drawn(seed).system.to_yaml()
            except po.ModelError:
                continue
        VALID.validate(parse(text, "model").plain())
        checked += 1
    assert checked > 20


MODEL = """poinsot: 1
system: arm
gravity: [0, 0, -9.81]
parameters: {L: 2, n: 3}
bodies:
- {body: rod, rod: {radius: 0.02, mass: 1}, between: [[0, 0, 0], [0, 0, -L]]}
joints:
- {revolute: hinge, first: ground, second: rod, at: [0, 0, 0], axis: y}
forces:
- {motor: drive, target: hinge, torque: 2*sin(3*t)}
initial:
  hinge: {angle: pi/6}
"""
DAMAGE = {
    "version": ("poinsot: 1", "poinsot: 2"),
    "no gravity": ("gravity: [0, 0, -9.81]\n", ""),
    "key of the file": ("bodies:", "boddies:"),
    "kind of element": ("revolute: hinge", "revolut: hinge"),
    "element in another section": ("joints:\n", "constraints:\n"),
    "argument": ("axis: y", "axes: y"),
    "missing argument": (", at: [0, 0, 0], axis: y", ", axis: y"),
    "axis": ("axis: y", "axis: w"),
    "shape": ("rod: {radius", "rot: {radius"),
    "argument of a shape": ("radius: 0.02", "radios: 0.02"),
    "number": ("mass: 1}", "mass: [1, 2]}"),
    "list": ("forces:\n- {", "forces:\n  {"),
    "place": ("at: [0, 0, 0]", "at: {here: 1}"),
    "law": ("torque: 2*sin(3*t)", "torque: {sin: 1}"),
    "name": ("body: rod,", "body: 3,"),
    "parameters": ("parameters: {L: 2, n: 3}", "parameters: [2, 3]"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damaged_models_do_not_conform(what):
    assert conforms(MODEL) and read_text(MODEL)
    damaged = MODEL.replace(*DAMAGE[what])
    assert damaged != MODEL and not conforms(damaged)
    with pytest.raises(po.ModelError):
        read_text(damaged)


def test_from_a_shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = CliRunner().invoke(app, ["schema"])
    assert printed.exit_code == 0 and json.loads(printed.output) == SCHEMA
    assert CliRunner().invoke(app, ["schema", "-o", "here.json"]).exit_code == 0
    assert json.loads(Path("here.json").read_text()) == SCHEMA
    assert CliRunner().invoke(app, ["schema", "-o", "no/where.json"]).exit_code == 2
    made = CliRunner().invoke(app, ["new", "arm", "--schema"])
    assert made.exit_code == 0, made.output
    text = Path("arm.yaml").read_text()
    assert text.startswith("# yaml-language-server: $schema=poinsot.schema.json\n") and conforms(text)
    assert json.loads(Path("poinsot.schema.json").read_text()) == SCHEMA and po.read("arm.yaml").check().ok
