"""The systems of uhlar2008, and their known numbers. SI units; planar systems lie in the plane xy, without gravity."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import poinsot as po

PEAK, RISE, END = 5.0, 0.25, 0.5  # of the hat-shaped torque: N m, s, s
PINS = (0.125, 0.175)  # from the centre of mass of an inner and an outer bar to its pin
STEPS_PAIRS = (0.1, 0.05, 0.025, 0.01, 0.005)  # s
STEPS_MANIPULATOR = (0.1, 0.05, 0.02, 0.01, 0.005)
STEPS_TOP = (0.02, 0.01, 0.005, 0.0025)
GUIDES = {"as printed, u' = -6.5": -6.5, "consistent, u' = +6.5": 6.5}  # names in the reference file


@cache
def reference() -> dict[str, Any]:
    """The numbers of `uhlar2008_reference.json`."""
    return json.loads(Path(__file__).with_name("uhlar2008_reference.json").read_text())


def hat(t: float) -> float:
    """The torque of fig. 4, N m."""
    if t < RISE:
        return PEAK * t / RISE
    return PEAK * (END - t) / (END - RISE) if t < END else 0.0


def mean_hat(step: float) -> Callable[[float], float]:
    """The same torque, constant over each step: its mean over the step."""

    def impulse(t: float) -> float:
        if t < RISE:
            return PEAK * t**2 / RISE / 2
        return PEAK * END / 2 - (PEAK * (END - t) ** 2 / (END - RISE) / 2 if t < END else 0.0)

    def law(t: float) -> float:
        start = math.floor(t / step) * step
        return (impulse(start + step) - impulse(start)) / step

    return law


def logo(step: float | None = None, torque: Callable[[float], float] = hat) -> po.System:
    """The letters N and M on a pin, folded and at rest: the angle of the pin is Theta - pi.

    The torque is that of a motor; with the size of the steps, it is the discrete torque of the paper instead, whose work
    over a step is the torque times the change of Theta.
    """
    s = po.System("NM logo", plane="xy", gravity=None)
    letters = [s.body(name, mass=mass, inertia=sum(e)) for name, mass, e in zip("NM", *_pair("revolute"))]
    pin = s.revolute(*letters, at=(0, -0.4), name="pin")
    s.add(po.Motor(pin, torque=torque) if step is None else discrete_torque(letters, torque, step))
    return s


def discrete_torque(bodies: Sequence[Any], torque: Callable[[float], float], step: float) -> po.UserForce:
    """The couple on two bodies that does the work of (39) over a step, from the angular velocities at its middle.

    There a body that rotates by 2 a over the step has the angular velocity tan(a) 2 / step.
    """

    def couple(t: float, x: Any, params: Any, out: Any) -> None:
        a, b = math.atan(0.5 * step * x[0, 12]), math.atan(0.5 * step * x[1, 12])
        ratio = (b - a) / math.sin(b - a) if abs(b - a) > 1e-9 else 1.0
        out[1, 5] = torque(t) * math.cos(a) * math.cos(b) * ratio
        out[0, 5] = -out[1, 5]

    return po.UserForce(couple, bodies)


def guide(u0: float, rate: float) -> po.System:
    """A carriage on a rail: the displacement of the slide is u - u0."""
    s = po.System("linear guide", plane="xy", gravity=None)
    places = ((0.0, 0.0), (0.0, u0))
    bodies = [
        s.body(name, mass=mass, inertia=sum(e), position=at)
        for name, mass, e, at in zip(("rail", "carriage"), *_pair("prismatic"), places)
    ]
    bodies[0].set(velocity=(4, 1), angular_velocity=math.pi / 2)
    s.prismatic(*bodies, axis="y", at=places[1], name="slide").set(rate=rate)
    return s


def _pair(case: str) -> tuple[list[float], list[list[float]]]:
    known = reference()[f"{case} pair"]["definition"]
    return known["M"], known["E"]


def path_angle(t: float) -> tuple[float, float, float]:
    """s(t) of (79) to (81), with its first two derivatives; at rest before 0 and after 3 s."""
    if t <= 0.0 or t >= 3.0:
        return (0.0 if t <= 0.0 else 2 * math.pi), 0.0, 0.0
    x = t if t < 1.0 else 0.0 if t < 2.0 else t - 2.0
    s = x**6 * (21 + x * (-60 + x * (67.5 + x * (-35 + 7 * x))))
    ds = x**5 * (126 + x * (-420 + x * (540 + x * (-315 + 70 * x))))
    dds = x**4 * (630 + x * (-2520 + x * (3780 + x * (-2520 + 630 * x))))
    if t < 1.0:
        return math.pi * s, math.pi * ds, math.pi * dds
    return math.pi * (t - 0.5 - s), math.pi * (1.0 - ds), -math.pi * dds


def figure_eight(start: Sequence[float]) -> po.Signal:
    """The target of the platform: x and y (m) of (78), and no rotation."""

    def place(t: float) -> tuple[float, float, float]:
        s = path_angle(t)[0]
        return start[0] + math.sin(s) / 12, start[1] + math.sin(2 * s) / 16, 0.0

    def rate(t: float) -> tuple[float, float, float]:
        s, ds, _ = path_angle(t)
        return math.cos(s) * ds / 12, math.cos(2 * s) * ds / 8, 0.0

    def acceleration(t: float) -> tuple[float, float, float]:
        s, ds, dds = path_angle(t)
        x = (math.cos(s) * dds - math.sin(s) * ds**2) / 12
        return x, (math.cos(2 * s) * dds - 2 * math.sin(2 * s) * ds**2) / 8, 0.0

    return po.Signal(place, rate, acceleration)


def manipulator(
    pins: tuple[float, float] = PINS,
    torques: Sequence[Callable[[float], float]] | None = None,
    step: float | None = None,
) -> po.System:
    """The RPR manipulator, free to move: body 8 carries three legs of two bars each, which carry body 7.

    Its platform follows the figure 8 by motors at the pins of body 8; with `torques` (N m) the motors have these laws
    instead, or, with the size of the steps, the pins the paper's discrete torques.
    """
    known = reference()["manipulator"]["definition"]
    mass, inertia = known["masses"], [sum(e) for e in known["E"]]
    s = po.System("RPR manipulator", plane="xy", gravity=None)
    low = np.array(known["base_triangle_vertices_rel_COM"]) + known["phi8_0"]
    high = np.array(known["platform_vertices_rel_COM"]) + known["phi7_0"]
    along = [np.array((math.cos(a), math.sin(a))) for a in known["Theta0_rad_slide_axis_d1"]]
    base = s.body("body8", mass=mass[7], inertia=inertia[7], position=known["phi8_0"])
    platform = s.body("body7", mass=mass[6], inertia=inertia[6], position=known["phi7_0"])
    motors = []
    for j, n in enumerate(along):
        place = low[j] + pins[0] * n, high[j] - pins[1] * n
        inner, outer = (
            s.body(f"body{j + 1 + 3 * k}", mass=mass[j + 3 * k], inertia=inertia[j + 3 * k], position=place[k])
            for k in (0, 1)
        )
        hip = s.revolute(base, inner, at=low[j], name=f"hip{j + 1}")
        s.prismatic(inner, outer, at=place[1], axis=n, name=f"slide{j + 1}")
        s.revolute(outer, platform, at=high[j], name=f"ankle{j + 1}")
        law = None if torques is None else torques[j]
        if law is not None and step is not None:
            s.add(discrete_torque((base, inner), law, step))
        else:
            motors.append(s.add(po.Motor(hip, torque=law, name=f"motor{j + 1}")))
    if torques is None:
        target = figure_eight(known["phi7_0"])
        s.add(po.Servo([platform.x, platform.y, platform.angle], target=target, inputs=motors, name="servo"))
    return s


def top() -> po.System:
    """The heavy top in space."""
    known = reference()["heavy top"]["definition"]
    s = po.System("heavy top", gravity=(0, 0, -known["g"]))
    com = (0, 0, known["pivot_to_COM_along_d3_m"])
    body = s.body("top", mass=known["M"], com=com, inertia=known["J_COM"])
    tilt = math.pi / 3
    vertical = (0.0, math.sin(tilt), math.cos(tilt))  # e3 in the axes of the body
    spin = [2 * vertical[0], 2 * vertical[1], 2 * vertical[2] + 15]
    s.spherical(s.ground, body, at=(0, 0, 0), name="foot").set(rotation=("x", tilt), rate=spin)
    return s


def spatial_loop() -> po.System:
    """A closed loop in space of a revolute, a universal, a spherical and a cylindrical pair, released with a rotating crank."""
    s = po.System("spatial loop", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.03, mass=1.0), between=((0, 0, 0), (0, 0, 0.4)))
    rod = s.body("rod", po.Rod(radius=0.02, mass=1.5), between=((0, 0, 0.4), (1.2, 0.5, 0.3)))
    slider = s.body("slider", po.Box(0.2, 0.15, 0.1, mass=2.0), position=(1.3, 0.5, 0.3))
    s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="crank pin").set(rate=3.0)
    s.universal(crank, rod, at=(0, 0, 0.4), axis="y", axis2="z", name="cross")
    s.spherical(rod, slider, at=(1.2, 0.5, 0.3), name="ball")
    s.cylindrical(s.ground, slider, at=(1.3, 0.5, 0.3), axis="x", name="guide")
    return s
