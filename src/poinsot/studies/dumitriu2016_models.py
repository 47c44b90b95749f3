"""The bars of dumitriu2016 on ball joints: double pendulum, chain, closed loop; and the known numbers of the study. SI units."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po

MASS, LENGTH, WIDTH, DEPTH = 0.108, 0.2, 0.02, 0.01  # of a bar: kg, and m along x, y and z of its frame
GRAVITY = 9.81  # m/s^2; the paper does not give it
DRAWN = (np.pi / 9, np.pi / 18)  # phi and psi at the start, rad
SPINS = ((0.5, 3.0, 1.0), (-1.0, 2.0, 0.5))  # angular velocities of the two bars in space at the start, world, rad/s
LEANING = (0.05, 0.0)  # phi and psi of the pendulum that shows the instability, rad
SEED = 1e-8  # by which the first bar of that pendulum is stretched along x at the start


@cache
def reference() -> dict[str, Any]:
    """The numbers of `dumitriu2016_reference.json`."""
    return json.loads(Path(__file__).with_name("dumitriu2016_reference.json").read_text())


def bars(angles: Sequence[float], closed: bool = False, gravity: float = GRAVITY) -> po.System:
    """Bars that hang one below the other on ball joints O, H1, H2, ...: x down, y horizontal; at rest.

    `angles` are those of the bars from x (rad); `closed` pins the far end where it starts, by the joint 'end'.
    """
    s = po.System("bars", gravity=(gravity, 0, 0))
    end, above = np.zeros(3), s.ground
    for k, angle in enumerate(angles):
        along = LENGTH * np.array([np.cos(angle), np.sin(angle), 0.0])
        shape = po.Box(LENGTH, WIDTH, DEPTH, mass=MASS)
        bar = s.body(f"bar{k + 1}", shape, position=end + 0.5 * along, rotation=("z", angle))
        s.spherical(above, bar, at=end, name=f"H{k}" if k else "O")
        end, above = end + along, bar
    if closed:
        s.spherical(above, s.ground, at=end, name="end")
    return s


def spatial_pendulum() -> po.System:
    """The double pendulum with angular velocities out of its plane."""
    s = bars(DRAWN)
    first, second = np.array(SPINS)
    s["O"].set(rate=first)
    s["H1"].set(rate=second - first)
    return s


def drawn_turn(bar: Any) -> np.ndarray:
    """Rotation of a body in the drawing, body to world (3, 3): the paper's R is that of the body times its inverse."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_quat(bar.rotation, scalar_first=True).as_matrix()
