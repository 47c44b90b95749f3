"""The quick reader of YAML finds what the parser for all of YAML finds, with the same lines, or leaves the text to it."""

import random
import time
from pathlib import Path

import pytest

import poinsot as po
from poinsot.errors import ModelError
from poinsot.files.models.yaml_nodes import parse_all
from poinsot.files.models.yaml_quick import quickly

MODEL = """# a model
poinsot: 1
system: "two links"   # with a name
gravity: [0, 0, -9.81]
parameters: {L: 2, half: L/2, angle: -pi/6}

bodies:
- body: link{k+1}
  repeat: {k: 2}
  box: {x: .1, y: 1e-1, z: L, mass: 2}
  position: [0, 0,
             -L*(k + 0.5)]
-   body: 'other one'
    # below
    mass: 1
    inertia: [1, 2, [3], {a: b}, true, null, .inf, 0x1, 1_000]
joints:
  - spherical: first
    first: ground
    at:
    - 0
    - 0.0
    -
      - 1
  -
    fixed: null
    at: {}
    none: []
initial:
    first: {rate: [0, 1, 0]}
    "quoted: key": ''
end: null
"""
PIECES = ["\n", " ", "  ", ":", ": ", "- ", "-", ",", "[", "]", "{", "}", "#", " #", "'", '"', "a", "1", "? ", "|", ">", "&a ", "*a", "!", "%",
          "---", "...", "\t", "é", "\\", "~", "null", "<<", "@", "`", "=", "(", "."]  # fmt: skip


def both(text):
    """What is found by the quick reader, and by the other one; an error stands for its words."""
    try:
        other = parse_all(text, "x")
    except ModelError as error:
        other = str(error)
    return quickly(text), other


def test_models_are_read_quickly_and_alike():
    found, wanted = both(MODEL)
    assert found is not None and repr(found) == repr(wanted)
    assert found.data["bodies"].data[0].data["position"].data[2].line == 12 and found.data["end"].data is None
    s = po.System("chain", gravity=None)
    for k in range(3):
        s.body(f"link {k}", po.Box(0.1, 0.1, 1.0, mass=2.0), position=(0, 0, -k / 3))
    found, wanted = both(s.to_yaml())
    assert found is not None and repr(found) == repr(wanted)


@pytest.mark.parametrize("seed", range(4))
def test_damaged_texts_are_read_alike_or_left_alone(seed):
    rng, quick = random.Random(seed), 0
    files = [path.read_text() for path in sorted((Path(__file__).parents[2] / "examples" / "models").glob("*.yaml"))]
    for _ in range(250):
        text = rng.choice([MODEL, MODEL, *files])
        begin = rng.randrange(len(text))
        text = text[: text.find("\n", begin) + 1] or text if rng.random() < 0.5 else text[text.find("\n", begin) + 1 :]
        for _ in range(rng.randrange(3)):
            at, cut = rng.randrange(len(text) + 1), rng.choice([0, 0, 1, 2, 5])
            text = text[:at] + rng.choice(PIECES) + text[at + cut :]
        found, wanted = both(text)
        if found is not None:
            quick += 1
            assert repr(found) == repr(wanted), text
    assert quick > 40


UNUSUAL = ["a: 1\na: 2\n", "a: 1e999\n", "a: &b 1\n", "a: b\n  c\n", "a: |\n b\n", "- 1\n", "", "a: {b}\n", "1: 2\n", "true: 2\n", "a: [1\n]\n",
           "a: 'it''s'\n", 'a: "b\\n"\n', "a:\tb\n", "a: {b: 1, b: 2}\n", "? a\n: b\n", "---\na: 1\n", "a: [x: 1]\n", "a: b: c\n",
           "a:\nb: 1\n"]  # fmt: skip


@pytest.mark.parametrize("text", UNUSUAL)
def test_what_is_unusual_is_left_alone(text):
    assert quickly(text) is None


HOSTILE = ["a: [" + " #" * 100_000 + "\n!", "a: b" + " " * 200_000 + "!", "a" + " a" * 100_000, "a: b" + " c" * 100_000 + "!", "a: " + "[" * 100_000,
           " " * 200_000 + "!", "# #" * 100_000 + "\n!", "a:\n" + " \n" * 100_000 + "!", "a: {b: " + "x " * 100_000 + ":"]  # fmt: skip


def test_no_text_takes_long():
    began = time.process_time()
    assert [quickly(text) for text in HOSTILE] == [None] * len(HOSTILE)
    assert time.process_time() - began < 2.0
