"""A UR5 draws a circle with its tool: inverse kinematics along the path, computed torque to follow it.

`po.follow` gives the joint angles that take the tool around a circle with its attitude kept, `po.control.computed_torque` the torques that
follow them; the arm starts 0.1 rad off in one joint and comes back to the path. Writes torques, a page and the results to out/.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

MODEL = Path(__file__).parent / "models" / "ur5.urdf"
READY = {"shoulder_lift_joint": -1.4, "elbow_joint": 1.9, "wrist_1_joint": -2.0, "wrist_2_joint": -1.57}  # rad
RADIUS, TURN = 0.15, 4.0  # of the circle, m; s for one turn


def build() -> po.System:
    """The robot above a table, in the position from which it draws."""
    s = po.read(MODEL, merge=False)
    for name, angle in READY.items():
        s[name].set(angle=angle)
    return s


def main(folder: Path = Path("out"), duration: float = 8.0, step: float = 0.01) -> po.Trajectory:
    """Run and write everything to a folder."""
    s = build()
    tool = po.simulate(s, step, step=step)["tool0"]
    start, attitude = tool.position[0], tool.quaternion[0]

    def circle(t):
        """The path of the tool, m: it begins and ends each turn at rest."""
        part = t / TURN - np.sin(2 * np.pi * t / TURN) / (2 * np.pi)  # turns
        return start + RADIUS * np.array([0.0, np.sin(2 * np.pi * part), np.cos(2 * np.pi * part) - 1.0])

    found = po.follow(s, "tool0", circle, np.linspace(0.0, duration, round(50 * duration) + 1), rotation=attitude)
    print(found)
    joints = [s[name] for name in ("shoulder_pan_joint", *READY, "wrist_3_joint")]
    angles = np.stack([found[f"{joint.name}.angle"] for joint in joints], axis=1)
    po.control.computed_torque(joints, kp=100.0, kd=20.0, target=po.signals.spline(found.t.tolist(), angles), name="control")
    s["shoulder_pan_joint"].set(angle=0.1)
    run = po.simulate(s, duration, step=step)
    print(run.audit)
    off = np.linalg.norm(run["tool0"].position - np.array([circle(t) for t in run.t]), axis=1)
    late = off[run.t >= min(2.0, duration)].max()
    print(f"The tool begins {1e3 * off[0]:.0f} mm off its path; from {min(2.0, duration):g} s on it is within {1e3 * late:.2g} mm of it.")
    force = po.jacobian(s, "tool0", run.state()).T @ [0, 0, -50, 0, 0, 0]
    print(f"At the end, 5 kg more at the tool would need up to {np.abs(force).max():.0f} N m more from a motor.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 6), sharex=True, layout="constrained")
    top.semilogy(run.t, 1e3 * np.maximum(off, 1e-9))
    top.set(ylabel="distance from the path [mm]")
    for joint, torque in zip(joints, run["control"].effort.T):
        bottom.plot(run.t, torque, label=joint.name.removesuffix("_joint").replace("_", " "))
    bottom.legend(ncols=3, fontsize="small")
    bottom.set(xlabel="t [s]", ylabel="torque [N m]")
    figure.savefig(folder / "ur5_path.png")
    plt.close(figure)
    run.save(folder / "ur5_path.h5")
    run.write_html(folder / "ur5_path.html", description="A UR5 draws a circle by computed torque.")
    print(f"Torques:            {folder / 'ur5_path.png'}")
    print(f"Page:               {folder / 'ur5_path.html'}")
    print(f"Results:            {folder / 'ur5_path.h5'}")
    return run


if __name__ == "__main__":
    main()
