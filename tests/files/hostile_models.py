"""Small model files that use many resources, and files that are not models. Each with words of its error; None: it can be read."""

import random

HEAD = "poinsot: 1\nsystem: s\ngravity: [0, 0, -9.81]\n"
BODY = HEAD + "bodies:\n- {body: a, mass: 1, inertia: [1, 1, 1]}\n"
HINGE = BODY + "joints:\n- {revolute: j, first: ground, second: a, at: [0, 0, 0], axis: z}\n"
NUMBER = "is too large"


def laughs(levels, width, begin="[1, 1]"):
    """Aliases of aliases: `levels` lines that stand for width**levels entries."""
    lines = [f"l0: &l0 {begin}"]
    return "\n".join(lines + [f"l{k}: &l{k} [{', '.join([f'*l{k - 1}'] * width)}]" for k in range(1, levels)]) + "\n"


def maps(levels, width):
    lines = ["m0: &m0 {q: 1}"]
    return "\n".join(lines + [f"m{k}: &m{k} {{{', '.join(f'k{i}: *m{k - 1}' for i in range(width))}}}" for k in range(1, levels)]) + "\n"


def long_names(count=100_000):
    """Two names that are much alike, so that comparing them takes long."""
    r = random.Random(1)
    one = [chr(0x4E00 + r.randrange(400)) for _ in range(count)]
    other = [c if r.random() < 0.8 else "x" for c in one]
    return "".join(one), "".join(other)


def with_names(one, other):
    text = HEAD + f'bodies:\n- {{body: "{one}", mass: 1, inertia: [1, 1, 1]}}\n'
    return text + f'joints:\n- {{revolute: j, first: ground, second: "{other}", at: [0, 0, 0], axis: z}}\n'


def many(count, second):
    bodies = "".join(f"- {{body: body{k}, mass: 1, inertia: [1, 1, 1]}}\n" for k in range(count))
    joints = "".join(f"- {{revolute: j{k}, first: ground, second: {second}{k}, at: [0, 0, 0], axis: z}}\n" for k in range(count))
    return HEAD + "bodies:\n" + bodies + "joints:\n" + joints


