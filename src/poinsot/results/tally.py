"""Conserved quantities of a run and their largest deviations, gathered block by block from its outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import RunError
from poinsot.formulations.attitudes import QUATERNIONS
from poinsot.formulations.contract import BODY_MOTION
from poinsot.layout.freeze import Frozen
from poinsot.model.joint import Ball, Joint
from poinsot.model.load import Load
from poinsot.model.rotation import matrices

if TYPE_CHECKING:
    from poinsot.results.impulses import Jump
    from poinsot.results.record import Record
    from poinsot.results.trajectory import Samples, Trajectory


class Tally:
    """Largest deviations so far. `add` takes the outputs of a run in order, in blocks of any size."""

    def __init__(self, run: Samples, record: Record | None = None):
        frozen = run.frozen
        self.record = getattr(run, "record", record)
        spatial = frozen.alike.system.plane is None
        self.frozen = frozen
        self.multipliers = run.formulation.multipliers
        self.afloat = _afloat(frozen)
        self.pivot = _pivot(frozen) if spatial and not self.afloat else None
        self.attitudes = run.formulation.attitudes
        self.momenta = self.afloat and spatial
        self.first: dict[str, Any] = {}
        self.most = {"energy": 0.0, "momentum": 0.0, "angular": 0.0, "unit": 0.0, "forbidden": 0.0}
        self.kinetic, self.low, self.high = 0.0, np.inf, -np.inf

    def add(self, part: Samples) -> None:
        """Add further outputs."""
        self._keep("energy", part.energy, part.work)
        self.kinetic = max(self.kinetic, float(part.kinetic.max()))
        self.low, self.high = min(self.low, float(part.potential.min())), max(self.high, float(part.potential.max()))
        if self.momenta:
            masses = self.frozen.layout.bodies["mass"][1:]
            begin = self.first.setdefault("t", part.t[0])
            impulse = masses.sum() * np.outer(part.t - begin, self.frozen.layout.values[:3])
            self._keep("momentum", part.momentum, impulse + self._given(part.t, lambda jump: jump.momentum))
            own = part.angular_momentum - np.cross(common_com(part), part.momentum)
            self._keep("angular", own, self._given(part.t, lambda jump: _about(jump, jump.centre)))
        elif self.pivot is not None:
            about = part.angular_momentum - np.cross(self.pivot, part.momentum)
            g = self.frozen.layout.values[:3]
            given = self._given(part.t, lambda jump: _about(jump, self.pivot))
            down = g / np.linalg.norm(g) if g.any() else None
            self._keep("angular", *((about, given) if down is None else (about @ down, given @ down)))
        if self.attitudes is not None and self.attitudes.free:
            self._most("unit", self.attitudes.deviations(np.asarray(part.raw)))
        if self.multipliers:
            self._most("forbidden", np.abs(part.kinetic - _allowed(part)))

    def _given(self, t: np.ndarray, of: Callable[[Jump], np.ndarray]) -> np.ndarray:
        """What the impulses of the run gave until these times, (n, 3)."""
        total = np.zeros((len(t), 3))
        for jump in self.record.impulses if self.record is not None else ():
            total[t >= jump.t] += of(jump)
        return total

    def _keep(self, name: str, value: np.ndarray, given: np.ndarray | float = 0.0) -> None:
        """Largest change of a value since the first output, less what was supplied to it."""
        given = np.broadcast_to(given, value.shape)
        begin, before = self.first.setdefault(name, (value[0], given[0]))
        self._most(name, np.abs(value - begin - (given - before)))

    def _most(self, name: str, values: np.ndarray) -> None:
        self.most[name] = float(np.maximum(self.most[name], values.max(initial=0.0)))  # propagates NaN

    def numbers(self) -> dict[str, Any]:
        """Results for the audit's lines about conservation."""
        scale = self.kinetic + self.high - self.low
        if not np.isfinite([scale, *self.most.values()]).all():
            name = self.frozen.alike.system.name
            raise RunError(f"system '{name}': its energies or momenta are too large to be audited; look for values of the wrong size or unit")
        begin, free = self.first["energy"], self.attitudes is not None and self.attitudes.free
        return {
            "energy_start": float(begin[0]),
            "energy_drift": self.most["energy"],
            "energy_scale": scale,
            "momentum_drift": self.most["momentum"] if self.momenta else None,
            "angular_momentum_drift": self.most["angular"] if self.momenta or self.pivot is not None else None,
            "unit_length": self.most["unit"] if free else None,
            "unit_length_of": self.attitudes.kind if self.attitudes is not None else QUATERNIONS,
            "forbidden": (self.most["forbidden"] / scale if scale > 0 else 0.0) if self.multipliers else None,
        }


