"""Linear quadratic regulation about an equilibrium of an open system with scalar coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from poinsot.control.gains import gain_matrix, positive_definite
from poinsot.errors import ModelError
from poinsot.model.feedback import Feedback
from poinsot.model.forces import Motor
from poinsot.model.guard import TEXT, door, instance
from poinsot.model.joint import Helical
from poinsot.model.system import System
from poinsot.model.words import short_repr

STEP = 1e-3  # rad, m, rad/s, m/s: of the differences, of sixth order
BALANCED = 1e-7  # of the largest acceleration per effort: an equilibrium has less acceleration left
SYSTEM = instance(System, "a System")


class Linear(NamedTuple):
    """Linear equations x' = A x + B u about an equilibrium, x = (coordinates, rates) less those of it, u efforts less `effort`.

    Attributes
    ----------
    A : (2 n, 2 n) of n joint coordinates, then their rates
    B : (2 n, inputs)
    names : of the coordinates, joint after joint
    coordinates : (n,) at the equilibrium, rad or m
    effort : (inputs,) that hold it there, N m or N
    """

    A: np.ndarray
    B: np.ndarray
    names: list[str]
    coordinates: np.ndarray
    effort: np.ndarray


def regulator_law(t, x, p, u):
    """u = u0 - K (x - x0)."""
    for i in range(p.K.shape[0]):
        u[i] = p.u0[i]
        for k in range(p.K.shape[1]):
            u[i] -= p.K[i, k] * (x[k] - p.x0[k])


def regulator_lyapunov(t: float, x: Any, p: Any) -> float:
    """V = (x - x0)' P (x - x0), of the linear system."""
    away = np.asarray(x) - p.x0
    return float(away @ p.P @ away)


@door(system=SYSTEM)
def linearise(system: System, inputs: Sequence[Motor], state: Any = None) -> Linear:
    """Linearise an open system about an equilibrium at rest. The derivatives are differences of sixth order over 3e-3 rad or m on either side.

    Parameters
    ----------
    system : an open system whose joints turn or slide
    inputs : motors without a law, N m or N
    state : the equilibrium, joint coordinates by joint, {"pole": 0.0} (rad, m); default: the initial values

    Returns
    -------
    linear : `A` and `B` of x' = A x + B u, `names`, `coordinates` and the `effort` at the equilibrium
    """
    from poinsot.analysis.dynamics import dynamics

    for motor in inputs:
        if not isinstance(motor, Motor) or motor.system is not system or motor.law is not None:
            raise ModelError(f"linearise: inputs must be motors of system '{system.name}' without a law, not {short_repr(motor)}")
    copy = system.copy()
    if any(not isinstance(motion, Helical) for joint in copy.joints for motion in joint.motions()):
        raise ModelError("linearise: works on open systems whose joints turn or slide; others have no coordinates to linearise in")
    free = [motor for motor in inputs if not system.is_input(motor)]
    if free:
        copy.add(Feedback(_idle, [copy[motor.name] for motor in free], [], name="idle inputs"))
    for name, value in (state or {}).items():
        joint = system[name]
        copy[name].set(**{joint.names[0]: value})
    d = dynamics(copy)
    q = np.array(d.state().coordinates, float)
    n = len(q)
    names = [f"{joint.name}.{stem}" for joint in copy.joints for stem in joint.names]
    places = [names.index(f"{m.joint.name}.{m.joint.names[m.motions()[0]]}") for m in inputs]

    def acceleration(z: np.ndarray, effort: Any = None) -> np.ndarray:
        return np.array(d.acceleration(d.state(q + z[:n], z[n:]), effort))

    unit = np.eye(2 * n)
    weights = np.array([-1, 9, -45, 45, -9, 1]) / (60.0 * STEP)
    at = np.array([-3, -2, -1, 1, 2, 3]) * STEP
    lower = np.array([sum(w * acceleration(h * unit[k]) for w, h in zip(weights, at)) for k in range(2 * n)]).T
    none = np.zeros(2 * n)
    still = acceleration(none, np.zeros(n))
    response = np.array([acceleration(none, np.eye(n)[k]) - still for k in places]).T
    start = acceleration(none)
    effort = -np.linalg.lstsq(response, start, rcond=None)[0]
    left = start + response @ effort
    if np.abs(left).max(initial=0.0) > BALANCED * max(1.0, np.abs(start).max(initial=0.0)):
        worst = names[int(np.argmax(np.abs(left)))]
        raise ModelError(
            f"linearise: the state is not an equilibrium: no efforts of the inputs hold {worst}, which accelerates by {np.abs(left).max():.3g}"
        )
    A = np.block([[np.zeros((n, n)), np.eye(n)], [lower]])
    return Linear(A, np.vstack([np.zeros_like(response), response]), names, q, effort)


def _idle(t, x, p, u):
    """No effort."""


@door(system=SYSTEM, name=TEXT)
def lqr(
    system: System, inputs: Sequence[Motor], Q: Any, R: Any, *, state: Any = None, limits: Any = None, period: Any = None, name: str = "lqr"
) -> Feedback:
    """The regulator u = u0 - K (x - x0) that minimises the integral of x' Q x + u' R u of the system linearised about a state.

    x are all joint coordinates (rad, m), then all joint rates. V = x' P x is a Lyapunov function of the linear system, and near the state
    of the system itself.

    Parameters
    ----------
    system : an open system whose joints turn or slide
    inputs : motors without a law; their efforts are u, N m or N
    Q, R : weights of x and of u, in units that make the sum meaningful: numbers, diagonals or positive definite matrices (Q may be singular)
    state : the equilibrium, joint coordinates by joint, {"pole": 0.0} (rad, m); default: the initial values
    limits : of the efforts, N m or N: a number (-limit to limit), or for each a number or a pair
    period : s, of a sampled law; None: continuous
    name : of the feedback
    """
    from scipy.linalg import LinAlgError, solve_continuous_are

    linear = linearise(system, inputs, state)
    n, m = linear.B.shape
    weights = gain_matrix(Q, n, f"{name}: Q")
    if not np.allclose(weights, weights.T) or np.linalg.eigvalsh(weights)[0] < -1e-12 * np.abs(weights).max():
        raise ModelError(f"{name}: Q must be symmetric and have no negative eigenvalue")
    cost = positive_definite(gain_matrix(R, m, f"{name}: R"), f"{name}: R")
    try:
        P = solve_continuous_are(linear.A, linear.B, weights, cost)
    except (LinAlgError, ValueError) as error:
        raise ModelError(f"{name}: the inputs cannot stabilise the system there, or Q does not see what must be stabilised ({error})") from None
    K = np.linalg.solve(cost, linear.B.T @ P)
    params = {"K": K, "x0": [*linear.coordinates, *np.zeros(n // 2)], "u0": linear.effort, "P": P}
    outputs = [*linear.names, *(f"{joint.name}.{rate}" for joint in system.joints for rate in joint.rate_names)]
    made = Feedback(regulator_law, list(inputs), outputs, params, period=period, limits=limits, lyapunov=regulator_lyapunov, name=name)
    return system.add(made)
