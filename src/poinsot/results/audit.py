"""The audit of a run: what should be conserved, how well it was, and at what cost. Conservation is not accuracy."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.layout.loads import GRAVITY
from poinsot.layout.plane import out_of_plane
from poinsot.results.feedback_view import lyapunov_verdicts
from poinsot.results.listing import html_table
from poinsot.results.tally import Tally, tally_run
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


NOTICED = 1e-4  # of energy_scale: more energy in forbidden velocities is reported


@dataclass(frozen=True, repr=False)
class Audit:
    """Numbers of an audit; print it to read it. None: not applicable to this run.

    Attributes
    ----------
    energy_drift : largest |E - E0 - work| (J), with the work of motors, dampers and forces
    energy_scale : largest kinetic energy plus range of the potential energy (J), to compare it with
    momentum_drift : largest change of the momentum of a system not connected to the ground, less the impulse of gravity (kg m/s)
    angular_momentum_drift : of such a system about its centre of mass, or of one supported by a single ball joint, about
        the vertical through it (kg m^2/s)
    unit_length : largest deviation of a quaternion's length from 1, or of an attitude's where a formulation has attitudes as unknowns
    error_position, error_rotation : estimated largest error of body positions (m) and rotations (rad); only on request
    accuracy, chosen : what `accuracy=` asked for, m and rad, and what it chose, in words
    halvings, rejections, corrections : steps retried at half size, rejected by error control, repaired
    constraint_metres, constraint_radians : largest gap of any joint or constraint at any output; None: joint coordinates
    redundant, ambiguous : number of redundant constraints that were dropped, and names of elements whose reactions are not unique
    reselections : how many times the choice of dropped constraints was renewed, because those in use became nearly dependent
    forbidden : largest kinetic energy of velocities that the joints do not allow, relative to energy_scale; of runs with multipliers
    contacts, first_contact : how often coordinates passed the limits of stops, and when they did first, s
    impulses, impulse_energy : how many events happened, and the kinetic energy lost in them (J; negative: gained); it is part of the balance
    waiting : names of events that did not happen
    moved_metres, moved_radians : how far bodies were moved to close the loops before the run
    lanes : in how many lanes of a core it was computed (`poinsot.algebra.lanes`); 0: none
    kernels : "in the plane" where planar kernels ran, or "in space" and why, though all joints move parallel to one plane; empty for other systems
    lyapunov : for every Lyapunov function of a feedback whether it fell monotonically, in words
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
    lyapunov: tuple[str, ...] = ()
    impulses: int = 0
    impulse_energy: float = 0.0
    waiting: tuple[str, ...] = ()
    unit_length_of: str = "quaternions"
    accuracy: float | None = None
    chosen: str = ""
    lanes: int = 0
    kernels: str = ""
    contacts: int = 0
    first_contact: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """All numbers by name."""
        return asdict(self)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        first, *lines = str(self).split("\n")
        return html_table(("", ""), [(line[2:16].strip(), line[16:]) for line in lines], first)

    def __str__(self) -> str:
        size = "adaptive steps" if self.step is None else f"steps of {self.step:g} s"
        lines = [
            f"Audit of '{self.system}': {self.start:g} to {self.end:g} s, {self.formulation} with {self.integrator}, {size}",
            f"  cost          {self.steps} steps, {self.evaluations} evaluations, {self.seconds:.3g} s"
            + (f", {self.iterations / max(self.steps, 1):.1f} iterations per step" if self.iterations else "")
            + (f", in {self.lanes} lanes" if self.lanes else ""),
        ]
        if self.chosen:
            lines.append(f"  chosen        {self.chosen}")
        if self.kernels:
            lines.append(f"  kernels       {self.kernels}")
        if self.newton_steps:
            lines.append(f"  stiff         {self.newton_steps} steps by Newton's method")
        what = "energy" if self.conservative else "energy - work"
        relative = self.energy_drift / self.energy_scale if self.energy_scale > 0 else 0.0
        lines.append(
            f"  {what:13} conserved to {self.energy_drift:.2g} J, {relative:.2g} of the energy scale ({self.energy_scale:.3g} J)"
        )
        if self.impulses:
            change = f"{self.impulse_energy:.3g} J lost" if self.impulse_energy >= 0 else f"{-self.impulse_energy:.3g} J gained"
            lines.append(f"  impulses      {self.impulses} event{'s' * (self.impulses > 1)}, {change}; part of the balance above")
        if self.contacts:
            lines.append(f"  stops         reached {self.contacts} time{'s' * (self.contacts > 1)}, the first at t = {self.first_contact:.6g} s")
        if self.waiting:
            lines.append(f"  events        did not happen: {', '.join(self.waiting)}")
        if self.momentum_drift is not None:
            lines.append(f"  momentum      conserved to {self.momentum_drift:.2g} kg m/s")
        if self.angular_momentum_drift is not None:
            lines.append(f"  ang. momentum conserved to {self.angular_momentum_drift:.2g} kg m^2/s")
        if self.unit_length is not None:
            lines.append(f"  {self.unit_length_of:13} unit length to {self.unit_length:.2g}, without normalising")
        if self.constraint_metres is None:
            lines.append("  joints        exact (joint coordinates)")
        else:
            lines.append(
                f"  joints        closed to {self.constraint_metres:.2g} m and {self.constraint_radians:.2g} rad"
            )
        if self.forbidden is not None and self.forbidden > NOTICED:
            lines.append(
                f"  forbidden     {self.forbidden:.1g} of the energy scale is in velocities that the joints do not allow: use smaller steps, "
                "or smooth the signals that drives follow"
            )
        if self.redundant:
            names = ", ".join(self.ambiguous[:6]) + (", ..." if len(self.ambiguous) > 6 else "")
            again = f", re-selected {self.reselections} times" if self.reselections else ""
            lines.append(
                f"  redundant     {self.redundant} constraints dropped{again}; reactions are not unique in {names}"
            )
        if self.moved_metres > 0 or self.moved_radians > 0:
            lines.append(
                f"  start         bodies moved by up to {self.moved_metres:.2g} m and {self.moved_radians:.2g} rad to close the loops"
            )
        lines += [f"  lyapunov      {words}" for words in self.lyapunov]
        repairs = [
            f"{n} {word} step{'' if n == 1 else 's'}"
            for n, word in ((self.halvings, "halved"), (self.rejections, "rejected"))
            if n
        ]
        lines.append(f"  repairs       {', '.join([*repairs, f'{self.corrections} corrections'])}")
        if self.error_position is None:
            lines.append("  accuracy      not estimated (set estimate_error=True; conservation is not accuracy)")
        else:
            asked = "" if self.accuracy is None else f"; {self.accuracy:g} was asked for"
            found = f"positions to {self.error_position:.2g} m, rotations to {self.error_rotation:.2g} rad"
            lines.append(f"  accuracy      {found} (estimated{asked})")
        if self.stopped:
            lines.append(f"  stopped       {self.stopped}")
        return "\n".join(lines)