def tally_run(run: Trajectory) -> Tally:
    """The tally of all outputs of a run."""
    tally = Tally(run)
    for part in run.blocks():
        tally.add(part)
    return tally


def _about(jump: Jump, point: Any) -> np.ndarray:
    """Angular momentum that an impulse gives about a point, N m s."""
    return jump.angular_momentum - np.cross(point, jump.momentum)


def _allowed(part: Samples) -> np.ndarray:
    """Kinetic energy of the velocities that the joints allow, at every output, J."""
    bodies = part.frozen.layout.bodies
    n, count = len(bodies), len(part.t)
    row = part.motion[:, : n * BODY_MOTION].reshape(count, n, BODY_MOTION)
    turn, spin = matrices(row[..., 3:7].reshape(-1, 4)).reshape(count, n, 3, 3), row[..., 10:13]
    velocity = row[..., 7:10] + np.cross(spin, np.einsum("tbij,bj->tbi", turn, bodies["com"]))
    local = np.einsum("tbji,tbj->tbi", turn, spin)
    inertia = bodies["inertia"][:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
    moving = np.einsum("b,tbi,tbi->t", bodies["mass"], velocity, velocity)
    return 0.5 * (moving + np.einsum("tbi,bij,tbj->t", local, inertia, local))


def common_com(part: Samples) -> np.ndarray:
    """Centre of mass of all bodies at every output (n, 3), m."""
    masses = part.frozen.layout.bodies["mass"][1:]
    coms = np.stack([part[body].com for body in part.frozen.alike.system.bodies])
    return np.einsum("b,bti->ti", masses, coms) / masses.sum()


def _external(load: Load) -> bool:
    """Whether a load acts on the system from outside."""
    touched = [*load.bodies(), *(b for joint in load.joints() for b in (joint.first, joint.second))]
    return not load.mutual or any(body.name == "ground" for body in touched)


def _pushed(frozen: Frozen) -> bool:
    """Whether loads or drives act on the system from outside, gravity aside."""
    system = frozen.alike.system
    driven = [coordinate.owner for drive in system.drives for coordinate in drive.inputs]
    inner = [isinstance(owner, Joint) and "ground" not in (owner.first.name, owner.second.name) for owner in driven]
    return not all(inner) or any(_external(load) for load in system.loads)


def _ground_joints(frozen: Frozen) -> list[Joint]:
    return [joint for joint in frozen.alike.joints if "ground" in (joint.first.name, joint.second.name)]


def _afloat(frozen: Frozen) -> bool:
    """Nothing but gravity acts on the system from outside, and it moves freely in space."""
    free = all(not joint.rows() for joint in _ground_joints(frozen))
    return free and not _tied(frozen) and not _pushed(frozen)


def _tied(frozen: Frozen) -> bool:
    """Whether a constraint other than a joint acts between the system and the ground."""
    ground = frozen.alike.system.ground
    return any(  # rows that users wrote may be relative to the ground
        ground in constraint.bodies() or constraint.rows()[0].members or any(ground in (joint.first, joint.second) for joint in constraint.joints())
        for constraint in frozen.alike.system.constraints
    )


def _pivot(frozen: Frozen) -> np.ndarray | None:
    """The support point of a system on a single ball joint on which only gravity acts; None for others."""
    joints = _ground_joints(frozen)
    if len(joints) != 1 or [type(motion) for motion in joints[0].motions()] != [Ball] or _tied(frozen) or _pushed(frozen):
        return None
    return np.array(joints[0].first_at if joints[0].first.name == "ground" else joints[0].second_at)
