"""Faults of a file are reported with their lines, all at once, and nothing in it is executed."""

import contextlib
from pathlib import Path

import pytest

import poinsot as po
from poinsot.files.models.read_write import read_text

HEAD = "poinsot: 1\nsystem: s\ngravity: none\n"
BODY = "bodies:\n- body: a\n  sphere: {radius: 0.1, mass: 1}\n- body: b\n  rod: {radius: 0.1, mass: 1}\n  between: [[0, 0, 0], [1, 0, 0]]\n"
HINGE = "joints:\n- revolute: hinge\n  first: ground\n  second: a\n  at: [0, 0, 0]\n  axis: z\n"  # lines 10 to 15
A = HEAD + "bodies:\n- body: a\n"
JOINT = HEAD + BODY + "joints:\n- revolute: r\n  first: ground\n"
MOTOR = HEAD + BODY + HINGE + "forces:\n- motor: m\n  target: "
DRIVES = HEAD + BODY + HINGE + "drives:\n"


def faults(text):
    with pytest.raises(po.ModelError) as caught:
        read_text(text, "m.yaml")
    return caught.value.faults


WRONG = {
    "": ["m.yaml: is empty; a model file begins with the line 'poinsot: 1'"],
    "# only a comment\n": ["m.yaml: is empty"],
    "- 1\n": ["m.yaml: is not a Poinsot model; a model file begins with the line 'poinsot: 1'"],
    "just words": ["m.yaml: is not a Poinsot model"],
    "urdf: 1\n": ["m.yaml: is not a Poinsot model"],
    "poinsot: 2\n": ["m.yaml:1: version 2 of the format is from a later Poinsot; update the package"],
    "poinsot: one\n": ["m.yaml:1: version 'one' of the format is not valid"],
    "poinsot: true\n": ["m.yaml:1: version True of the format is not valid"],
    "poinsot: 1\nbodies: [\n": ["m.yaml:3: this is not YAML"],
    "poinsot: 1\n a: 2\n": ["m.yaml:2: this is not YAML"],
    "poinsot: 1\na: *x\n": ["m.yaml:2: this is not YAML"],
    "poinsot: 1\npoinsot: 1\n": ["m.yaml:2: 'poinsot' occurs twice here"],
    "poinsot: 1\x00\n": ["m.yaml: this is not YAML"],
    HEAD + "bodies: &a [*a]\n": ["m.yaml:4: is nested too deeply"],
    HEAD + "bodies: !!python/object/apply:os.system ['echo x']\n": [
        "m.yaml:4: the tag tag:yaml.org,2002:python/object/apply:os.system has no meaning"
    ],
    HEAD + "bodies: !thing []\n": ["m.yaml:4: the tag !thing has no meaning"],
    HEAD + "boddies: []\n": ["m.yaml:4: 'boddies' has no meaning here; did you mean 'bodies'?"],
    "poinsot: 1\nsystem: s\n": ["m.yaml:1: gravity is missing; say 'gravity: none'"],
    "poinsot: 1\nsystem: 5\ngravity: [0, 1]\nplane: ab\n": [
        "m.yaml:2: the name of the system must be a word, not 5; put it in quotes",
        "m.yaml:4: plane must be one of xy, yz, zx, xz, not 'ab'",
    ],
    "poinsot: 1\ngravity: [0, 1]\n": ["m.yaml:2: gravity: system 'system': gravity: must be three numbers, not [0, 1]"],
    "poinsot: 1\ngravity: down\n": ["m.yaml:2: gravity must be numbers, not 'down'"],
    HEAD + "bodies: {a: 1}\n": ["m.yaml:4: bodies must be a list, every element a line '- kind: name'"],
    HEAD + "bodies:\n- bdy: a\n": ["m.yaml:5: bodies: an element begins with its kind and name; did you mean 'body'?, not {'bdy': 'a'}"],
    HEAD + "bodies:\n- 7\n": ["m.yaml:5: bodies: an element begins with its kind and name"],
    HEAD + "bodies:\n- revolute: a\n": ["m.yaml:5: bodies: an element begins with its kind and name; 'revolute' belongs to joints"],
    HEAD + "bodies:\n- body: 7\n  mass: 1\n": ["m.yaml:5: body: its name must be a word, not 7; put it in quotes"],
    HEAD + "bodies:\n- body:\n  mass: 1\n": ["m.yaml:5: body: its name must be a word, not None"],
    A + "": ["m.yaml:5: body 'a': give a shape with a mass, or mass= (kg)"],
    A + "  sphere: {radius: -1, mass: 1}\n": ["m.yaml:6: body 'a': Sphere: radius must be a positive length in m, not -1"],
    A + "  sphere: {radios: 1, mass: 1}\n": ["m.yaml:6: body 'a': sphere has no 'radios'; did you mean 'radius'?"],
    A + "  sphere: {mass: 1}\n": ["m.yaml:6: body 'a': sphere lacks radius"],
    A + "  sphere: {radius: big, mass: 1}\n": ["m.yaml:6: body 'a': sphere: radius must be a number, not 'big'"],
    A + "  sphere: 3\n": ["m.yaml:6: body 'a': sphere must be a map with its arguments, not 3"],
    A + "  composite: [{spere: {radius: 1}}]\n": ["m.yaml:6: body 'a': a part of a composite is one of box, "],
    A + "  sphere: {radius: 1, mass: 1}\n  box: {x: 1, y: 1, z: 1, mass: 1}\n": ["m.yaml:7: body 'a': has two shapes"],
    A + "  mass: 1\n  position: [0, yes, 0]\n": ["m.yaml:7: body 'a': position must be numbers, not 'yes'"],
    A + "  mass: 1\n  position: [0, 0]\n": ["m.yaml:5: body 'a': position: must be three numbers, not [0, 0]"],
    A + "  mass: 1\n  rotation: [w, 0.1]\n": ["m.yaml:7: body 'a': rotation must be an axis (x, y, z, -x, -y, -z) and an angle in rad"],
    A + "  mass: 1\n  between: 3\n": ["m.yaml:5: body 'a': between must be a pair of points, not 3"],
    A + "  mass: 1\n- body: a\n  mass: 1\n": ["m.yaml:7: the name 'a' is already taken in line 5; names must be unique"],
    HEAD + "bodies:\n- body: ground\n  mass: 1\n": ["m.yaml:5: the name 'ground' is already taken by the ground"],
    JOINT + "  second: c\n  aat: [0, 0, 0]\n": [
        "m.yaml:13: revolute 'r': second: there is no body 'c'; there is ground, a, b",
        "m.yaml:14: revolute 'r': has no 'aat'; did you mean 'at'?",
        "m.yaml:11: revolute 'r': lacks at",
    ],
    JOINT + "  second: 1\n  at: a.end\n  axis: w\n": [
        "m.yaml:13: revolute 'r': second must be the name of a body, not 1; put a name that looks like a number in quotes",
        "m.yaml:14: revolute 'r': at: body 'a': has no start and end",
    ],
    JOINT + "  second: a\n  at: a.middle\n": ["m.yaml:14: revolute 'r': at: 'a.middle' is not a point; give numbers, "],
    JOINT + "  second: a\n  at: {body: a}\n": ["m.yaml:14: revolute 'r': at must have the keys body, point, not body"],
    MOTOR + "hinge.angel\n": ["m.yaml:18: motor 'm': target: revolute 'hinge' has no coordinate 'angel'; it has angle"],
    MOTOR + "a\n": ["m.yaml:18: motor 'm': target: body 'a' is not a joint"],
    MOTOR + "hing\n": ["m.yaml:18: motor 'm': target: there is no joint 'hing'; did you mean 'hinge'?"],
    MOTOR + "hinge\n  law: {stp: 1}\n": ["m.yaml:19: motor 'm': law must be a number or a map with one of function, "],
    MOTOR + "hinge\n  law: {step: {start: 0, end: 1}}\n": ["m.yaml:19: motor 'm': law: step lacks to"],
    MOTOR + "hinge\n  law: {step: {start: 1, end: 0, to: 1}}\n": ["m.yaml:19: motor 'm': law: step: must end after it starts"],
    MOTOR + "hinge\n  law: {function: f, sha256: 12}\n": ["m.yaml:19: motor 'm': law: sha256 of function 'f' must be 64 hexadecimal digits"],
    MOTOR + "hinge\n  law: {function: f, code: 1+1}\n": ["m.yaml:19: motor 'm': law: a function is written {function: name, sha256: ...}"],
    MOTOR + "hinge\n  law: 1\n  torque: 1\n": ["m.yaml:17: motor 'm': give one law"],
    DRIVES + "- motion: m\n  coordinate: a.q\n  signal: {function: f}\n": [
        "m.yaml:18: motion 'm': coordinate: there is no coordinate 'q' here; there is x, y, z, angle"
    ],
    DRIVES + "- servo: m\n  outputs: a.x\n  inputs: [hinge]\n  target: {signal: {rate: {function: f}}}\n": [
        "m.yaml:18: servo 'm': outputs must be a list, not 'a.x'",
        "m.yaml:19: servo 'm': inputs: revolute 'hinge' is not a motor",
        "m.yaml:20: servo 'm': target: signal lacks function",
    ],
    HEAD + BODY + HINGE + "initial:\n  hing: {angle: 1}\n  hinge: {angel: 1, rate: fast}\n  ground: {velocity: [0, 0, 0]}\n": [
        "m.yaml:17: initial: 'hing': there is no such element; did you mean 'hinge'?",
        "m.yaml:18: revolute 'hinge': cannot set 'angel'; it has angle, rate",
        "m.yaml:18: initial: 'hinge': rate must be numbers, not 'fast'",
        "m.yaml:19: initial: 'ground': body 'ground' has no initial values",
    ],
    HEAD + BODY + HINGE + "initial: 5\n": ["m.yaml:16: initial must be a map"],
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG, ids=lambda text: repr(text[len(HEAD) :][-40:]))
def test_faults(text):
    found = faults(text)
    assert len(found) == len(WRONG[text]), found
    for have, want in zip(found, WRONG[text]):
        assert have.startswith(want), (have, want)


