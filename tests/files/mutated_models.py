"""Thousands of faulty model files: changes of the content, of the notation, and of the bytes."""

import copy
import json
import random
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import file_models
from hostile_models import laughs
from random_systems import AWKWARD, Drawn

from poinsot.files.models.elements import entries
from poinsot.files.models.shapes import shape_classes
from poinsot.files.models.yaml_nodes import parse

ROOT = Path(__file__).parents[2]
NUMBERS = (
    0, -0.0, 1, -1, 2, 3, 0.5, 1e-9, -1e-20, 1e9, 1e20, -1e30, 1e49, 1e60, 1e100, 2e200, -1e155, 1e308, 1.7976931348623157e308, 5e-324,
    1e-308, 1e-160, 2**31, 2**63, -(2**63), 10**30, 10**300, float("inf"), -float("inf"), float("nan"),
)  # fmt: skip
LITERALS = (
    "1_000", "0x10", "0o17", "0b1", "1:30:00", "1e999", "-1e999", "1" * 309, "-" + "9" * 400, "7" * 5000, "0." + "3" * 5000,
    "1e99999999999", "1e-99999", ".inf", "-.INF", ".NaN", "+3", "5.", ".5", "--1", "1e", "1.2.3", "1,5", "١", "１", "∞", "NaN", "true",
    "no", "~", "null", "", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "!!float 1", "!!float one", "!!int 1.5", "!!str 1", "!!null 1",
    "!!bool 1", "! 1", "!own 1", "!!binary aGVsbG8=", '!!python/object/apply:os.system ["true"]', "!!python/name:os.system",
    "!!set {a, b}", "!!omap [a: 1]", "!!map [1]", "!!seq {a: 1}", "*a", "&a 1", "&a [*a]", "&a {b: *a}", "{<<: {a: 1}}", "{? [1]: 2}",
    "{1: 2, 1: 3}", "[1, [2, [3]]]", "'", '"', "|", ">", "%", "@", "`", "@x", "- 1", "? 1", ": 1", '"\\ud800"', '"\\0"', '"\\x1b[31m"',
    '"\\q"', "[", "]", "{", "}", "[" * 70 + "]" * 70, "[" * 3000,
)  # fmt: skip
WORDS = (
    "ground", "body", "joint", "point", "coordinate", "function", "signal", "step", "spline", "table", "polynomials", "x", "-x", "angle",
    "rate", "rotation", "position", "velocity", "times", "values", "to", "start", "end", "world", "euler-angles", "mass", "inertia",
    "com", "axis", "at", "between", "length", "initial", "gravity", "plane", "system", "sha256", "size", "params", "inputs", "outputs",
    "target", "xy", "none", "A" * 5000, "é" * 300,
)  # fmt: skip


class Literal(str):
    """A text that is written to the file verbatim."""


# --- files to begin with -----------------------------------------------------------------------------------------------------


@cache
def originals():
    """Models as plain data: written by hand, with every element, and drawn at random."""
    docs = (ROOT / "docs" / "model-files.md").read_text(encoding="utf-8")
    texts = [re.search(r'text = """\n(.*?)"""', docs, re.S).group(1)]
    texts += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples" / "models").glob("*.yaml"))]
    texts += [file_models.spatial().to_yaml(), file_models.planar().to_yaml()]
    drawn = (Drawn(seed, functions=False).system for seed in range(60))
    texts += [system.to_yaml() for system in drawn if not system.constraints and system.check(rank=False).ok][:30]
    return [(text, parse(text, "original").plain()) for text in texts]


# --- changes of what is said -------------------------------------------------------------------------------------------------


