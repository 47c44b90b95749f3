"""What a feedback costs: an arm of seven joints with constant efforts, against the same arm with laws, in time per evaluation.

Runs of all kinds take turns, and the fastest of each counts.
"""

from __future__ import annotations

from typing import Any

from table import Table, verdict

import poinsot as po

JOINTS, STEP, DURATION, ROUNDS = 7, 0.001, 10.0, 7
AXES = ("y", "z", (1, 1, 0))
METHODS = ("rk4", "gauss3")
MOST = 1.2  # target: time with a law of joint angles and rates over that with constant efforts
KINDS = {
    "constant": "constant efforts",
    "motors": "a law in every motor",
    "joints": "one law that sees all angles and rates",
    "pose": "one law that also sees where the last link is",
}


def joint_law(t: float, x: Any, p: Any, u: Any) -> None:
    """PD of every joint."""
    for k in range(u.shape[0]):
        u[k] = -p.kp * x[2 * k] - p.kd * x[2 * k + 1]


def arm(kind: str) -> po.System:
    """Seven rods in a row on revolutes about different axes."""
    s = po.System("arm", gravity=(0, 0, -9.81))
    joints, parent = [], s.ground
    for k in range(JOINTS):
        link = s.body(f"link{k + 1}", po.Rod(radius=0.03, mass=2.0), between=((0.3 * k, 0, 0), (0.3 * k + 0.3, 0, 0)))
        joints.append(s.revolute(parent, link, at=(0.3 * k, 0, 0), axis=AXES[k % 3], name=f"joint{k + 1}"))
        parent = link
    if kind == "constant":
        for joint in joints:
            s.add(po.Motor(joint, 0.5))
    elif kind == "motors":
        for joint in joints:
            s.add(po.Motor(joint, lambda t, q, w: -50.0 * q - 4.0 * w))
    else:
        motors = [s.add(po.Motor(joint)) for joint in joints]
        seen: list[Any] = [reading for joint in joints for reading in (joint.angle, joint.rate)]
        seen += [f"link{JOINTS}.position", f"link{JOINTS}.velocity"] if kind == "pose" else []
        s.add(po.Feedback(joint_law, motors, seen, {"kp": 50.0, "kd": 4.0}))
    return s


def run(duration: float = DURATION, rounds: int = ROUNDS) -> Table:
    """All kinds in turns, with each method."""
    table = Table(f"A feedback on an arm of {JOINTS} joints: time per evaluation of the equations")
    for method in METHODS:
        prepared = {kind: po.prepare(arm(kind), step=STEP, formulation="tree", integrator=method) for kind in KINDS}
        best = dict.fromkeys(KINDS, float("inf"))
        for _ in range(rounds):
            for kind, ready in prepared.items():
                audit = ready.run(duration, output_step=duration).audit
                best[kind] = min(best[kind], audit.seconds / audit.evaluations)
        for kind, words in KINDS.items():
            ratio = best[kind] / best["constant"]
            judged = {"verdict": f"{verdict(ratio <= MOST)} (<= {MOST:g})"} if kind == "joints" else {}
            table.add(method=method, arm=words, ns=1e9 * best[kind], ratio=ratio, **judged)
    return table
