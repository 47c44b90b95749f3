"""A Watt six-bar linkage: a motor turns the crank, two loops make the output arm swing out slowly and return fast.

Crank, coupler and a triangular rocker are the first loop; the rocker's third corner pushes the output arm through
a link, the second loop. Five bodies on seven hinges have one degree of freedom and six redundant constraints. Prints check,
assembly, audit and the times of the two strokes; writes energies, angles with the motor's torque, a strobe
picture, a page and the results to out/.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure

SPEED = 6.0  # target speed of the motor, rad/s
A, B, C = (0, 0, 0), (0, 0, 0.37), (0.7, 0, 0.7)  # crank A-B, coupler B-C, m
D, E = (0.8, 0, -0.2), (1.1, 0, 0.4)  # rocker C-D-E, on the ground at D, m
F, G = (1.8, 0, 0.7), (1.9, 0, -0.2)  # link E-F, output F-G, m


def drive(t: float, angle: float, rate: float) -> float:
    """Torque of the motor, N m: like a shunt motor, it decreases with speed."""
    return 15.0 * (SPEED - rate)


def build() -> po.System:
    """Bars of 2 to 3 kg per metre; a damper on the output arm represents a tool."""
    s = po.System("six-bar", gravity=(0, 0, -9.81))
    bar = po.Rod(radius=0.015, mass=1.0)
    crank = s.body("crank", bar, between=(A, B))
    coupler = s.body("coupler", po.Rod(radius=0.015, mass=2.0), between=(B, C))
    sides = [_side(p, q) for p, q in ((C, D), (D, E), (E, C))]
    rocker = s.body("rocker", po.Composite(sides))
    link = s.body("link", bar, between=(E, F))
    output = s.body("output", po.Rod(radius=0.015, mass=1.5), between=(F, G))
    base = s.revolute(s.ground, crank, at=A, axis="y", name="base")
    for first, second, at, name in (
        (crank, coupler, B, "pin"),
        (coupler, rocker, C, "knee"),
        (s.ground, rocker, D, "pivot"),
        (rocker, link, E, "corner"),
        (link, output, F, "wrist"),
    ):
        s.revolute(first, second, at=at, axis="y", name=name)
    arm = s.revolute(s.ground, output, at=G, axis="y", name="arm")
    s.add(po.Motor(base, drive, name="motor"))
    s.add(po.JointDamper(arm, 3.0, name="tool"))
    base.set(rate=SPEED)
    return s


def _side(p, q):
    """One side of the rocker: a rod from p to q (m), as a part of a composite."""
    p, q = np.array(p, float), np.array(q, float)
    (x, _, z), long = q - p, float(np.linalg.norm(q - p))
    return po.Rod(radius=0.012, length=long, mass=2.0 * long), 0.5 * (p + q), ("y", -np.arctan2(z, x))


def main(folder: Path = Path("out"), duration: float = 6.0) -> po.Trajectory:
    """Run it, time the strokes of the output arm, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    print(po.assemble(system))
    run = po.simulate(system, duration, step=0.005, estimate_error=True)
    print(run.audit)
    swing = run["arm"].angle
    out = (run["arm"].rate > 0)[run.t > duration / 2].mean()
    print(f"The output arm swings from {np.degrees(swing.min()):.1f} to {np.degrees(swing.max()):.1f} degrees;")
    print(f"  {100 * out:.0f} % of the time it moves to the right, the rest back.")
    print(f"The motor gave up to {run['motor'].effort.max():.1f} N m; its work less that of the tool: {run.work[-1]:.2f} J.")
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "six_bar_energy.png", dpi=150)
    run.plot(("pivot.angle", "arm.angle"), "motor.effort").savefig(folder / "six_bar_angles.png", dpi=150)
    turn = np.interp(2 * np.pi, run["base"].angle, run.t)
    run.snapshots(np.linspace(0.0, turn, 7)[:-1]).savefig(folder / "six_bar_strobe.png", dpi=150)
    run.save(folder / "six_bar.h5")
    words = "A motor turns the crank; two loops make the output arm swing out slowly and return fast."
    run.write_html(folder / "six_bar.html", description=words, plots=["arm.angle", "pivot.angle", "motor.effort", "energy_error"])
    print(f"Energies over time: {folder / 'six_bar_energy.png'}")
    print(f"Angles and torque:  {folder / 'six_bar_angles.png'}")
    print(f"Strobe picture:     {folder / 'six_bar_strobe.png'}")
    print(f"Page:               {folder / 'six_bar.html'}")
    print(f"Results:            {folder / 'six_bar.h5'}")
    return run


if __name__ == "__main__":
    main()