def places(data, path=()):
    """Paths of all values below the root."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from places(value, (*path, key))


def at(data, path):
    for key in path:
        data = data[key]
    return data


def anything(r, depth=0):
    """Any value."""
    kind = r.randrange(9 if depth < 3 else 6)
    if kind < 2:
        return r.choice(NUMBERS)
    if kind < 4:
        return r.choice(r.choice([AWKWARD, WORDS]))
    if kind < 6:
        return r.choice([None, True, False, Literal(r.choice(LITERALS))])
    if kind < 8:
        return [anything(r, depth + 1) for _ in range(r.choice([0, 1, 2, 3, 3, 4, 9]))]
    return {r.choice(WORDS): anything(r, depth + 1) for _ in range(r.choice([0, 1, 2, 3]))}


def other_number(r, value):
    if r.random() < 0.4:
        return r.choice([r.gauss(0, 1), r.choice(NUMBERS)])
    return r.choice([0, -value, value + 1e-8, *(value * factor for factor in (2, 1e-6, 1e6, 1e-150, 1e60, 1e150))])


def bent(r, value):
    """A value of nearly the right kind."""
    if isinstance(value, bool) or value is None:
        return r.choice([0, 1, "true", [value]])
    if isinstance(value, int | float):
        return r.choice([other_number(r, value), str(value), [value], [value] * 3, {"value": value}, Literal(r.choice(LITERALS))])
    if isinstance(value, str):
        other = [value + " ", value.upper(), value + value, value[:-1], value[::-1], value + ".end", value + ".x", "ground", ""]
        return r.choice([*other, [value], {"body": value}])
    if isinstance(value, list):
        shorter, longer = value[:-1], [*value, *value]
        return r.choice([shorter, longer, [value], value[::-1], value[0] if value else 0, {str(k): part for k, part in enumerate(value)}, []])
    return r.choice([list(value.values()), list(value), [value], dict(reversed(value.items())), {}])


def wrapped(r, value):
    """A value that is nested deeply."""
    for _ in range(r.choice([3, 20, 59, 60, 61, 300])):
        value = [value] if r.random() < 0.5 else {"a": value}
    return value


def renamed(r, parent, key, word):
    entries = [(word if k == key else k, v) for k, v in parent.items()]
    parent.clear()
    parent.update(entries)


def small_change(data, r):
    """Another number or another name: most of these can be read."""
    paths = list(places(data))
    words = [p for p in paths if isinstance(at(data, p), str)]
    numbers = [p for p in paths if isinstance(at(data, p), int | float) and p[0] != "poinsot"]
    if numbers and (not words or r.random() < 0.85):
        path = r.choice(numbers)
        at(data, path[:-1])[path[-1]] = other_number(r, at(data, path))
    elif words:
        path, other = r.choice(words), r.choice(words)
        at(data, path[:-1])[path[-1]] = r.choice([at(data, other), at(data, other), r.choice(WORDS), r.choice(AWKWARD)])


def change(data, r):
    """One change of a model."""
    paths = list(places(data))
    path = r.choice(paths)
    parent, key = at(data, path[:-1]), path[-1]
    value = parent[key]
    kind = r.randrange(13)
    if kind == 0:
        del parent[key]
    elif kind == 1:
        parent[key] = anything(r)
    elif kind == 2 and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(value))
    elif kind == 3 and isinstance(parent, dict):
        renamed(r, parent, key, r.choice([key + "x", key[:-1], key.upper(), r.choice(WORDS), r.choice(AWKWARD), str(r.choice(paths)[-1])]))
    elif kind == 4:
        parent[key] = copy.deepcopy(at(data, r.choice(paths)))
    elif kind == 5:
        parent[key] = bent(r, value)
    elif kind == 6:
        parent[key] = wrapped(r, value)
    elif kind == 7 and isinstance(parent, list):
        r.shuffle(parent)
    elif kind == 8 and isinstance(parent, dict):
        arguments = [a for entry in entries().values() for a in entry.arguments]
        parent[r.choice([*arguments, *shape_classes(), *entries(), r.choice(WORDS)])] = anything(r)
    elif kind == 9:
        parent[key] = Literal(r.choice(LITERALS))
    elif kind == 10:
        initial_value(data, r)
    elif kind == 11 and isinstance(value, list):
        parent[key] = value * r.choice([2, 30])
    elif kind == 12:
        small_change(data, r)


def initial_value(data, r):
    """An initial value of some element."""
    lists = [data[section] for section in ("bodies", "joints") if isinstance(data.get(section), list)]
    elements = [element for section in lists for element in section if isinstance(element, dict) and element]
    if elements and isinstance(data.setdefault("initial", {}), dict):
        name = next(iter(r.choice(elements).values()))
        what = r.choice(["angle", "rate", "displacement", "position", "rotation", "velocity", "angular_velocity", "angle1_rate", "x", "z"])
        data["initial"][str(name)] = {what: r.choice([anything(r), r.choice(NUMBERS), [r.choice(NUMBERS) for _ in range(3)]])}


# --- how it is said ------------------------------------------------------------------------------------------------------------


def text_of(data, r):
    """A model as YAML: lists of elements below each other, the rest on their lines."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and value and r.random() < 0.8:
            lines += [f"{one_line(key)}:", *(f"- {one_line(item)}" for item in value)]
        else:
            lines.append(f"{one_line(key)}: {one_line(value)}")
    return "\n".join(lines) + "\n"


