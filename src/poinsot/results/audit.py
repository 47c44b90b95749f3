"""The audit of a run: what should have been conserved, how well it was, and at what cost. Conservation is not accuracy."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.formulations.contract import POSE
from poinsot.model import forces
from poinsot.model.joint import Joint
from poinsot.model.rotation import matrices
from poinsot.tables.records import BALL
from poinsot.tables.types import (
    CORRECTIONS,
    EVALUATIONS,
    HALVINGS,
    ITERATIONS,
    NEWTON_STEPS,
    REJECTIONS,
    RESELECTIONS,
    STEPS,
)

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory


NOTICED = 1e-4  # of the energy: forbidden motion beyond that is worth a line


@dataclass(frozen=True)
class Audit:
    """Numbers of an audit; print it for words. None: not applicable to this run.

    Attributes
    ----------
    energy_drift : largest |E - E0 - work| (J), the work being that of motors, dampers and forces; energy_scale: what to compare it with (J)
    momentum_drift : largest change of the momentum of a system free of the ground, gravity's impulse taken out (kg m/s)
    angular_momentum_drift : of such a system about its centre of mass, or of one that hangs on a single ball, about
    the vertical through it (kg m^2/s) unit_length : largest deviation of a quaternion's length from 1 error_position,
    error_rotation : estimated largest error of body positions (m) and rotations (rad); only when asked for halvings,
    rejections, corrections : steps retried at half size, rejected by error control, repaired
    constraint_metres, constraint_radians : how far any joint or constraint was open at any output; None: joint coordinates
    redundant, ambiguous : constraints that were dropped because others imply them, and whose reactions are not unique then
    reselections : how many times which of them are dropped was chosen anew, because those in use became nearly dependent
    forbidden : largest share of the energy in motion that is in velocities which the joints forbid; of runs with multipliers
    moved_metres, moved_radians : how far bodies were moved to close the loops before the run
    """

    system: str
    formulation: str
    integrator: str
    step: float | None
    start: float
    end: float
    outputs: int
    steps: int
    evaluations: int
    iterations: int
    halvings: int
    rejections: int
    corrections: int
    newton_steps: int
    seconds: float
    conservative: bool
    energy_start: float
    energy_drift: float
    energy_scale: float
    momentum_drift: float | None
    angular_momentum_drift: float | None
    unit_length: float | None
    error_position: float | None
    error_rotation: float | None
    stopped: str | None
    constraint_metres: float | None = None
    constraint_radians: float | None = None
    redundant: int = 0
    ambiguous: tuple[str, ...] = ()
    moved_metres: float = 0.0
    moved_radians: float = 0.0
    forbidden: float | None = None
    reselections: int = 0

    def to_dict(self) -> dict[str, Any]:
        """All numbers by name."""
        return asdict(self)

    def __str__(self) -> str:
        size = "adaptive steps" if self.step is None else f"steps of {self.step:g} s"
        lines = [
            f"Audit of '{self.system}': {self.start:g} to {self.end:g} s, {self.formulation} with {self.integrator}, {size}",
            f"  cost          {self.steps} steps, {self.evaluations} evaluations, {self.seconds:.3g} s"
            + (f", {self.iterations / max(self.steps, 1):.1f} iterations per step" if self.iterations else ""),
        ]
        if self.newton_steps:
            lines.append(f"  stiff         {self.newton_steps} steps by Newton's method")
        what = "energy" if self.conservative else "energy - work"
        relative = self.energy_drift / self.energy_scale if self.energy_scale > 0 else 0.0
        lines.append(
            f"  {what:13} kept to {self.energy_drift:.2g} J, {relative:.2g} of the energy in motion ({self.energy_scale:.3g} J)"
        )
        if self.momentum_drift is not None:
            lines.append(f"  momentum      kept to {self.momentum_drift:.2g} kg m/s")
        if self.angular_momentum_drift is not None:
            lines.append(f"  ang. momentum kept to {self.angular_momentum_drift:.2g} kg m^2/s")
        if self.unit_length is not None:
            lines.append(f"  quaternions   unit length kept to {self.unit_length:.2g}, without normalising")
        if self.constraint_metres is None:
            lines.append("  joints        exact: the coordinates are the joints'")
        else:
            lines.append(
                f"  joints        closed to {self.constraint_metres:.2g} m and {self.constraint_radians:.2g} rad"
            )
        if self.forbidden is not None and self.forbidden > NOTICED:
            lines.append(
                f"  forbidden     {self.forbidden:.1g} of the energy in motion is in velocities that the joints forbid: take smaller steps"
            )
        if self.redundant:
            names = ", ".join(self.ambiguous[:6]) + (", ..." if len(self.ambiguous) > 6 else "")
            again = f", re-selected {self.reselections} times" if self.reselections else ""
            lines.append(f"  redundant     {self.redundant} constraints dropped{again}; reactions are not unique in {names}")
        if self.moved_metres > 0 or self.moved_radians > 0:
            lines.append(
                f"  start         bodies moved by up to {self.moved_metres:.2g} m and {self.moved_radians:.2g} rad to close the loops"
            )
        repairs = [
            f"{n} {word}" for n, word in ((self.halvings, "halved steps"), (self.rejections, "rejected steps")) if n
        ]
        lines.append(f"  repairs       {', '.join([*repairs, f'{self.corrections} corrections'])}")
        if self.error_position is None:
            lines.append("  accuracy      not estimated (estimate_error=True does; conservation is not accuracy)")
        else:
            lines.append(
                f"  accuracy      positions to {self.error_position:.2g} m, rotations to {self.error_rotation:.2g} rad (estimated)"
            )
        if self.stopped:
            lines.append(f"  stopped       {self.stopped}")
        return "\n".join(lines)


def audit(run: Trajectory) -> Audit:
    """Audit a run from its outputs and counters."""
    record, counters = run.record, run.record.counters
    drift = np.abs(run.energy - run.energy[0] - (run.work - run.work[0])).max()
    scale = float(run.kinetic.max() + np.ptp(run.potential))
    return Audit(
        system=run.frozen.system.name,
        formulation=run.formulation.name,
        integrator=record.integrator,
        step=record.step,
        start=float(run.t[0]),
        end=float(run.t[-1]),
        outputs=len(run.t),
        steps=int(counters[STEPS]),
        evaluations=int(counters[EVALUATIONS]),
        iterations=int(counters[ITERATIONS]),
        halvings=int(counters[HALVINGS]),
        rejections=int(counters[REJECTIONS]),
        corrections=int(counters[CORRECTIONS]),
        newton_steps=int(counters[NEWTON_STEPS]),
        seconds=record.seconds,
        conservative=_conservative(run),
        energy_start=float(run.energy[0]),
        energy_drift=float(drift),
        energy_scale=scale,
        momentum_drift=_momentum_drift(run),
        angular_momentum_drift=_angular_drift(run),
        unit_length=_unit_length(run),
        error_position=record.error_position,
        error_rotation=record.error_rotation,
        stopped=record.stopped,
        **_closed(run),
    )


def _closed(run: Trajectory) -> dict[str, Any]:
    """How well the joints held, and what was done at the start, of a run with multipliers."""
    if run.formulation.complete is None:
        return {}
    from poinsot.analysis.constraints import drift

    metres, radians = drift(run.frozen, run.motion)
    start = run.record.start
    moved = start.assembly.largest_movement if start and start.assembly else (0.0, 0.0)
    return {
        "constraint_metres": metres,
        "constraint_radians": radians,
        "redundant": len(start.dropped) if start else 0,
        "reselections": int(run.record.counters[RESELECTIONS]),
        "ambiguous": tuple(run.ambiguous),
        "moved_metres": moved[0],
        "moved_radians": moved[1],
        "forbidden": _forbidden(run),
    }


def _forbidden(run: Trajectory) -> float:
    """Energy of the state beyond that of the velocities that the joints allow, relative to the energy in motion."""
    bodies = run.frozen.layout.bodies
    n, six = len(bodies), bodies["inertia"]
    row = run.motion[:, : n * POSE].reshape(len(run.t), n, POSE)
    turn, spin = matrices(row[..., 3:7].reshape(-1, 4)).reshape(len(run.t), n, 3, 3), row[..., 10:13]
    velocity = row[..., 7:10] + np.cross(spin, np.einsum("tbij,bj->tbi", turn, bodies["com"]))
    local = np.einsum("tbji,tbj->tbi", turn, spin)
    inertia = six[:, [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
    own = np.einsum("b,tbi,tbi->t", bodies["mass"], velocity, velocity) + np.einsum(
        "tbi,bij,tbj->t", local, inertia, local
    )
    scale = float(run.kinetic.max() + np.ptp(run.potential))
    return float(np.abs(run.kinetic - 0.5 * own).max() / scale) if scale > 0 else 0.0


def _conservative(run: Trajectory) -> bool:
    system = run.frozen.system
    still = all(load.conservative and getattr(load, "damping", 0.0) == 0 for load in system.loads)
    return still and not system.drives


def _external(load: forces.Load) -> bool:
    """Whether a load acts on the system from outside."""
    inner = isinstance(load, forces.JointLoad | forces.Spring)
    touched = [*load.bodies(), *(b for joint in load.joints() for b in (joint.first, joint.second))]
    return not inner or any(body.name == "ground" for body in touched)


def _pushed(run: Trajectory) -> bool:
    """Whether loads or drives act on the system from outside, gravity aside."""
    system = run.frozen.system
    driven = [coordinate.owner for drive in system.drives for coordinate in drive.inputs]
    inner = [isinstance(owner, Joint) and "ground" not in (owner.first.name, owner.second.name) for owner in driven]
    return not all(inner) or any(_external(load) for load in system.loads)


def _ground_joints(run: Trajectory) -> list:
    return [joint for joint in run.frozen.joints if "ground" in (joint.first.name, joint.second.name)]


def _afloat(run: Trajectory) -> bool:
    """Nothing but gravity acts on the system from outside, and it moves freely in space."""
    free = all(joint.kind == "free" for joint in _ground_joints(run))
    return free and not _pushed(run)


def _masses(run: Trajectory) -> tuple[np.ndarray, np.ndarray]:
    """Masses of the bodies, and where their common centre of mass is at every output (n, 3)."""
    masses = run.frozen.layout.bodies["mass"][1:]
    coms = np.stack([run[body].com for body in run.frozen.system.bodies])
    return masses, np.einsum("b,bti->ti", masses, coms) / masses.sum()


def _momentum_drift(run: Trajectory) -> float | None:
    if not _afloat(run) or run.frozen.system.plane is not None:
        return None
    masses = run.frozen.layout.bodies["mass"][1:]
    impulse = masses.sum() * np.outer(run.t - run.t[0], run.frozen.system.gravity)
    return float(np.abs(run.momentum - run.momentum[0] - impulse).max())


def _angular_drift(run: Trajectory) -> float | None:
    system = run.frozen.system
    if system.plane is not None:
        return None
    if _afloat(run):
        _, com = _masses(run)
        own = run.angular_momentum - np.cross(com, run.momentum)
        return float(np.abs(own - own[0]).max())
    joints = _ground_joints(run)
    if len(joints) != 1 or joints[0].kind != "spherical" or _pushed(run):
        return None
    pivot = np.array(joints[0].first_at if joints[0].first.name == "ground" else joints[0].second_at)
    about = run.angular_momentum - np.cross(pivot, run.momentum)
    g = np.array(system.gravity)
    if not g.any():
        return float(np.abs(about - about[0]).max())
    along = about @ (g / np.linalg.norm(g))
    return float(np.abs(along - along[0]).max())


def _unit_length(run: Trajectory) -> float | None:
    if not run.formulation.continuous:
        return None
    motions = run.frozen.layout.motions
    balls = motions["ic"][motions["kind"] == BALL]
    if not balls.size:
        return None
    q = run.coordinates[:, balls[:, None] + np.arange(4)]
    return float(np.abs(np.linalg.norm(q, axis=-1) - 1.0).max())
