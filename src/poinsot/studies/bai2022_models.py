"""The systems of bai2022: its double pendulum, and longer chains in the plane and in space."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po

CODES = tuple("-".join(letters) for letters in product("LA", "RA", "LH"))  # X-Y-Z as in the paper
MASSES, INERTIAS, LENGTH, COM = (0.5, 0.8), (1.0, 2.0), 1.0, (0.05, 0.3)
ANGLES = (-np.pi / 3, np.pi / 3)  # rad, the second relative to the first
GRAVITY = 9.8  # m/s^2, along +e2: the paper gives neither; only this reading gives its numbers
DURATION = 200.0  # s
RTOL, ATOL = 1e-3, 1e-6  # of MATLAB's ode45, if nothing is given


def reference() -> dict[str, Any]:
    """The numbers of `bai2022_reference.json`: the motion to 20 digits, and the paper's method with its tolerances."""
    return json.loads(Path(__file__).with_name("bai2022_reference.json").read_text())


def pendulum() -> po.System:
    """The double pendulum of section 7, at rest."""
    return chain(2)


def chain(n: int) -> po.System:
    """A planar chain of n bodies at rest: the first as in the paper, all others like its second."""
    s = po.System("double pendulum" if n == 2 else f"chain of {n}", plane="xy", gravity=(0, GRAVITY))
    parent = s.ground
    for k in range(n):
        second = min(k, 1)
        body = s.body(f"body{k + 1}", mass=MASSES[second], inertia=INERTIAS[second], com=COM, position=(k * LENGTH, 0))
        s.revolute(parent, body, at=(k * LENGTH, 0), name=f"joint{k + 1}").set(angle=ANGLES[k % 2])
        parent = body
    return s


def spatial(n: int) -> po.System:
    """A chain of n bodies in space, at rest: axes of the joints turn by 40 degrees from each to the next."""
    s = po.System(f"chain of {n} in space", gravity=(0, GRAVITY, 0))
    parent = s.ground
    for k in range(n):
        second, turn = min(k, 1), np.deg2rad(40.0) * k
        inertia = INERTIAS[second] * np.array([0.6, 0.8, 1.0])
        body = s.body(f"body{k + 1}", mass=MASSES[second], inertia=inertia, com=(*COM, 0.1), position=(k * LENGTH, 0, 0))
        axis = (np.sin(turn), 0, np.cos(turn))
        s.revolute(parent, body, at=(k * LENGTH, 0, 0), axis=axis, name=f"joint{k + 1}").set(angle=ANGLES[k % 2])
        parent = body
    return s