def one_line(value):
    if isinstance(value, Literal):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{'? ' * (len(k) > 300)}{one_line(k)} : {one_line(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(one_line, value)) + "]"
    if isinstance(value, float):
        return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(value), repr(value))
    if isinstance(value, str) and re.fullmatch("[a-z][a-z0-9_.]*", value) and value not in ("true", "false", "null"):
        return value
    return json.dumps(value)


def respelt(text, r):
    """One change of the text; bytes when it is no longer text."""
    i = r.randrange(len(text) + 1)
    j = min(len(text), i + r.randrange(1, 40))
    lines = text.split("\n")
    a, b = r.randrange(len(lines)), r.randrange(len(lines))
    numbers = list(re.finditer(r"-?\d+\.?\d*(e-?\d+)?", text))
    n = r.choice(numbers) if numbers else None
    ways = [
        lambda: text[:i] + text[j:],
        lambda: text[:i] + text[i:j] * r.choice([2, 3, 200]) + text[j:],
        lambda: text[:i] + r.choice(AWKWARD) + text[i:],
        lambda: text[:i] + r.choice(LITERALS) + " " + text[i:],
        lambda: text[:i],
        lambda: text[: n.start()] + r.choice(LITERALS) + text[n.end() :] if n else text,
        lambda: "\ufeff" * r.choice([1, 2]) + text,
        lambda: text.replace("\n", r.choice(["\r\n", "\r", "\n\n", "\x85", "\u2028", " \n", "\t\n", "\n# comment\n"])),
        lambda: text.replace("  ", r.choice(["\t", " ", "   "])),
        lambda: text.replace(": ", r.choice([":", " : ", ":  ", ": &a ", ": !!str ", ": |\n  "]), r.choice([1, 5, 1000])),
        lambda: text[:i] + r.choice(["\0", "\x07", "\x1b", "\x7f", "\x9f", "\ufffe", "\ud800"]) + text[i:],
        lambda: text[:i] + "&a " + text[i:j] + " *a " + text[j:],
        lambda: text + r.choice(["---\n" + text, "...\n" + text, "--- 1\n", "...\n"]),
        lambda: r.choice(["%YAML 1.1", "%YAML 1.2", "%YAML 9.9", "%YAML x", "%YAML 1.1\n%YAML 1.1", "%TAG ! tag:x,2000:", "%X"]) + "\n---\n" + text,
        lambda: text + laughs(r.choice([3, 5, 9]), r.choice([2, 9])),
        lambda: laughs(r.choice([4, 9]), 9) + text.replace("[", "[*l3, ", 1),
        lambda: text.replace("[", "&s [*s, ", 1),
        lambda: "<<: {gravity: none}\n" + text,
        lambda: "\n".join([*lines[:a], lines[b], *lines[a:]]),
        lambda: "\n".join([*lines[:a], *lines[a + 1 :]]),
        lambda: "\n".join([*lines[:a], " " * r.randrange(9) + lines[a].strip(), *lines[a + 1 :]]),
        lambda: text + "initial:\n" + "".join(f"  nobody{k}: {{angle: 1}}\n" for k in range(r.choice([1, 300]))),
        lambda: flipped(text.encode("utf-8", "surrogatepass"), r),
        lambda: text.encode(r.choice(["utf-16", "utf-32", "latin-1", "utf-16-le", "cp037"]), "replace"),
        lambda: b"\x89HDF\r\n\x1a\n" + text.encode("utf-8", "surrogatepass"),
        lambda: "",
    ]
    return r.choice(ways)()


def flipped(content, r):
    data = bytearray(content or b"-")
    for _ in range(r.choice([1, 2, 10])):
        data[r.randrange(len(data))] = r.randrange(256)
    return bytes(data)


def mutated(seed):
    """The bytes of a mutated model file."""
    r = random.Random(seed)
    text, data = r.choice(originals())
    way = r.random()
    if way < 0.8:
        data = copy.deepcopy(data)
        for _ in range(r.choice([1, 1, 1, 2, 3, 6])):
            if data:
                (small_change if way < 0.45 else change)(data, r)
        with suppress(RecursionError):  # nested so deeply that it cannot be written here
            text = text_of(data, r)
    for _ in range(r.choice([1, 1, 2, 4]) if way > 0.75 else 0):
        if isinstance(text, str):
            text = respelt(text, r)
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
