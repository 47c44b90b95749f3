"""Work and precision: Poinsot, MuJoCo, Exudyn, Pinocchio and Drake on the same mechanisms, time against error.

Every program takes each of its methods through settings from coarse to fine. A row has the setting with which a program reaches an accuracy
soonest: largest error of the configuration (m or rad, all bodies, five times) against a reference that two methods verify. Times are
processor times of whole runs of a prepared model, programs in turns, in one process; the shortest counts. Poinsot's is that of `run` of a prepared
system; the loop alone is beside it. Pictures go to out/peers*.png,
a table for pages to out/peers.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import drake_peer
import exudyn_peer
import mujoco_peer
import pinocchio_peer
import poinsot_peer
from peer_models import MECHANISMS, Mechanism, errors
from peers_page import page
from peers_points import Point, Walk, measure, soonest, walk
from squeezer import squeezer
from table import NOT_INSTALLED, Table, verdict

CASES: dict[str, Callable[[], Mechanism]] = {**MECHANISMS, "planar": squeezer}
ORDER = ("stewart", "four_bar", "planar", "six_bar", "chain4", "chain64")
ACCURACIES = (1e-3, 1e-6, 1e-9)
FURTHER = {"chain4": (1e-12,)}
OURS = poinsot_peer.NAME
RIVALS = ("MuJoCo, stiff", exudyn_peer.NAME, pinocchio_peer.NAME)
TARGETS: dict[str, tuple[Sequence[str], dict[float, float]]] = {  # against whom, ratio at each accuracy
    "stewart": (RIVALS, {1e-3: 1.5, 1e-6: 3.0, 1e-9: 10.0}),
    "planar": (RIVALS, {1e-3: 2.0, 1e-6: 5.0, 1e-9: 20.0}),
    "six_bar": (RIVALS, {1e-3: 2.0, 1e-6: 5.0, 1e-9: 20.0}),
    "chain4": (("MuJoCo",), {1e-6: 12.0, 1e-9: 30.0, 1e-12: 60.0}),
    "chain64": (("MuJoCo",), {1e-6: 100.0}),
}
HEAVY = {"chain64": 6.0}  # runs may be so many times as long
KNOWN = 3.0  # an accuracy must be larger than this times the difference of the two references


@dataclass(frozen=True)
class Effort:
    """How much is measured: longest run (s), rounds and processor time (s) for each setting, tolerances in a decade."""

    longest: float
    rounds: int
    budget: float
    per_decade: int


FULL, QUICK = Effort(3.0, 20, 0.5, 2), Effort(0.3, 6, 0.1, 2)


@dataclass
class Found:
    """What was measured of a mechanism."""

    key: str
    mechanism: Mechanism
    points: list[Point]
    stuck: set[str]
    apart: tuple[float, float]
    reference: str
    failures: dict[str, str] = field(default_factory=dict)  # of programs that have no point at all
    rows: list[dict[str, Any]] = field(default_factory=list)

    def of(self, program: str) -> list[Point]:
        """Points of a program."""
        return [point for point in self.points if point.program == program]

    @property
    def programs(self) -> list[str]:
        """Those that were measured, ours first."""
        return list(dict.fromkeys(point.program for point in self.points))


def methods(m: Mechanism, effort: Effort) -> list[Any]:
    """Of all programs."""
    found = poinsot_peer.methods(m, effort.per_decade)
    found += mujoco_peer.methods(m) + exudyn_peer.methods(m)
    return found + pinocchio_peer.methods(m, effort.per_decade) + drake_peer.methods(m, effort.per_decade)


def compare(key: str, effort: Effort, accuracies: Sequence[float] = ACCURACIES) -> Found:
    """All programs on one mechanism."""
    m = CASES[key]()
    exact, other, words = poinsot_peer.reference(m)
    apart = errors(other, exact)
    wanted = [accuracy for accuracy in (*accuracies, *FURTHER.get(key, ())) if accuracy > KNOWN * apart[0]]
    effort = replace(effort, longest=effort.longest * HEAVY.get(key, 1.0))
    walks: dict[str, list[Walk]] = {}
    for method in methods(m, effort):
        walks.setdefault(method.program, []).append(walk(method, m, exact, min(wanted), effort.longest))
    points = [point for each in walks.values() for one in each for point in one.points]
    measure(points, effort.rounds, effort.budget)
    found = Found(key, m, points, {program for program, each in walks.items() if all(one.stuck for one in each)}, apart, words)
    found.failures = {program: each[-1].failure or "all runs are unstable" for program, each in walks.items() if not found.of(program)}
    for accuracy in wanted:
        found.rows += rows(found, accuracy, list(walks), effort)
    return found


def rows(found: Found, accuracy: float, programs: Sequence[str], effort: Effort) -> list[dict[str, Any]]:
    """One of each program."""
    ours = soonest(found.of(OURS), accuracy)
    rivals, goals = TARGETS.get(found.key, ((), {}))
    made = []
    for program in programs:
        row: dict[str, Any] = {"mechanism": found.mechanism.name, "accuracy": f"{accuracy:g}", "program": program}
        goal = goals.get(accuracy) if program in rivals else None
        best = soonest(found.of(program), accuracy)
        if best is None:
            nearest = min((point.error for point in found.of(program)), default=float("nan"))
            why = "never" if program in found.stuck else f"not in runs of up to {effort.longest:.2g} s"
            row["setting"] = f"fails: {found.failures[program]}" if program in found.failures else f"{why}: {nearest:.1e} at best"
            least = effort.longest / ours.seconds if ours else 0.0
            if why != "never" and program not in found.failures and least:
                row["ratio above"] = least
            if goal is not None:
                known = program not in found.failures and (program in found.stuck or least >= goal)
                row |= {"target": f">= {goal:g}", "verdict": verdict(ours is not None) if known else "not measured"}
        else:
            row |= {"setting": best.method.label(best.setting, found.mechanism.duration), "ms": 1e3 * best.seconds}
            if program == OURS:
                row["loop ms"] = 1e3 * best.loop
            row |= {"error": best.error, "velocity error": best.velocity, "gap": best.gap}
            if program != OURS and ours is not None:
                row["ratio"] = best.seconds / ours.seconds
                if goal is not None:
                    row |= {"target": f">= {goal:g}", "verdict": verdict(row["ratio"] >= goal)}
                if row["ratio"] < 1:
                    row["faster"] = program
        made.append(row)
    return made


def notes(all_found: Sequence[Found], effort: Effort) -> list[str]:
    """References, who is faster than Poinsot, what is missing, and how busy the machine was."""
    said = []
    for found in all_found:
        said.append(f"{found.mechanism.name}, {found.mechanism.duration:g} s: {found.reference}; they differ by {found.apart[0]:.1e} (m, rad).")
        unknown = [f"{accuracy:g}" for accuracy in (*ACCURACIES, *FURTHER.get(found.key, ())) if accuracy <= KNOWN * found.apart[0]]
        if unknown:
            said[-1] += f" That is too much to judge {', '.join(unknown)}."
    for found in all_found:
        for row in found.rows:
            if "faster" in row:
                said.append(f"FASTER than Poinsot: {row['program']} on the {row['mechanism']} at {row['accuracy']}, {1 / row['ratio']:.2g} times.")
    if not any("faster" in row for found in all_found for row in found.rows):
        said.append("No program is faster than Poinsot in any of these rows.")
    absent = {"MuJoCo": mujoco_peer, "Exudyn": exudyn_peer, "Pinocchio": pinocchio_peer}
    said += [f"{name}: {NOT_INSTALLED}." for name, module in absent.items() if module.imported() is None]
    if drake_peer.imported() is None:
        said.append("Drake: not installed (pip install drake).")
    said += [
        "Ratio: time of the program over that of Poinsot's run. Errors: largest of all bodies at five times, m or rad; of velocities, m/s or rad/s.",
        "Gap: largest opening of a joint, m or rad. Loop: clock time of the compiled loop.",
        "A setting counts if all finer ones of its method are within the accuracy, too.",
    ]
    busy = ", ".join(f"{load:.1f}" for load in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    said.append(f"Load of the machine (1, 5, 15 minutes) with {os.cpu_count()} cores: {busy}. Shortest of up to {effort.rounds} rounds.")
    return said


def run(keys: Sequence[str] = ORDER, quick: bool = False, effort: Effort | None = None, pictures: bool = True) -> Table:
    """All mechanisms; `quick`: fewer settings and rounds, shorter runs."""
    chosen = effort or (QUICK if quick else FULL)
    table = Table("Time against error: Poinsot and other programs, at equal error of the configuration")
    everything = []
    for key in keys:
        everything.append(compare(key, chosen))
        table.rows += everything[-1].rows
        for point in everything[-1].points:
            point.ready = None  # type: ignore[assignment]  # models of other programs take memory
    table.notes += notes(everything, chosen)
    if pictures:
        from peers_plot import FOLDER, draw

        table.notes += draw(everything)
        (FOLDER / "peers.md").write_text(page(table.rows))
    return table
