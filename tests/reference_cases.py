"""The systems of the external reference cases, and how closely double precision can follow them.

Every builder takes a `nudge`: small changes of the initial state, rotations in rad and rates relative to the initial
speed. With it the growth of perturbations is measured.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

import poinsot as po

EPS = 2.0**-52
NUDGE = 1e-7  # the square root of EPS is about the best for a difference quotient

STILL = np.zeros(6)  # no nudge of the six freedoms of a top


def load(name: str) -> dict:
    """A reference case: definition, reference values, stated tolerance."""
    return json.loads((Path(__file__).parent / "reference" / f"{name}.json").read_text())


def numbers(value) -> np.ndarray:
    """Numbers of a reference, which are often written as strings."""
    return np.array(value, float)


def stated(case: dict) -> float:
    """The tolerance stated in a case: its first number."""
    return float(case["tolerance"].split()[0])


# --- systems -----------------------------------------------------------------------------------------------------------


def free_top(case: dict, nudge=STILL) -> po.System:
    """A rigid body on which nothing acts."""
    omega = numbers(case["definition"]["omega0_body"])
    s = po.System(case["case"], gravity=None)
    body = s.body("top", mass=1.0, inertia=numbers(case["definition"]["I_principal"]))
    body.set(rotation=nudge[:3], angular_velocity_body=omega + np.linalg.norm(omega) * nudge[3:])
    return s


def pinned_top(name: str, mass, com, inertia, rotation, omega, nudge=STILL) -> po.System:
    """A heavy body on a ball at the origin; `inertia` about its centre of mass, `omega` in the body."""
    omega = numbers(omega)
    s = po.System(name, gravity=(0, 0, -9.81))
    body = s.body("top", mass=mass, com=com, inertia=inertia)
    pivot = s.spherical(s.ground, body, at=(0, 0, 0), name="pivot")
    pivot.set(rotation=[rotation, nudge[:3]], rate=omega + np.linalg.norm(omega) * nudge[3:])
    return s


def lagrange_top(name: str, about_pivot, length, theta, omega, nudge=STILL) -> po.System:
    """A symmetric top of 1 kg, its axis z leaning by theta towards x; principal inertias about the pivot."""
    com_inertia = numbers(about_pivot) - length**2 * np.array([1.0, 1.0, 0.0])
    return pinned_top(name, 1.0, (0, 0, length), com_inertia, ("y", theta), omega, nudge)


def heavy_top(case: dict, nudge=STILL) -> po.System:
    """The heavy top of Bruls, Cardona and Arnold: its axis is y."""
    d = case["definition"]
    identity = (1, 0, 0, 0)
    return pinned_top(case["case"], d["m"], d["X_COM_from_pivot"], d["J_COM"], identity, d["Omega0_body"], nudge)


def spherical_double_pendulum(case: dict) -> po.System:
    """Two bodies on balls, frames at the joints, centres of mass beside their axes."""
    d = case["definition"]
    knee = (0.15, 0.05, -0.6)
    assert str(knee).replace(" ", "") in d["joint2"]
    one, two = d["body1"], d["body2"]
    s = po.System(case["case"], gravity=d["gravity"])
    body1 = s.body("body1", mass=one["m"], inertia=one["J_COM"], com=one["COM0"])
    body2 = s.body("body2", mass=two["m"], inertia=two["J_COM"], com=two["COM_from_joint"], position=knee)
    s.spherical(s.ground, body1, at=(0, 0, 0)).set(rate=d["omega1_world"])
    s.spherical(body1, body2, at=knee).set(rate=np.subtract(d["omega2_world"], d["omega1_world"]))
    return s


def pendulum(case: dict, plane: str | None) -> po.System:
    """A point mass on a massless bar, drawn where it starts: level with the pivot."""
    d = case["definition"]
    flat = slice(0, 2 if plane else 3)
    s = po.System(case["case"], plane=plane, gravity=d["gravity"][flat])
    mass = s.body("P1", mass=d["point_mass_kg"], position=(-d["massless_bar_m"], 0, 0)[flat])
    s.revolute(s.ground, mass, at=(0, 0, 0)[flat], axis=None if plane else "z", name="pivot")
    return s


def double_pendulum(case: dict) -> po.System:
    """Two point masses in a plane, drawn hanging straight down."""
    d = case["definition"]
    (m1, m2), (l1, l2) = d["point_masses"], d["lengths"]
    first, second = np.radians(d["theta0_deg"])
    s = po.System(case["case"], plane="xy", gravity=(0, -d["g"]))
    upper = s.body("upper", mass=m1, position=(0, -l1))
    lower = s.body("lower", mass=m2, position=(0, -l1 - l2))
    s.revolute(s.ground, upper, at=(0, 0)).set(angle=first)
    s.revolute(upper, lower, at=(0, -l1)).set(angle=second - first)
    return s


# --- what double precision permits -------------------------------------------------------------------------------------

Observe = Callable[[po.Trajectory], dict[str, np.ndarray]]


def growth(build: Callable[[np.ndarray], po.System], observe: Observe, duration, step, output_step) -> dict:
    """By what factor perturbations of the initial state have grown in each observed quantity, at every output.

    Independent perturbations add up by their squares. The step may be coarse and the method cheap: two digits of the
    factor are enough.
    """

    def observed(nudge) -> dict[str, np.ndarray]:
        run = po.simulate(build(nudge), duration, step=step, output_step=output_step, integrator="dop853")
        return observe(run)

    base = observed(STILL)
    squares = dict.fromkeys(base, 0.0)
    for direction in np.eye(len(STILL)):
        for name, values in observed(NUDGE * direction).items():
            change = np.abs(values - base[name]).reshape(len(values), -1).max(axis=1) / NUDGE
            squares[name] = squares[name] + change**2
    return {name: np.sqrt(value) for name, value in squares.items()}


def rounding(steps: float, factor: float) -> float:
    """Error that double precision permits: every step rounds by EPS at random, and the problem lets this grow by `factor`."""
    return EPS * math.sqrt(steps) * factor


# --- checks ------------------------------------------------------------------------------------------------------------


def output(run: po.Trajectory, t: float) -> int:
    """Number of the output at time t."""
    k = int(np.argmin(np.abs(run.t - t)))
    assert abs(run.t[k] - t) <= 4 * EPS * max(t, 1.0), f"no output at t = {t}"
    return k


def assert_close(value, reference, tolerance: float, what: str, permitted: float = 0.0) -> None:
    """Compare with a reference: to the tolerance, relative to the largest number when that exceeds 1, or to what is permitted."""
    reference = numbers(reference)
    error = np.abs(value - reference).max()
    bound = max(tolerance * max(1.0, np.abs(reference).max()), permitted)
    assert error <= bound, f"{what}: error {error:.2e} exceeds {bound:.2e}"


def assert_clean(run: po.Trajectory) -> None:
    """No step was repaired, and what Gauss methods conserve, or nearly conserve at these steps, is kept to rounding.

    Rates round by EPS at random in every step; energies and lengths are their squares, hence the factor 2.
    """
    audit = run.audit
    assert audit.conservative
    assert (audit.halvings, audit.rejections, audit.corrections, audit.stopped) == (0, 0, 0, None)
    bound = 2 * EPS * math.sqrt(audit.steps)
    assert audit.energy_drift <= bound * audit.energy_scale
    if audit.unit_length is not None:
        assert audit.unit_length <= bound
