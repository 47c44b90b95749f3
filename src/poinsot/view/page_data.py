"""The data of the page of a run: its scene, frames, arrows, curves and audit, as text within a limit of bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.formulations.contract import BODY_MOTION
from poinsot.model.rotation import matrices
from poinsot.view.arrows import MOST, arrows, count
from poinsot.view.attitude_page import ellipsoids
from poinsot.view.happenings import happenings
from poinsot.view.page_curves import Curves, groups
from poinsot.view.page_trails import given_trails
from poinsot.view.resample import POINTS, frame_indices, pack, scattered
from poinsot.view.scene import describe

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

FRAMES = 1500  # largest number of frames of a run, by default
FEWEST = 60  # least number of frames of a run, however small the page
SPINNING = 240  # frames that a page must have room for to contain angular velocities as well
TEXT = 4 / 3  # characters of base64 per byte
MESHES = 0.5  # fraction of the bytes for meshes, at most
SHARE = 0.65  # fraction of the bytes for frames; the rest is for curves


def page_data(
    runs: Sequence[Trajectory],
    names: Sequence[str],
    budget: float,
    frames: int = FRAMES,
    plots: Sequence[str] = (),
    description: str = "",
    trails: Sequence[Any] = (),
) -> dict[str, Any]:
    """All data of the runs for the page, for JSON; `budget` (bytes) limits their frames and curves."""
    share = budget / len(runs)
    entries = [run_data(run, name, share, frames, plots) for run, name in zip(runs, names)]
    for data, points in zip(entries, given_trails(runs, trails)):
        data["trails"] = points
    chooser: dict[str, dict[str, Any]] = {}
    for run, data in zip(runs, entries):
        for group in groups(run, data["series"], plots):
            chooser.setdefault(group["key"], group)
    titles = dict.fromkeys(run.system.name for run in runs)
    words = description or getattr(runs[0].system, "description", "")
    return {"title": " · ".join(titles), "description": words or "", "runs": entries, "groups": list(chooser.values())}


def run_data(run: Trajectory, name: str, budget: float, frames: int, plots: Sequence[str]) -> dict[str, Any]:
    """One run: times count from its start, `start` (s); poses are (frames, bodies, 7), velocities and angular velocities (frames, bodies, 3).

    Angular velocities, `spins`, are left out of pages that would have few frames with them.
    """
    n = len(run.system.bodies)
    scene, words = describe(run, MESHES * budget), str(run.audit)
    room = max(budget - len(json.dumps(scene)) - len(words), 0.0)
    each = TEXT * (8 + 4 * (13 * n + 3 * count(run)))
    turning = SHARE * room / each >= min(frames, len(run.t), SPINNING)
    each -= 0 if turning else TEXT * 12 * n
    kept = max(min(frames, int(SHARE * room / each)), min(frames, FEWEST))
    chosen = frame_indices(run.t, kept)
    rows = run.motion[chosen, BODY_MOTION : (n + 1) * BODY_MOTION].reshape(len(chosen), n, BODY_MOTION)
    shown = arrows(run, chosen)
    curves = Curves(run, plots, (1 - SHARE) * room)
    return {
        "name": name,
        "method": f"{run.formulation.name} with {run.record.integrator}",
        "start": float(run.t[0]),
        "end": float(run.t[-1]),
        "outputs": len(run.t),
        "thinned": len(run.t) > POINTS,
        "leftOut": curves.left_out,
        "scene": scene,
        "t": pack(run.t[chosen] - run.t[0], "<f8"),
        "poses": pack(rows[..., :7]),
        "speeds": pack(_speeds(run, rows)),
        "spins": pack(rows[..., 10:13]) if turning else "",
        "ellipsoids": ellipsoids(run) if turning else [],
        "arrows": [_arrow_data(arrow) for arrow in shown[:MOST]],
        "arrowsLeftOut": len(shown) > MOST,
        "outputTimes": pack(run.t - run.t[0], "<f8") if len(run.t) <= POINTS else "",
        "commonTimes": pack((run.t - run.t[0])[scattered(len(run.t))], "<f8") if len(run.t) > POINTS else "",
        "series": curves.series,
        "happenings": happenings(run),
        "audit": words,
    }


def _speeds(run: Trajectory, rows: np.ndarray) -> np.ndarray:
    """Velocities (t, bodies, 3) of centres of mass, m/s, from rows (t, bodies, BODY_MOTION) of poses and velocities."""
    coms = np.array([body.com for body in run.system.bodies]).reshape(-1, 3)
    turns = matrices(rows[..., 3:7].reshape(-1, 4)).reshape(*rows.shape[:2], 3, 3)
    return rows[..., 7:10] + np.cross(rows[..., 10:13], np.einsum("tbij,bj->tbi", turns, coms))


def _arrow_data(arrow: Any) -> dict[str, Any]:
    entry = {
        "kind": arrow.kind,
        "name": arrow.name,
        "turns": arrow.turns,
        "body": arrow.body,
        "at": arrow.at.tolist(),
        "values": pack(arrow.values),
    }
    if arrow.back is not None:
        entry |= {"backBody": arrow.back[0], "backAt": arrow.back[1].tolist()}
    return entry
