"""A chain of 64 links with dampers, coiled up and released: a three-dimensional, violent and stiff motion.

Writes the energies over time, a strobe picture, a page and the results to out/, and prints the audit of the run.
"""

import math
from pathlib import Path

import poinsot as po
from poinsot.view.plots import energy_figure

LINKS = 64
DAMPING = 70.0  # N m s/rad at every joint


def build(links: int = LINKS) -> po.System:
    """A chain drawn hanging straight down, and bent into a widening coil by its joint angles."""
    s = po.System("coil drop", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(links):
        z = -2.0 * k
        link = s.body(f"link{k + 1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, z - 1.0))
        joint = s.spherical(parent, link, at=(0, 0, z), name=f"joint{k + 1}")
        joint.set(rotation=("x", math.pi / 2) if k == 0 else ("y", 2 * math.pi / (8 + (k - 1) / 4)))
        s.add(po.JointDamper(joint, DAMPING))
        parent = link
    return s


def main(folder: Path = Path("out"), duration: float = 5.0, links: int = LINKS) -> po.Trajectory:
    """Run it, print what was conserved, and write two pictures, a page and the results."""
    system = build(links)
    print(system.check())
    run = po.simulate(system, duration, step=0.0025, output_step=0.01, estimate_error=True)
    print(run.audit)
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "coil_energy.png", dpi=150)
    run.snapshots([k * duration / 8 for k in range(9)]).savefig(folder / "coil_strobe.png", dpi=150)
    print(f"The tip's speed reached {max((run[f'link{links}'].velocity ** 2).sum(axis=1)) ** 0.5:.1f} m/s.")
    run.save(folder / "coil_drop.h5")
    run.write_html(folder / "coil_drop.html", description=f"{links} links with dampers, coiled up and released.")
    print(f"Energies over time: {folder / 'coil_energy.png'}")
    print(f"Strobe picture:     {folder / 'coil_strobe.png'}")
    print(f"Page:               {folder / 'coil_drop.html'}")
    print(f"Results:            {folder / 'coil_drop.h5'}")
    return run


if __name__ == "__main__":
    main()
