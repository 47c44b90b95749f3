"""A body that two axis constraints leave one axis in space to turn about (hemami2002), and its reduction to one speed about it.

A spring and a damper bring it to rest. The full equations, with constraint torques, and the reduced ones, in the angle Xi about the axis
and its rate w, give the same motion. Prints check, audit and the difference; writes Xi, w and the torques of the constraints, a page and
results to out/.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

INERTIA = (0.5, 0.4, 0.3)  # kg m^2
TAU = np.array([2.0, 3.0, 6.0]) / 7  # the axis that is left
HELD = ((3, -6, 2), (6, 2, -3))  # directions about which it does not turn


def build() -> po.System:
    """A plate on a ball joint, turning at 16 rad/s about the axis that is left."""
    s = po.System("held axis", gravity=None)
    plate = s.body("plate", po.Box(0.6, 0.8, 0.05, mass=2.0), inertia=INERTIA)
    s.spherical(s.ground, plate, at=(0, 0, 0), name="pin").set(rate=16 * TAU)
    for name, direction in zip(("first", "second"), HELD):
        s.add(po.AxisConstraint(s.ground, plate, direction, name=name))
    s.add(po.Bushing(s.ground, plate, at=(0, 0, 0), stiffness=(0, 0, 0, 20, 20, 20), damping=(0, 0, 0, 0.4, 0.4, 0.4), name="spring"))
    return s


def main(folder: Path = Path("out"), duration: float = 2.0) -> po.Trajectory:
    """Run the full and the reduced equations, and write pictures, a page and results."""
    s = build()
    print(s.check())
    run = po.simulate(s, duration, formulation="newton-euler", rtol=1e-11, atol=1e-12, output_step=0.01)
    print(run.audit)
    reduced = po.reduce(s, basis=[0, 0, 0, *TAU])
    print(f"Reduced: {reduced}, inertia about the axis {reduced.mass_matrix[0, 0]:.6f} kg m^2")
    short = reduced.run(duration, 0.01)
    w = run["plate"].angular_velocity @ TAU
    print(f"Full and reduced differ by {short.difference(run)[1]:.1e} in rotation, {np.abs(w - short.speeds[:, 0]).max():.1e} rad/s.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    turns = np.concatenate([[0.0], np.cumsum(0.5 * (w[1:] + w[:-1]) * np.diff(run.t))])
    left.plot(run.t, turns, label="Xi [rad]")
    left.plot(run.t, w, label="w, full [rad/s]")
    left.plot(short.t, short.speeds[:, 0], "--", label="w, reduced [rad/s]")
    for name, direction in zip(("first", "second"), HELD):
        right.plot(run.t, run[name].torque @ np.array(direction) / 7, label=f"{name} constraint")
    right.set(ylabel="torque [N m]")
    for axes in (left, right):
        axes.set(xlabel="t [s]")
        axes.legend()
    figure.savefig(folder / "held_axis.png", dpi=150)
    plt.close(figure)
    print(f"Speeds and torques: {folder / 'held_axis.png'}")
    words = "Two constraints leave a plate one axis in space to turn about; a spring and a damper bring it to rest."
    page = run.write_html(folder / "held_axis.html", description=words, plots=["plate.angular_velocity", "first.torque", "second.torque"])
    print(f"Page:               {page}")
    print(f"Results:            {run.save(folder / 'held_axis.h5')}")
    return run


if __name__ == "__main__":
    main()
