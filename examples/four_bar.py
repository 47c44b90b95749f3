"""A four-bar linkage of three-dimensional hinges: one degree of freedom, three redundant constraints.

The crank starts at 2 rad/s and keeps turning; the rocker swings. Four hinges with parallel axes have three redundant
constraints, which `check()` names; their share of the reactions is not unique, which does not affect the motion.
Prints check, assembly, audit, how the crank turns and what the knee carries; writes energies, the crank's rate with
the knee's reaction, a strobe picture, a page and the results to out/.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure


def build(rate: float = 2.0) -> po.System:
    """Crank of 1 m, coupler of 2.06 m, rocker of 1.5 m, feet 2 m apart; rate (rad/s) of the crank at the start."""
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    base = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y", name="elbow")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y", name="knee")
    s.revolute(rocker, s.ground, at=(2, 0, 0), axis="y", name="foot")
    base.set(rate=rate)
    return s


def main(folder: Path = Path("out"), duration: float = 10.0) -> po.Trajectory:
    """Run it, print what was conserved and the load on the knee, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    print(po.assemble(system))
    run = po.simulate(system, duration, step=0.01, estimate_error=True)
    print(run.audit)
    crank, pull = run["base"], np.linalg.norm(run["knee"].force, axis=1)
    swing = np.degrees(run["foot"].angle)
    print(f"The crank made {crank.angle[-1] / (2 * np.pi):.2f} turns at {crank.rate.min():.2f} to {crank.rate.max():.2f} rad/s.")
    print(f"The rocker swung from {swing.min():.1f} to {swing.max():.1f} degrees; its knee carried up to {pull.max():.0f} N.")
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "four_bar_energy.png", dpi=150)
    run.plot("base.rate", ("knee.force.x", "knee.force.z")).savefig(folder / "four_bar_crank.png", dpi=150)
    turn = np.interp(2 * np.pi, crank.angle, run.t)  # s; the end of the run, when it is shorter than a turn
    run.snapshots(np.linspace(0.0, turn, 9)[:-1]).savefig(folder / "four_bar_strobe.png", dpi=150)
    run.save(folder / "four_bar.h5")
    words = "Four hinges with parallel axes: one degree of freedom, three redundant constraints. The crank keeps turning."
    plots = ["base.rate", "knee.force", "foot.angle", "energy_error"]
    run.write_html(folder / "four_bar.html", description=words, plots=plots)
    print(f"Energies over time: {folder / 'four_bar_energy.png'}")
    print(f"Rate and reaction:  {folder / 'four_bar_crank.png'}")
    print(f"Strobe picture:     {folder / 'four_bar_strobe.png'}")
    print(f"Page:               {folder / 'four_bar.html'}")
    print(f"Results:            {folder / 'four_bar.h5'}")
    return run


if __name__ == "__main__":
    main()
