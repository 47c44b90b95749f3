"""Reduction: the equations of a system on the velocities that its constraints allow (hemami2002, "motion submanifold").

With the velocities V of all bodies, M V' = F - G' lambda and G V = r, a basis N of the velocities with G N = 0, and reduced speeds w,

    V = N w + V0,    N' M N w' = N' F,    V' = N w' + c,    G c = r' - G' V,    N' M c = N' M V0 = 0:

constraint forces do not occur, and are recovered as M V' - F. In a reduced run the basis at each configuration is the one with B' M0 N = B' M0 B,
where B and M0 are basis and mass matrix at the last output. So w = (B' M0 B)^-1 B' M0 V is linear in V, and its rate needs no derivative of N.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import null_space
from scipy.spatial.transform import Rotation

from poinsot.analysis.dynamics import AT, Dynamics
from poinsot.elements.director_scalars import POSE
from poinsot.errors import FormulationError, ModelError, RunError
from poinsot.formulations.absolute.states import configured
from poinsot.formulations.newton_euler import NAME
from poinsot.model.guard import NUMBER, NUMBERS, door, maybe, settings_door
from poinsot.model.system import SYSTEM, System
from poinsot.results.state import State
from poinsot.tables.records import own_values
from poinsot.tables.types import OK

TWIST = 6
INDEPENDENT = 1e-10  # of the largest singular value: smaller ones belong to velocities that are allowed


@dataclass
class Matrices:
    """G (rows, 6n), M (6n, 6n), a basis Z of G Z = 0, and the smallest V with G V = r, at one configuration."""

    rows: np.ndarray
    mass: np.ndarray
    basis: np.ndarray
    least: np.ndarray


class Reduction:
    """A system on the velocities that its constraints allow, at one state. Vectors of all bodies are (6 n,): for each in the order of `bodies`
    the velocity of its centre of mass and its angular velocity, or force and torque there, world axes.

    Attributes
    ----------
    bodies : names
    basis : (6 n, f) N, a column for every freedom
    speeds : (f,) w = (N' M N)^-1 N' M V
    velocities : (6 n,) of all bodies
    rows : (rows, 6 n) G, without redundant rows
    mass : (6 n, 6 n) M
    mass_matrix : (f, f) N' M N
    force : (f,) N' F, of applied and gyroscopic forces F
    acceleration : (f,) rates of the speeds w; mass_matrix acceleration = force
    accelerations : (6 n,) of all bodies
    constraint_forces : (6 n,) on all bodies, M V' - F: unique, also where redundant constraints share them
    """

    def __init__(self, system: System, state: State | None = None, basis: Any = None):
        self._dynamics = Dynamics(system, NAME)
        self.frozen = self._dynamics.frozen
        if self.frozen.system.drives:
            drive = self.frozen.system.drives[0]
            raise FormulationError(f"{drive.label()} prescribes accelerations, which a reduction does not solve for; use po.simulate(...)")
        self._layout, self._work = own_values(self.frozen.layout), np.zeros(self._dynamics.formulation.work_size)
        start = self._dynamics.state() if state is None else self._dynamics.state(state.coordinates, state.rates, state.t)
        self._used = np.unique(self._layout.terms["row"])
        self.t = start.t
        self.bodies = [body.name for body in self.frozen.system.bodies]
        self._y, twists = configured(self.frozen, start.coordinates, start.rates)
        at = self._matrices(self.t, self._y)
        given = at.basis if basis is None else self._given(basis, at)
        self._refer(given, at.mass)
        self.velocities = twists[1:].ravel()
        self.rows, self.mass, self.basis = at.rows, at.mass, self._continued(at)
        self.speeds = self._pairing @ self.velocities
        self.accelerations, forces = self._accelerations(self.t, self._y, self.velocities, at)
        self.mass_matrix = self.basis.T @ self.mass @ self.basis
        self.force = self.basis.T @ forces
        self.acceleration = self._pairing @ self.accelerations
        self.constraint_forces = self.mass @ self.accelerations - forces

    @property
    def freedoms(self) -> int:
        """How many independent velocities there are."""
        return self.basis.shape[1]

    def __repr__(self) -> str:
        return f"Reduction('{self.frozen.system.name}': {6 * len(self.bodies)} velocities of bodies, {len(self.rows)} rows, {self.freedoms} freedoms)"

    def _given(self, basis: Any, at: Matrices) -> np.ndarray:
        """A basis that the user gave, if it is one."""
        B = np.asarray(basis, float)
        B = B[:, None] if B.ndim == 1 else B
        if B.shape != at.basis.shape:
            raise ModelError(f"basis must be of shape {at.basis.shape}, a column for every freedom, not {B.shape}")
        if not np.all(np.isfinite(B)) or np.linalg.matrix_rank(B) < B.shape[1]:
            raise ModelError("basis must have finite and independent columns")
        if np.abs(at.rows @ B).max(initial=0.0) > 1e-9 * np.abs(B).max():
            raise ModelError(f"basis must consist of velocities that the constraints allow; they miss it by {np.abs(at.rows @ B).max():.3g}")
        return B

    def _refer(self, B: np.ndarray, mass: np.ndarray) -> None:
        """Measure speeds by this basis from now on."""
        self._reference = B
        self._pairing = np.linalg.solve(B.T @ mass @ B, B.T @ mass)

    def _continued(self, at: Matrices) -> np.ndarray:
        """The basis at a configuration that continues the one of reference."""
        return at.basis @ np.linalg.inv(self._pairing @ at.basis)

    def _matrices(self, t: float, y: np.ndarray) -> Matrices:
        from poinsot.analysis.reduction_kernels import rows_at_poses

        layout, n = self._layout, len(self._layout.bodies)
        count = int(layout.places[0]["n_rows"])
        matrix, right, inertias = np.zeros((count, TWIST * n)), np.zeros(count), np.zeros((n, 3, 3))
        self._must(rows_at_poses(t, y, layout, self._work, matrix.reshape(-1), right, inertias.reshape(-1)), t)
        G, right = matrix[self._used, TWIST:], right[self._used]
        mass = np.zeros((n - 1, TWIST, n - 1, TWIST))
        for b in range(n - 1):
            mass[b, :3, b, :3], mass[b, 3:, b, 3:] = layout.frames["mass"][b + 1] * np.eye(3), inertias[b + 1]
        M = mass.reshape(TWIST * (n - 1), -1)
        basis = null_space(G, INDEPENDENT)
        for k in range(basis.shape[1]):  # the largest entry of a column is positive
            basis[:, k] *= np.sign(basis[np.argmax(np.abs(basis[:, k])), k])
        return Matrices(G, M, basis, np.linalg.lstsq(G, right, rcond=INDEPENDENT)[0])

    def _accelerations(self, t: float, y: np.ndarray, V: np.ndarray, at: Matrices) -> tuple[np.ndarray, np.ndarray]:
        """V' and F."""
        from poinsot.analysis.reduction_kernels import forces_at

        layout, n = self._layout, len(self._layout.bodies)
        twists, forces, bias = np.concatenate([np.zeros(TWIST), V]), np.zeros(TWIST * n), np.zeros(int(layout.places[0]["n_rows"]))
        self._must(forces_at(t, y, twists, layout, self._work, forces, bias), t)
        F, Z = forces[TWIST:], at.basis
        c = np.linalg.lstsq(at.rows, -bias[self._used], rcond=INDEPENDENT)[0]
        return Z @ np.linalg.solve(Z.T @ at.mass @ Z, Z.T @ (F - at.mass @ c)) + c, F

    def _must(self, status: int, t: float) -> None:
        if status != OK:
            raise RunError(f"system '{self.frozen.system.name}' at t = {t:.9g} s: a user's function fails in its reduction")

    @settings_door(duration=NUMBER, output_step=NUMBER, rtol=NUMBER, atol=NUMBER)
    def run(self, duration: float, output_step: float, rtol: float = 1e-11, atol: float = 1e-12) -> ReducedRun:
        """Integrate configuration and reduced speeds from this state on, by DOP853 of SciPy with these tolerances: for comparison with full runs.

        Constraints on velocities hold exactly, those on positions as well as the tolerances allow.
        """
        outputs = round(duration / output_step)
        if not outputs > 0 or not abs(outputs * output_step - duration) < 1e-9 * duration:
            raise ModelError("duration must be a positive multiple of output_step")
        n, configuration, w = len(self.bodies), self._y.copy(), self.speeds.copy()
        first, angles = int(self._layout.places[0]["angles"]), int(self._layout.places[0]["n_angles"])
        D = configuration[POSE : POSE * (n + 1)].reshape(n, POSE)
        quaternions = Rotation.from_matrix(D[:, 3:].reshape(n, 3, 3)).as_quat()
        z = np.concatenate([D[:, :3].ravel(), quaternions.ravel(), w])
        times, found, speeds = self.t + output_step * np.arange(outputs + 1), [z[: 7 * n]], [w]
        near = configuration[first : first + angles].copy()

        def placed(z: np.ndarray) -> np.ndarray:
            y = configuration.copy()
            y[first : first + angles] = near
            poses = y[POSE : POSE * (n + 1)].reshape(n, POSE)
            poses[:, :3] = z[: 3 * n].reshape(n, 3)
            poses[:, 3:] = Rotation.from_quat(z[3 * n : 7 * n].reshape(n, 4)).as_matrix().reshape(n, 9)
            return y

        def velocities(t: float, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, Matrices]:
            y = placed(z)
            at = self._matrices(t, y)
            return y, at.least + self._continued(at) @ (z[7 * n :] - self._pairing @ at.least), at

        def rate(t: float, z: np.ndarray) -> np.ndarray:
            y, V, at = velocities(t, z)
            twists = V.reshape(n, TWIST)
            q = z[3 * n : 7 * n].reshape(n, 4)
            turned = 0.5 * np.concatenate(
                [twists[:, 3:] * q[:, 3:] + np.cross(twists[:, 3:], q[:, :3]), -np.sum(twists[:, 3:] * q[:, :3], axis=1, keepdims=True)], axis=1
            )
            return np.concatenate([twists[:, :3].ravel(), turned.ravel(), self._pairing @ self._accelerations(t, y, V, at)[0]])

        reference = self._reference, self._pairing
        try:
            for k in range(outputs):
                solved = solve_ivp(rate, (times[k], times[k + 1]), z, "DOP853", rtol=rtol, atol=atol)
                if not solved.success:
                    raise RunError(f"system '{self.frozen.system.name}': its reduced equations cannot be integrated beyond t = {solved.t[-1]:.6g} s")
                z = solved.y[:, -1]
                q = z[3 * n : 7 * n].reshape(n, 4)
                z[3 * n : 7 * n] = (q / np.linalg.norm(q, axis=1, keepdims=True)).ravel()
                y, V, at = velocities(times[k + 1], z)
                near = y[first : first + angles].copy()
                found.append(z[: 7 * n].copy())
                speeds.append(z[7 * n :].copy())
                self._refer(self._continued(at), at.mass)
        finally:
            self._reference, self._pairing = reference
        return ReducedRun(self, times, np.array(found), np.array(speeds))


class ReducedRun:
    """A reduced run: times t (k,), speeds (k, f), and by body `position(name)` (k, 3) of its origin and `rotation(name)` (k, 3, 3), body to world.

    The basis is carried along, so that a column continues itself.
    """

    def __init__(self, reduction: Reduction, t: np.ndarray, poses: np.ndarray, speeds: np.ndarray):
        n = len(reduction.bodies)
        self.reduction, self.t, self.speeds = reduction, t, speeds
        frames = reduction.frozen.layout.frames[1:]
        D = Rotation.from_quat(poses[:, 3 * n :].reshape(-1, 4)).as_matrix().reshape(len(t), n, 3, 3)
        self._rotations = D @ np.swapaxes(frames["axes"], 1, 2)
        self._positions = poses[:, : 3 * n].reshape(len(t), n, 3) + np.einsum("tbij,bj->tbi", D, frames["origin"])

    def _index(self, body: Any) -> int:
        name = getattr(body, "name", body)
        if name not in self.reduction.bodies:
            raise ModelError(f"this reduction has no body {name!r}; it has {', '.join(self.reduction.bodies)}")
        return self.reduction.bodies.index(name)

    def position(self, body: Any) -> np.ndarray:
        """Origin of a body in the world, m."""
        return self._positions[:, self._index(body)]

    def rotation(self, body: Any) -> np.ndarray:
        """Attitude of a body, (k, 3, 3), body to world."""
        return self._rotations[:, self._index(body)]

    def difference(self, run: Any) -> tuple[float, float]:
        """Largest difference from a full run with the same outputs: of positions (m) and of entries of rotation matrices."""
        if len(run.t) != len(self.t) or np.abs(run.t - self.t).max() > 1e-9 * max(1.0, abs(self.t[-1])):
            raise ModelError("the runs have different outputs: give both the same output_step and duration")
        views = [run[name] for name in self.reduction.bodies]
        metres = max(np.abs(view.world(np.zeros(3)) - self.position(name)).max() for name, view in zip(self.reduction.bodies, views))
        return float(metres), float(max(np.abs(v.rotation - self.rotation(name)).max() for name, v in zip(self.reduction.bodies, views)))


@door(system=SYSTEM, state=AT, basis=maybe(NUMBERS))
def reduce(system: System, state: State | None = None, basis: Any = None) -> Reduction:
    """The equations of a system on the velocities that its constraints allow, at a state (default: the initial one).

    Parameters
    ----------
    state : default: the initial one
    basis : (6 n, f) velocities of all bodies that the constraints allow, by which the reduced speeds are measured: of each body in turn the
        velocity of its centre of mass (m/s) and its angular velocity (rad/s), world axes, one column per speed; default: an orthonormal one

    Returns
    -------
    reduction : a Reduction: `basis`, `speeds`, `mass_matrix`, `force`, `acceleration`, `constraint_forces`, and `run(duration, output_step)`
    """
    return Reduction(system, state, basis)
