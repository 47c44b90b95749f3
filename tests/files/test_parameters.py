"""Model files written by hand: arithmetic, named parameters, functions of time, repeated elements. Nothing in them is executed."""

import math
import random

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot.cli import app
from poinsot.files.models.read_write import read_text
from poinsot.model.expressions import BadExpression, TimeFunction, evaluate, parse, written

HEAD = "poinsot: 1\nsystem: s\ngravity: none\n"
CHAIN = """poinsot: 1
system: chain
gravity: [0, 0, -g]
parameters: {L: 2, g: 9.81, n: 4, half: L/2}
bodies:
- body: link{k+1}
  repeat: {k: n}
  box: {x: 0.2, y: L/10, z: L, mass: 50}
  position: [0, 0, -L*(k + 1/2)]
joints:
- {spherical: joint1, first: ground, second: link1, at: [0, 0, 0]}
- spherical: joint{k+1}
  repeat: {k: [1, n-1]}
  first: link{k}
  second: link{k+1}
  at: [0, 0, -k*L]
forces:
- {force: push, body: link1, vector: [0, 5*half*sin(2*t), 1]}
initial:
  joint1: {rotation: [x, pi/6]}
"""


def by_hand():
    s = po.System("chain", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(4):
        link = s.body(f"link{k + 1}", po.Box(0.2, 0.2, 2, mass=50), position=(0, 0, -2 * (k + 1 / 2)))
        s.spherical(parent, link, at=(0, 0, -2.0 * k), name=f"joint{k + 1}")
        parent = link
    s.add(po.Force(s["link1"], lambda t: (0.0, 5.0 * math.sin(2.0 * t), 1.0), name="push"))
    s["joint1"].set(rotation=("x", math.pi / 6))
    return s


VALUES = {
    "1 + 2*3": 7, "(1 + 2)*3": 9, "2^3^2": 512, "-2^2": -4, "2**-1": 0.5, "6/3/2": 1, "1 - 2 - 3": -4, "pi/6": math.pi / 6, "30*deg": math.pi / 6,
    "atan2(1, -1)": 3 * math.pi / 4, "min(3, a, 2)": 1.5, "--a": 1.5, "sqrt(a*6)": 3, "1e3": 1000, ".5": 0.5, "abs(-a)": 1.5, "5.": 5, "-a - -a": 0,
}  # fmt: skip


@pytest.mark.parametrize("text", VALUES)
def test_arithmetic(text):
    assert evaluate(parse(text), {"a": 1.5}) == pytest.approx(VALUES[text], rel=1e-15)


WRONG = {
    "": "is empty",
    "1 +": "ends too early",
    "(1": r"lacks '\)'",
    "1 2": "has '2' where it should end",
    "sine(1)": "no function 'sine'; did you mean 'sin'",
    "a.b": "has '.', which has no meaning",
    "__import__(1)": "has no function '__import__'",
    "open('x')": "which has no meaning",
    "1/0": "no finite value: 1 / 0",
    "sqrt(-1)": "no finite value",
    "(-8)^(1/3)": "no finite value",
    "10^400": "no finite value",
    "exp(1e9)": "no finite value",
    "b": "no parameter 'b'",
    "sin(1, 2)": "gives sin 2 arguments",
    "[1]": r"has '\['",
    "a = 1": "has '='",
    "lambda: 1": "has ':'",
    "1" * 1001: "longer than",
    "(" * 60 + "1" + ")" * 60: "nested",
    "2001-12-14": "looks like a date",
    "\u0663 + 1": "which has no meaning",
    "2^" * 60 + "2": "nested",
}


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:20])
def test_what_is_no_expression(text):
    with pytest.raises(BadExpression, match=WRONG[text]):
        evaluate(parse(text), {"a": 1.5})


def test_random_expressions_against_python():
    r = random.Random(1)

    def made(depth):
        if depth == 0 or r.random() < 0.2:
            return r.choice(["a", "b", "2", "0.7", "3.25"])
        one, other = made(depth - 1), made(depth - 1)
        forms = [f"({one} + {other})", f"{one} - ({other})", f"({one})*({other})", f"sin({one})", f"-({one})", f"({one})/(3.5 + abs({other}))"]
        return r.choice([*forms, f"abs({one})**1.5"])

    values = {"a": 1.1, "b": -0.6}
    known = {"sin": math.sin, "abs": abs, **values}
    for _ in range(300):
        text = made(4)
        expected = eval(text, {"__builtins__": {}}, known)  # the oracle of this test, on texts that it has made itself
        assert evaluate(parse(text), values) == pytest.approx(expected, rel=1e-13, abs=1e-300)
        assert parse(written(parse(text))) == parse(written(parse(written(parse(text)))))
        assert evaluate(parse(written(parse(text))), values) == evaluate(parse(text), values)