ALIASES = {
    "laughs": (HEAD + laughs(9, 9), "aliases stand for more than"),
    "laughs in maps": (HEAD + maps(10, 9), "aliases stand for more than"),
    "laughs as gravity": (laughs(7, 9) + BODY.replace("[0, 0, -9.81]", "*l6"), "aliases stand for more than"),
    "few laughs": (laughs(3, 9) + BODY.replace("[0, 0, -9.81]", "*l2"), "must be three numbers"),
    "quadratic": (HEAD + "bodies:\n- &b [" + "1, " * 2000 + "1]\n" + "- *b\n" * 2000, "aliases stand for more than"),
    "nameless joints": (BODY + "joints:\n- &j {fixed: , first: ground, second: a}\n" + "- *j\n" * 2000, "aliases stand for more than"),
    "a list in itself": (BODY + "joints: &j [*j]\n", "contains itself"),
    "a map in itself": (BODY + "initial: &i {a: *i}\n", "contains itself"),
    "a key in itself": (HEAD + "&a [*a]: 1\n", "a key must be a word"),
    "alias as key": (BODY + "initial: {&a a: {}, *a : {}}\n", "a key must be a word"),
    "alias of nothing": (BODY + "joints: *none\n", "the alias *none is not defined"),
    "aliases in use": (BODY.replace("inertia: [", "inertia: &i [") + "- {body: b, mass: 1, inertia: *i}\n", None),
    "merge key": (HEAD + "bodies:\n- &a {body: a, mass: 1, inertia: [1, 1, 1]}\n- {<<: *a, body: b}\n", "merge key"),
}
NESTED = {
    "lists": (HEAD + "bodies: " + "[" * 100_000 + "]" * 100_000, "nested too deeply"),
    "open lists": (HEAD + "bodies: " + "[" * 1_000_000, "nested too deeply"),
    "maps": (HEAD + "bodies: " + "{a: " * 100_000 + "}" * 100_000, "nested too deeply"),
    "blocks": (HEAD + "bodies:\n" + "".join(" " * k + "-\n" for k in range(1, 1000)), "nested too deeply"),
    "keys": (HEAD + "bodies: [" + "? " * 1000 + "]", ""),
}
LONG = {
    "names alike": (with_names(*long_names()), "there is no body"),
    "many names alike": (many(2000, "bdoy"), "has more faults"),
    "name": (BODY.replace("body: a", "body: " + "a" * 1_000_000), None),
    "key": (BODY + "A" * 1_000_000 + ": 1\n", "could not find expected ':'"),
    "explicit key": (BODY + "? " + "A" * 1_000_000 + "\n: 1\n", "has no meaning here"),
    "word": (HEAD.replace("system: s", "system: " + "A" * 1_000_000) + "bodies: []\n", None),
    "comment": (BODY + "#" * 1_000_000, None),
    "anchor": (BODY.replace("mass: 1", "mass: &" + "A" * 1_000_000 + " 1"), None),
    "open quote": (HEAD + 'x: "' + "a" * 1_000_000, "this is not YAML"),
    "escapes": (HEAD + 'x: "' + "\\x41" * 100_000 + '"', "has no meaning here"),
    "integer": (BODY.replace("mass: 1", "mass: " + "1" * 1_000_000), NUMBER),
    "fraction": (BODY.replace("mass: 1", "mass: 0." + "1" * 1_000_000), None),
    "many keys": (HEAD + "initial: {" + ", ".join(f"k{i}: 1" for i in range(20_000)) + "}\n", "has more faults"),
    "many colons": (HEAD + "bodies: [" + "a: " * 10_000 + "]", "this is not YAML"),
    "file": (BODY + "# " + "x" * 60_000_000, "is too large for a model file"),
}
NUMBERS = {
    f"{digits} digits in {where}": (text, NUMBER)
    for digits in (310, 400, 4301, 5000)
    for where, text in {
        "mass": BODY.replace("mass: 1", "mass: " + "1" * digits),
        "gravity": BODY.replace("-9.81", "-" + "1" * digits),
        "version": BODY.replace("poinsot: 1", "poinsot: " + "1" * digits),
        "initial": HINGE + "initial:\n  j: {angle: " + "1" * digits + "}\n",
        "stiffness": HINGE + "forces:\n- {joint_spring: f, target: j, stiffness: " + "1" * digits + "}\n",
        "signal": HINGE + "forces:\n- {motor: m, target: j, torque: {step: {start: 0, end: " + "1" * digits + ", to: 2}}}\n",
        "size": HINGE + "forces:\n- {motor: m, target: j, torque: {function: f, sha256: null, size: " + "1" * digits + "}}\n",
    }.items()
}
NUMBERS |= {
    "exponent": (BODY.replace("mass: 1", "mass: 1e99999999999"), NUMBER),
    "overflow": (BODY.replace("-9.81", "-1e309"), NUMBER),
    "underflow": (BODY.replace("-9.81", "-1e-99999"), None),
    "a count": (HINGE + "drives:\n- {motion: m, coordinate: j.angle, signal: {function: f, sha256: null, size: 1000000000}}\n", ""),
    "underscores": (BODY.replace("mass: 1", "mass: 1_000"), "mass must be a number"),
    "hexadecimal": (BODY.replace("mass: 1", "mass: 0x10"), "mass must be a number"),
    "octal": (BODY.replace("mass: 1", "mass: 0o17"), "mass must be a number"),
    "sexagesimal": (BODY.replace("mass: 1", "mass: 1:30"), "mass must be a number"),
    "date": (BODY.replace("mass: 1", "mass: 2001-12-14"), "mass must be a number"),
    "truth": (BODY.replace("mass: 1", "mass: true"), "mass must be a number"),
    "other digits": (BODY.replace("mass: 1", "mass: ١"), "mass must be a number"),
}
FORMS = {
    "version of YAML": ("%YAML 9.9\n---\n" + BODY, "this is not YAML"),
    "version of YAML twice": ("%YAML 1.1\n%YAML 1.2\n---\n" + BODY, "this is not YAML"),
    "YAML 1.1": ("%YAML 1.1\n---\n" + BODY.replace("body: a", "body: on"), None),
    "tag of another": ("%TAG ! tag:evil,2000:\n---\n" + BODY.replace("mass: 1", "mass: !x 1"), "has no meaning here"),
    "python object": (BODY + 'x: !!python/object/apply:os.system ["false"]\n', "has no meaning here"),
    "python key": (BODY + "!!python/name:os.system x: 1\n", "has no meaning here"),
    "binary": (BODY.replace("mass: 1", "mass: !!binary aGVsbG8="), "has no meaning here"),
    "set": (BODY.replace("[1, 1, 1]", "!!set {1, 2}"), "has no meaning here"),
    "float of a word": (BODY.replace("mass: 1", "mass: !!float abc"), "has no meaning here"),
    "whole number that is none": (BODY.replace("mass: 1", "mass: !!int 1.5"), "has no meaning here"),
    "null of a number": (BODY.replace("mass: 1", "mass: !!null 1"), "has no meaning here"),
    "text of a number": (BODY.replace("mass: 1", "mass: !!str 1"), "mass must be a number"),
    "map of a list": (BODY.replace("[1, 1, 1]", "!!map [1, 1, 1]"), "has no meaning here"),
    "right tags": (BODY.replace("mass: 1", "mass: !!int 1").replace("[1, 1, 1]", "!!seq [1, 1, 1]"), None),
    "a number as key": (HINGE + "initial: {1: {angle: 1}}\n", "a key must be a word"),
    "nothing as key": (BODY + ": 1\n", "a key must be a word"),
    "a list as key": (BODY + "? [a]\n: 1\n", "a key must be a word"),
    "twice": (BODY + "gravity: none\n", "occurs twice here"),
    "twice in quotes": (BODY + '"gravity": none\n', "occurs twice here"),
    "misspelt": (BODY.replace("mass", "mas"), "did you mean 'mass'?"),
    "two documents": (BODY + "---\n" + BODY, "a second document begins here"),
    "nothing": ("", "is empty"),
    "a comment": ("# x", "is empty"),
    "a line": ("---\n", "is not a Poinsot model"),
    "NUL": (BODY + 'x: "\0"\n', "this is not YAML"),
    "NUL in a name": (BODY.replace("body: a", 'body: "a\\0b"'), "cannot contain the character NUL"),
    "half a character": (BODY.replace("body: a", 'body: "a\\ud800"'), "a name cannot contain a surrogate"),
    "colours": (BODY.replace("mass: 1", '"\\e[31m": 1'), "\\x1b[31m"),
    "UTF-16": (BODY.encode("utf-16"), "is not UTF-8 text"),
    "UTF-32": (BODY.encode("utf-32"), "is not UTF-8 text"),
    "no UTF-8": (BODY.encode() + b"# \xff\xfe\n", "is not UTF-8 text"),
    "byte order mark": (b"\xef\xbb\xbf" + BODY.encode(), None),
    "two byte order marks": (b"\xef\xbb\xbf" * 2 + BODY.encode(), None),
    "ends of lines": (BODY.replace("\n", "\r\n"), None),
    "old ends of lines": (BODY.replace("\n", "\r"), None),
    "results": (b"\x89HDF\r\n\x1a\n" + b"\0" * 5000, "is not UTF-8 text"),
}
HOSTILE = {f"{group}: {name}": case for group, cases in {
    "aliases": ALIASES, "nested": NESTED, "long": LONG, "numbers": NUMBERS, "forms": FORMS}.items() for name, case in cases.items()}  # fmt: skip
