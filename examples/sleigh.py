"""Chaplygin's sleigh: a blade that does not slide sideways, its centre of mass ahead of it.

Energy is conserved, and yet the sleigh turns straight: a constraint on velocities lets a motion decay without friction. The speed along the
blade and the turning rate are compared with their exact solution. Prints check and audit, writes speeds and track, a page and results to out/.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

MASS, INERTIA, AHEAD = 1.0, 0.5, 0.25  # kg, kg m^2, m from the blade to the centre of mass
SPEED, TURN = 1.0, 3.0  # m/s along the blade, rad/s


def build() -> po.System:
    """On the ice, the blade at the origin, along x."""
    s = po.System("sleigh", plane="xy", gravity=None)
    sleigh = s.body("sleigh", mass=MASS, inertia=INERTIA, com=(AHEAD, 0))
    s.add(po.KnifeEdge(s.ground, sleigh, at=(0, 0), axis="y", name="blade"))
    sleigh.set(velocity=(SPEED, 0), angular_velocity=TURN)
    return s


def exact(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Speed along the blade (m/s) and turning rate (rad/s): v' = a w^2, w' = - a v w / k^2, with v^2 + k^2 w^2 constant."""
    k = np.sqrt(INERTIA / MASS + AHEAD**2)
    c = np.hypot(SPEED, k * TURN)
    phase = np.arctanh(SPEED / c) + AHEAD * c / k**2 * t
    return c * np.tanh(phase), c / k / np.cosh(phase)


def main(folder: Path = Path("out"), duration: float = 5.0, step: float = 0.01) -> po.Trajectory:
    """Run it, compare with the exact solution, and write pictures, a page and results."""
    s = build()
    print(s.check())
    run = po.simulate(s, duration, step=step, integrator="energy-momentum-6")
    print(run.audit)
    body, (v, w) = run["sleigh"], exact(run.t)
    along = np.stack([np.cos(body.angle), np.sin(body.angle)], axis=1)
    speed = np.sum(along * body.velocity, axis=1)
    print(f"Off the exact solution by at most {np.abs(speed - v).max():.1e} m/s and {np.abs(body.angular_velocity - w).max():.1e} rad/s.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    left.plot(run.t, speed, label="speed along the blade [m/s]")
    left.plot(run.t, body.angular_velocity, label="turning rate [rad/s]")
    left.set(xlabel="t [s]")
    left.legend()
    right.plot(*body.position.T)
    right.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="track of the blade")
    figure.savefig(folder / "sleigh.png", dpi=150)
    plt.close(figure)
    print(f"Speeds and track: {folder / 'sleigh.png'}")
    words = "Chaplygin's sleigh: its blade does not slide sideways, and its turning dies out without any friction."
    page = run.write_html(folder / "sleigh.html", description=words, plots=["blade.force", "sleigh.angular_velocity", "energy_error"])
    print(f"Page:             {page}")
    print(f"Results:          {run.save(folder / 'sleigh.h5')}")
    return run


if __name__ == "__main__":
    main()