def test_a_file_with_parameters_is_the_model_built_by_hand():
    s, other = read_text(CHAIN, "chain.yaml"), by_hand()
    one, two = (po.simulate(system, 0.5, step=0.01) for system in (s, other))
    assert np.array_equal(one["link4"].position, two["link4"].position)
    again = read_text(s.to_yaml(), "again.yaml")
    assert again.to_yaml() == s.to_yaml() and np.array_equal(po.simulate(again, 0.5, step=0.01).energy, one.energy)


def test_parameters_are_given_other_values(tmp_path):
    path = tmp_path / "chain.yaml"
    path.write_text(CHAIN)
    s = po.read(path, parameters={"n": 2, "L": 1})
    assert len(s.bodies) == 2 and s["link2"].position == (0, 0, -1.5) and s["push"].vector(0.3)[1] == 2.5 * math.sin(0.6)
    with pytest.raises(po.ModelError, match="has no parameter 'LL'; did you mean 'L'?"):
        po.read(path, parameters={"LL": 1})
    with pytest.raises(po.ModelError, match="must be a finite number, not nan"):
        po.read(path, parameters={"L": math.nan})
    checked = CliRunner().invoke(app, ["check", str(path), "--set", "n=2", "--set", "L=3*pi"])
    assert checked.exit_code == 0 and "2 bodies" in checked.output
    assert CliRunner().invoke(app, ["run", str(path), "--set", "n=1", "--duration", "0.1", "--step", "0.01"]).exit_code == 0
    wrong = CliRunner().invoke(app, ["check", str(path), "--set", "n"])
    assert wrong.exit_code == 2 and "write name=number" in wrong.output


def test_functions_of_time_are_results_like_others(tmp_path):
    text = HEAD + "bodies:\n- {body: a, sphere: {radius: 0.1, mass: 2}}\njoints:\n- {prismatic: s, first: ground, second: a, axis: z}\n"
    s = read_text(text + "forces:\n- {motor: m, target: s, force: 4*cos(2*t) + t^2}\n")
    assert isinstance(s["m"].law, TimeFunction)
    run = po.simulate(s, 1.0, step=0.01)
    assert np.allclose(run["m"].effort, 4 * np.cos(2 * run.t) + run.t**2, rtol=1e-14)
    assert np.allclose(run["s"].displacement, (1 - np.cos(2 * run.t) + run.t**4 / 12) / 2, atol=1e-9)
    run.save(tmp_path / "run.h5")
    assert po.load(tmp_path / "run.h5").system["m"].law == s["m"].law
    driven = read_text(text + "drives:\n- {motion: d, coordinate: s.displacement, signal: sin(3*t)}\n")
    assert np.allclose(po.simulate(driven, 1.0, step=0.01)["s"].displacement, np.sin(3 * np.linspace(0, 1, 101)), atol=1e-9)
    late = read_text(text + "forces:\n- {motor: m, target: s, force: sqrt(0.5 - t)}\n")
    with pytest.raises(ValueError, match="has no finite value: sqrt"):
        po.simulate(late, 1.0, step=0.01)


BODY = HEAD + "parameters: {L: 2}\nbodies:\n- body: a\n  mass: 1\n"
FAULTS = {
    BODY + "  position: [0, 0, 2*M]\n": "m.yaml:8: body 'a': position must be numbers, not '2*M'; as an expression it has no parameter 'M'",
    BODY + "  position: [0, 0, L/0]\n": "m.yaml:8: body 'a': position must be numbers, not 'L/0'; as an expression it has no finite value: 2 / 0",
    BODY + "  repeat: 3\n": "m.yaml:8: bodies: repeat must be a map such as {k: 4}",
    BODY + "  repeat: {L: 3}\n": "m.yaml:8: bodies: repeat: 'L' is taken",
    BODY + "  repeat: {k: 1.5}\n": "m.yaml:8: bodies: repeat must count by whole numbers",
    BODY + "  repeat: {k: 1000000}\n": "m.yaml:8: bodies: repeat must count by whole numbers of at most 10000",
    BODY + "  repeat: {k: 1000, j: 1000}\n": "m.yaml:8: bodies: repeat stands for more than 10000 elements",
    BODY + "  repeat: {k: 2}\n": "the name 'a' is already taken in line 6; names must be unique",
    HEAD + "bodies:\n- body: a{j}\n  repeat: {k: 2}\n": "m.yaml:5: bodies: '{j}' has no parameter 'j'",
    BODY + "  com: [0, 0, '1']\n": "body 'a': com must be numbers, not '1'; as an expression it is text; leave out the quotes",
    HEAD + "parameters: [1]\n": "m.yaml:4: parameters must be a map of names and numbers, not [1]",
    HEAD + "parameters: {pi: 3}\n": "m.yaml:4: parameters: parameter 'pi' has a meaning of its own",
    HEAD + "parameters: {t: 3}\n": "m.yaml:4: parameters: parameter 't' has a meaning of its own",
    HEAD + "parameters:\n  a: b\n  b: 1\n": "m.yaml:5: parameters: parameter 'a' must be a number, not 'b'",
    HEAD + "parameters:\n  a: open('x')\n": "m.yaml:5: parameters: parameter 'a' must be a number, not \"open('x')\"; as an expression it has",
}


