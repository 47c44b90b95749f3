"""An arm of seven joints reaches, waves and comes back: prescribed joint angles, torques as results.

Three hinges form the shoulder, one the elbow, one rotates the forearm, two form the wrist. Each angle follows a smooth curve through a
few given values; the seven torques of the muscles are results. The first joint of the shoulder
carries the arm, with up to 11 N m, the other two and the elbow need 3 to 5 N m, and forearm and wrist almost nothing. The same
torques come from the inverse dynamics of the open chain at the same states. Writes torques, the path of the hand, a strobe
picture, a page and the results to out/.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import path_figure

HEIGHT = 1.4  # of the shoulder, m
TIMES = (0.0, 1.0, 1.5, 2.0, 2.5, 3.5)  # of the given angles, s
JOINTS = {  # name: height below the shoulder (m), axis, angles (degrees) at these times
    "shoulder_forward": (0.0, "y", (0, -70, -75, -70, -75, 0)),
    "shoulder_sideways": (0.0, "x", (0, -30, -35, -30, -35, 0)),
    "shoulder_twist": (0.0, "z", (0, 20, -15, 20, -15, 0)),
    "elbow": (0.3, "y", (0, -80, -70, -80, -70, 0)),
    "forearm": (0.36, "z", (0, 60, 60, 60, 60, 0)),
    "wrist_bend": (0.56, "y", (0, 10, -10, 10, -10, 0)),
    "wrist_sideways": (0.56, "x", (0, 25, -25, 25, -25, 0)),
}
PARTS = (  # name, length (m), mass (kg)
    ("yoke", 0.05, 0.3), ("ring", 0.05, 0.3), ("upper_arm", 0.3, 2.0), ("elbow_block", 0.06, 0.4),
    ("lower_arm", 0.2, 1.0), ("wrist", 0.03, 0.1), ("hand", 0.18, 0.45),
)  # fmt: skip


def angles() -> dict[str, po.signals.Polynomials]:
    """The angle of every joint over time (rad)."""
    return {name: po.signals.spline(TIMES, np.radians(values)) for name, (_, _, values) in JOINTS.items()}


def build(driven: bool = True) -> po.System:
    """The arm, drawn hanging down; x forwards, y to the left, z up."""
    s = po.System("arm", gravity=(0, 0, -9.81))
    parent = s.ground
    follows = angles()
    for (name, (below, axis, _)), (part, length, mass) in zip(JOINTS.items(), PARTS):
        top = (0, 0, HEIGHT - below)
        body = s.body(part, po.Rod(radius=0.035, mass=mass), between=(top, (0, 0, HEIGHT - below - length)))
        joint = s.revolute(parent, body, at=top, axis=axis, name=name)
        if driven:
            s.add(po.Motion(joint.angle, follows[name], name=f"{name}_motion"))
        parent = body
    return s


def inverse_dynamics(run: po.Trajectory) -> np.ndarray:
    """The same torques (n, 7) from the chain in joint coordinates, N m."""
    chain = po.dynamics(build(driven=False), "tree")
    curves = list(angles().values())
    torques = []
    for t in run.t:
        q, v, a = np.array([curve.at(t)[:, 0] for curve in curves]).T
        torques.append(chain.inverse(chain.state(q, v, t), a))
    return np.array(torques)


def main(folder: Path = Path("out"), duration: float = TIMES[-1], step: float = 0.02) -> po.Trajectory:
    """Run it, compare the torques with inverse dynamics, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, step=step)
    print(run.audit)
    torques = {name: run[f"{name}_motion"].effort for name in JOINTS}
    off = np.abs(np.array(list(torques.values())).T - inverse_dynamics(run)).max()
    print(f"Inverse dynamics gives the same torques, to {off:.1e} N m. The largest:")
    for name, values in torques.items():
        print(f"  {name:18} {np.abs(values).max():8.3f} N m")
    folder.mkdir(parents=True, exist_ok=True)
    run.plot([f"{name}_motion.effort" for name in JOINTS]).savefig(folder / "arm_torques.png", dpi=150)
    hand = run["hand"].point((0.09, 0, 0))
    path_figure(run, {"side view": hand[:, [0, 2]], "front view": hand[:, [1, 2]]}, ("x, y", "z")).savefig(folder / "arm_paths.png", dpi=150)
    strobe = run.snapshots([t for t in (0.0, 0.5, 1.0, 1.5) if t <= duration])
    strobe.axes[0].view_init(elev=15, azim=-60)
    strobe.savefig(folder / "arm_strobe.png", dpi=150)
    run.save(folder / "humanoid_arm.h5")
    words = "Seven joints with prescribed angles: reach, wave and come back. The torques are results."
    run.write_html(folder / "humanoid_arm.html", description=words)
    for what in ("torques", "paths", "strobe"):
        print(f"{what.capitalize() + ':':8} {folder / f'arm_{what}.png'}")
    print(f"Page:    {folder / 'humanoid_arm.html'}")
    print(f"Results: {folder / 'humanoid_arm.h5'}")
    return run


if __name__ == "__main__":
    main()
