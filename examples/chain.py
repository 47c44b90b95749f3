"""A pendulum chain of four links, and how well four integrators conserve its energy.

Prints one table of integrators: drift of the energy, error of the tip, cost. Writes the energies over time, a strobe picture, a page
and the results to out/; the page overlays gauss4 and rk4: their motions look the same, their energies do not.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure

LENGTH = 2.0  # of a link, m
OUTPUT = 0.05  # time between outputs, s
METHODS = {  # name: settings
    "gauss2": {"step": 0.01},
    "gauss4": {"step": 0.01},
    "rk4": {"step": 0.01},
    "dop853": {"rtol": 1e-8, "atol": 1e-8},
}


def build(links: int = 4) -> po.System:
    """A chain drawn hanging straight down, then rotated sideways at its first joint and forwards at its third."""
    s = po.System("chain", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(links):
        top = -LENGTH * k
        shape = po.Box(0.2, 0.2, LENGTH, mass=50.0)
        link = s.body(f"link{k + 1}", shape, position=(0, 0, top - LENGTH / 2))
        s.spherical(parent, link, at=(0, 0, top), name=f"joint{k + 1}")
        parent = link
    s["joint1"].set(rotation=("x", 0.5))
    s["joint3"].set(rotation=("y", 1.0))
    return s


def tip(run: po.Trajectory) -> np.ndarray:
    """The free end of the chain in the world, m."""
    return run[run.system.bodies[-1]].point((0, 0, -LENGTH / 2))


def main(folder: Path = Path("out"), duration: float = 20.0) -> po.Trajectory:
    """Run it with every method, compare with a run of tight tolerances, and write pictures and the results of the gauss4 run."""
    system = build()
    print(system.check())
    truth = tip(po.simulate(system, duration, rtol=1e-13, atol=1e-13, output_step=OUTPUT, integrator="dop853"))
    runs = {}
    print("\nintegrator  steps            energy drift  tip error [m]  evaluations")
    for name, settings in METHODS.items():
        run = runs[name] = po.simulate(system, duration, integrator=name, output_step=OUTPUT, **settings)
        error = np.linalg.norm(tip(run) - truth, axis=1).max()
        size = f"{settings['step']:g} s" if "step" in settings else f"adaptive, {settings['rtol']:g}"
        drift = run.audit.energy_drift / run.audit.energy_scale
        print(f"{name:10}  {size:15}  {drift:12.1e}  {error:13.1e}  {run.audit.evaluations:11}")
    print("Drift is relative to the energy scale. A method may conserve the energy and still be inaccurate.\n")
    run = runs["gauss4"]
    print(run.audit)
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "chain_energy.png", dpi=150)
    run.snapshots([k * OUTPUT for k in range(0, 40, 5)]).savefig(folder / "chain_strobe.png", dpi=150)
    run.save(folder / "chain.h5")
    words = "Two methods with the same steps look the same; the energy balance shows the difference."
    both, plots = [run, runs["rk4"]], ["energy_error", "kinetic", "link4.com"]
    po.write_html(both, folder / "chain.html", names=["gauss4", "rk4"], description=words, plots=plots)
    print(f"Energies over time: {folder / 'chain_energy.png'}")
    print(f"Strobe picture:     {folder / 'chain_strobe.png'}")
    print(f"Page:               {folder / 'chain.html'}")
    print(f"Results:            {folder / 'chain.h5'}")
    return run


if __name__ == "__main__":
    main()
