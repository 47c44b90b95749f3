"""`poinsot new NAME`: write a small commented model, as a starting point."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import poinsot as po
from poinsot.cli.options import Json, Quiet, Say, check_writable
from poinsot.cli.schema import FILE, write_schema

MODEL = """\
poinsot: 1                      # the version of the format
system: {name}
gravity: [0, 0, -g]             # m/s^2; none for no gravity

parameters:                     # numbers by name; poinsot run {file} --set L=2
  g: 9.81
  L: 1.0                        # length of a link, m
  n: 3                          # number of links

bodies:                         # drawn where they are at zero coordinates; SI units
- body: link{{k+1}}
  repeat: {{k: n}}                # k = 0, 1, ... n - 1
  rod: {{radius: 0.02, mass: 1}}
  between: [[0, 0, -k*L], [0, 0, -(k+1)*L]]

joints:                         # fixed, revolute, prismatic, cylindrical, screw, universal, spherical, planar, free
- {{revolute: hinge1, first: ground, second: link1, at: [0, 0, 0], axis: y}}
- revolute: hinge{{k+1}}
  repeat: {{k: [1, n-1]}}
  first: link{{k}}
  second: link{{k+1}}
  at: [0, 0, -k*L]
  axis: y

forces:
- {{joint_damper: friction, target: hinge1, damping: 0.05}}
- {{motor: drive, target: hinge1, torque: 2*sin(3*t)}}

initial:
  hinge1: {{angle: pi/6}}
"""


def new(
    name: Annotated[str, typer.Argument(help="Name of the model; the file is NAME.yaml.", show_default=False)],
    with_schema: Annotated[bool, typer.Option("--schema", help="Also write the schema with which editors complete and check it.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a small commented model file.

    It runs as it is: poinsot run NAME.yaml.
    """
    say = Say(as_json, quiet)
    path = Path(name if name.endswith(".yaml") else f"{name}.yaml")
    stem = path.name.removesuffix(".yaml")
    if not stem.replace("_", "").replace("-", "").isalnum() or not stem[0].isalpha():
        raise po.SettingsError(f"'{name}': the name of a model is a word of letters, digits, - and _, which begins with a letter")
    check_writable(path)
    if path.exists():
        raise po.FileError(f"{path}: exists already; choose another name, or delete it")
    head = f"# yaml-language-server: $schema={FILE}\n" if with_schema else ""
    path.write_text(head + MODEL.format(name=stem, file=path.name))
    if with_schema:
        write_schema(path.parent / FILE)
    say.words(f"Model: {path}\nTry: poinsot check {path}; poinsot run {path} --html {path.with_suffix('.html')}")
    say.data({"written": str(path)})