def audit(run: Trajectory, tally: Tally | None = None) -> Audit:
    """Audit a run from its outputs and counters; `tally`: deviations already gathered from the outputs."""
    record, counters = run.record, run.record.counters
    if tally is None:
        tally = tally_run(run)
    touched = run.contacts
    return Audit(
        system=run.frozen.alike.system.name,
        formulation=run.formulation.name,
        kernels=run.formulation.kernels,
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
        error_position=record.error_position,
        error_rotation=record.error_rotation,
        accuracy=record.settings.get("accuracy"),
        chosen=record.settings.get("chosen") or "",
        lanes=int(record.settings.get("lanes") or 0),
        stopped=record.stopped,
        lyapunov=tuple(lyapunov_verdicts(run)),
        impulses=len(record.impulses),
        impulse_energy=float(sum(jump.energy_lost for jump in record.impulses)),
        waiting=tuple(record.waiting),
        contacts=len(touched),
        first_contact=touched[0].t if touched else None,
        **tally.numbers(),
        **_closed(run),
    )


def _closed(run: Trajectory) -> dict[str, Any]:
    """Largest gaps of the joints, and changes made at the start, of a run with multipliers."""
    if not run.formulation.multipliers:
        return {}
    _, metres, radians = run.openings
    return {
        "constraint_metres": float(metres.max()),
        "constraint_radians": float(radians.max()),
        "redundant": _redundant(run),
        "reselections": int(run.record.counters[RESELECTIONS]),
        "ambiguous": tuple(run.ambiguous),
        "moved_metres": run.record.moved[0],
        "moved_radians": run.record.moved[1],
    }


def _redundant(run: Trajectory) -> int:
    """Number of redundant constraints at the start, without those out of the plane and those of idle constraints."""
    counts = ~out_of_plane(run.frozen.layout, run.frozen.alike.system)
    for owner, joint in zip(run.frozen.alike.owners, run.frozen.layout.joints):
        if owner.name in run.record.acting_at(-np.inf)[0]:
            counts[joint["row"] : joint["row"] + joint["rows"]] = False
    return int(np.count_nonzero(counts[run.record.dropped]))


def _conservative(run: Trajectory) -> bool:
    alike, values = run.frozen.alike, run.frozen.layout.values
    system = (alike if np.array_equal(values[GRAVITY:], alike.layout.values[GRAVITY:]) else run.frozen).system  # loads with the same numbers
    still = not any(load.lossy for load in system.loads)
    return still and not system.drives and not run.record.impulses
