"""A motor turns a crank, the crank drives a piston, the piston compresses air in a closed cylinder.

Three hinges and a slide close the loop, a flywheel sits on the crank; the motor's torque rises over half a second, and
the force of the air is a function of the piston's position. Every stroke against the air slows the flywheel down, and the cylinder's wall
carries the piston's side thrust. Prints check, assembly, audit, the position of the piston compared with its formula, and the
forces; writes energies, the piston and its forces, a strobe picture, a page and the results to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure

CRANK, ROD = 0.04, 0.14  # m
HALF = math.sqrt(ROD**2 - CRANK**2)  # position of the piston in the drawing, with the crank upright, m
TOP = CRANK + ROD - HALF  # displacement of the piston at the top, m
CLEARANCE, STROKE = 0.015, 2 * CRANK  # height of the air at the top, and its increase at the bottom, m
AREA, OUTSIDE = 4e-3, 1e5  # of the piston, m^2; pressure outside, Pa
TORQUE, RISE = 12.0, 0.5  # of the motor, N m, and its rise time, s


def air(t: float, x: float, rate: float) -> float:
    """Force of the air on the piston at x (m): adiabatic, at the pressure outside when the piston is at the bottom, N."""
    squeezed = (CLEARANCE + STROKE) / (CLEARANCE + TOP - x)
    return -AREA * OUTSIDE * (squeezed**1.4 - 1.0)


def torque(t: float) -> float:
    """Torque of the motor, N m."""
    x = min(t / RISE, 1.0)
    return TORQUE * x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)


def build() -> po.System:
    """The crank with its flywheel turns at 60 rad/s; it is drawn upright, the flywheel behind it, the piston moves along x."""
    s = po.System("slider-crank", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Box(0.03, 0.02, 0.06, mass=0.4), position=(0, 0, CRANK / 2))
    wheel = s.body("flywheel", po.Disc(0.12, 0.025, axis="y", mass=8.0), position=(0, 0.05, 0))
    rod = s.body("rod", po.Rod(radius=0.008, mass=0.3), between=((0, 0, CRANK), (HALF, 0, 0)))
    piston = s.body("piston", po.Box(0.05, 0.07, 0.07, mass=0.5), position=(HALF, 0, 0))
    main = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="main")
    s.fixed(crank, wheel, at=(0, 0, 0), name="key")
    s.revolute(crank, rod, at=(0, 0, CRANK), axis="y", name="pin")
    s.revolute(rod, piston, at=(HALF, 0, 0), axis="y", name="wrist")
    cylinder = s.prismatic(s.ground, piston, axis="x", name="cylinder")
    s.add(po.Motor(main, torque, name="motor"))
    s.add(po.Motor(cylinder, air, name="air"))
    s.add(po.JointDamper(main, 0.08, name="load"))
    main.set(rate=60.0)
    return s


def curves(run: po.Trajectory):
    """Displacement, forces and rate over the last 0.4 s."""
    figure = run.plot("cylinder.displacement", "cylinder.force.z", "air.effort", "main.rate")
    figure.axes[0].set_xlim(run.t[-1] - 0.4, run.t[-1])
    figure.axes[-1].set_ylim(0.9 * run["main"].rate[-1], 1.05 * run["main"].rate.max())
    return figure


def main(folder: Path = Path("out"), duration: float = 2.0) -> po.Trajectory:
    """Run it, compare the piston with the formula, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    print(po.assemble(system))
    run = po.simulate(system, duration, step=0.0005, estimate_error=True)
    print(run.audit)
    angle, x, rate = run["main"].angle, run["cylinder"].displacement, run["main"].rate
    formula = CRANK * np.sin(angle) + np.sqrt(ROD**2 - (CRANK * np.cos(angle)) ** 2) - HALF
    thrust, last = run["cylinder"].force[:, 2], run.t > run.t[-1] - 0.2
    print(f"The position of the piston agrees with the formula for the crank's angle to {np.abs(x - formula).max():.1e} m.")
    print(f"{angle[-1] / (2 * np.pi):.1f} turns; in the last 0.2 s {rate[last].min():.0f} to {rate[last].max():.0f} rad/s.")
    print(f"Side thrust {thrust.min():.0f} to {thrust.max():.0f} N; the force of the air was up to {-run['air'].effort.min():.0f} N.")
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "slider_crank_energy.png", dpi=150)
    curves(run).savefig(folder / "slider_crank_forces.png", dpi=150)
    turn = np.interp(angle[-1] - 2 * np.pi, angle, run.t)
    run.snapshots(np.linspace(turn, run.t[-1], 5)[:-1]).savefig(folder / "slider_crank_strobe.png", dpi=150)
    run.save(folder / "slider_crank.h5")
    words = "A motor turns the crank, the piston compresses air in a closed cylinder."
    plots = ["cylinder.displacement", "air.effort", "main.rate", "cylinder.force"]
    run.write_html(folder / "slider_crank.html", description=words, plots=plots)
    print(f"Energies over time: {folder / 'slider_crank_energy.png'}")
    print(f"Piston and forces:  {folder / 'slider_crank_forces.png'}")
    print(f"Strobe picture:     {folder / 'slider_crank_strobe.png'}")
    print(f"Page:               {folder / 'slider_crank.html'}")
    print(f"Results:            {folder / 'slider_crank.h5'}")
    return run


if __name__ == "__main__":
    main()
