"""A ball rolls on a turntable that turns at a constant rate: it goes round in a circle of its own, at 2/7 of that rate.

The table is kept turning by a prescribed motion, whose effort is a result; the ball rolls on it without slipping. Prints check and audit,
and how far the ball is from the exact circle; writes its track, a page and results to out/.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

RATE = 3.0  # rad/s
RADIUS = 0.1  # m, of the ball
SPEED = 0.5  # m/s


def build() -> po.System:
    """The ball starts 1 m from the axle, at a speed across it."""
    s = po.System("turntable", gravity=(0, 0, -9.81))
    table = s.body("table", po.Cylinder(2.0, 0.1, mass=50.0), position=(0, 0, -0.05))
    axle = s.revolute(s.ground, table, at=(0, 0, 0), axis="z", name="axle")
    s.add(po.Motion(axle.angle, po.Signal(lambda t: RATE * t, lambda t: RATE, lambda t: 0.0), name="drive"))
    ball = s.body("ball", po.Sphere(RADIUS, mass=1.0), position=(1, 0, RADIUS))
    s.add(po.Rolling(table, ball, at=(1, 0, RADIUS), radius=RADIUS, name="contact"))
    ball.set(velocity=(0, SPEED, 0), angular_velocity=((RATE - SPEED) / RADIUS, 0, 0))
    axle.set(rate=RATE)
    return s


def main(folder: Path = Path("out"), duration: float = 7.33, step: float = 0.005) -> po.Trajectory:
    """Run it for one circle, and write pictures, a page and results."""
    s = build()
    print(s.check())
    run = po.simulate(s, duration, step=step, output_step=4 * step)
    print(run.audit)
    k = 2 / 7 * RATE
    exact = np.stack([1 - SPEED / k * (1 - np.cos(k * run.t)), SPEED / k * np.sin(k * run.t)], axis=1)
    print(f"The ball is at most {np.abs(run['ball'].position[:, :2] - exact).max():.1e} m off its circle of {SPEED / k:.4f} m.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(figsize=(6, 6), layout="constrained")
    turn = run["axle"].angle
    x, y = run["ball"].position[:, :2].T
    axes.plot(x, y, label="seen from the room")
    axes.plot(np.cos(turn) * x + np.sin(turn) * y, np.cos(turn) * y - np.sin(turn) * x, label="seen from the table", lw=0.8)
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.legend()
    figure.savefig(folder / "turntable.png", dpi=150)
    plt.close(figure)
    print(f"Track:   {folder / 'turntable.png'}")
    words = "A ball on a turntable rolls in a circle of its own, at 2/7 of the rate of the table."
    print(f"Page:    {run.write_html(folder / 'turntable.html', description=words, plots=['ball.position', 'contact.force', 'drive.effort'])}")
    print(f"Results: {run.save(folder / 'turntable.h5')}")
    return run


if __name__ == "__main__":
    main()