@pytest.mark.parametrize("text", FAULTS, ids=lambda text: text[len(HEAD) :][-40:])
def test_faults_have_their_line(text):
    with pytest.raises(po.ModelError) as caught:
        read_text(text, "m.yaml")
    assert any(FAULTS[text] in fault for fault in caught.value.faults), caught.value.faults


def files(folder, **texts):
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder / "main.yaml"


LEG = "poinsot: 1\nparameters: {L: 1, m: 3}\nbodies:\n- {body: leg, sphere: {radius: 0.1, mass: m}, position: [0, 0, -L]}\n"
LEG += "initial:\n  leg: {velocity: [0, 0, 1]}\n"
MAIN = HEAD + "include: [leg.yaml]\nparameters: {L: 5}\nbodies:\n- {body: foot, sphere: {radius: 0.1, mass: 1}, position: [0, 0, -2*L*m]}\n"


def test_files_include_others(tmp_path):
    s = po.read(files(tmp_path, leg=LEG, main=MAIN))
    assert [b.name for b in s.bodies] == ["leg", "foot"] and s["leg"].position == (0, 0, -5) and s["foot"].position == (0, 0, -30)
    assert s.initial[s["leg"]]
    assert po.read(tmp_path / "main.yaml", parameters={"m": 4})["foot"].position == (0, 0, -40)
    (tmp_path / "deep").mkdir()
    files(tmp_path / "deep", main=HEAD + "include: ../middle.yaml\n")
    files(tmp_path, middle="poinsot: 1\ninclude: [leg.yaml]\n")
    assert len(po.read(tmp_path / "deep" / "main.yaml").bodies) == 1


INCLUDES = {
    "leg.yaml:4: body 'leg': position must be numbers, not '-L2'": {"leg": LEG.replace("-L]", "-L2]"), "main": MAIN},
    "leg.yaml:2: 'gravity' has no meaning in an included file": {"leg": LEG.replace("poinsot: 1\n", "poinsot: 1\ngravity: none\n"), "main": MAIN},
    "leg.yaml is not a Poinsot model": {"leg": "- 1\n", "main": MAIN},
    "leg.yaml cannot be included: No such file": {"main": MAIN},
    "includes itself": {"leg": LEG + "include: [leg.yaml]\n", "main": MAIN},
    "deep cannot be included: is not a regular file": {"main": HEAD + "include: [deep]\n"},
    "main.yaml:4: include must be a list of files, not 3": {"main": HEAD + "include: 3\n"},
    "main.yaml:7: the name 'leg' is already taken in line 4 of ": {"leg": LEG, "main": MAIN.replace("foot", "leg")},
    "bodies is a value here and a list in an included file": {"leg": LEG, "main": HEAD + "include: [leg.yaml]\nbodies: 3\n"},
}


@pytest.mark.parametrize("words", INCLUDES)
def test_faults_of_included_files(tmp_path, words):
    (tmp_path / "deep").mkdir()
    with pytest.raises(po.ModelError) as caught:
        po.read(files(tmp_path, **INCLUDES[words]))
    assert words in str(caught.value)


def test_texts_that_are_no_files_include_nothing():
    with pytest.raises(po.ModelError, match="a model that is not a file cannot include others"):
        read_text(MAIN, "m.yaml")


def test_a_new_model_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(app, ["new", "my-robot"])
    assert made.exit_code == 0 and "poinsot run my-robot.yaml" in made.output
    s = po.read("my-robot.yaml", parameters={"n": 5})
    assert s.name == "my-robot" and len(s.bodies) == 5 and s.check().degrees_of_freedom == 5
    assert po.simulate(po.read("my-robot.yaml"), 0.1, step=0.01).t[-1] > 0
    assert CliRunner().invoke(app, ["new", "my-robot"]).exit_code == 2
    assert "begins with a letter" in CliRunner().invoke(app, ["new", "3 legs"]).output