def test_faults_do_not_breed():
    """An element with a fault is not reported again by those that refer to it."""
    text = A + "  mas: 1\njoints:\n- revolute: r\n  first: ground\n  second: a\n  at: [0, 0, 0]\ninitial:\n  r: {angle: 1}\n"
    assert faults(text) == ["m.yaml:6: body 'a': has no 'mas'; did you mean 'mass'?"]


def test_files_that_are_no_text(tmp_path):
    path = tmp_path / "model.yaml"
    path.write_bytes(b"\x89HDF\r\n\x1a\n\xff\xfe")
    with pytest.raises(po.ModelError, match="model.yaml: is not UTF-8 text"):
        po.read(path)
    for missing in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(po.ModelError, match="cannot be read"):
            po.read(missing)


def test_every_prefix_and_every_broken_byte_is_a_fault_or_a_model():
    """Whatever a file holds, the answer is a system or a ModelError."""
    import file_models

    for text in (file_models.spatial().to_yaml(), file_models.planar().to_yaml()):
        lines = text.splitlines(keepends=True)
        for k in range(0, len(lines), 12):
            for broken in ("".join(lines[:k]), "".join(lines[:k] + lines[k + 1 :]), "".join([*lines[:k], "[" + lines[k], *lines[k + 1 :]])):
                with contextlib.suppress(po.ModelError):
                    read_text(broken)


VALUES = ["3", "[1, 2]", "word", "{a: 1}", "null", "[[1], [a]]", "true", ".nan", "[]", "{}", "[{a: 1}, 2]", "{function: f}"]


@pytest.mark.parametrize("value", VALUES)
def test_any_value_anywhere_is_a_fault_or_a_model(value):
    import file_models

    for text in (file_models.spatial().to_yaml(), file_models.planar().to_yaml()):
        lines = text.splitlines()
        for k in range(VALUES.index(value), len(lines), len(VALUES)):
            key, colon, _ = lines[k].partition(": ")
            if not colon:
                continue
            try:
                read_text("\n".join([*lines[:k], f"{key}: {value}", *lines[k + 1 :]]))
            except po.ModelError as error:
                assert "Traceback" not in str(error)


def test_reading_is_light():
    """Reading and writing import neither Numba nor SciPy."""
    import subprocess
    import sys

    path = Path(__file__).parents[2] / "examples" / "models" / "four_bar.yaml"
    code = f"import sys, poinsot; poinsot.read({str(path)!r}).to_yaml(); print('numba' in sys.modules, 'scipy' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False"]
