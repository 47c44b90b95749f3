"""Two chains with springs: four links on torsion springs, and sixteen links with dampers and a spring to an anchor.

The dampers of the second make it stiff: the stages of a step then need Newton's method, and the audit says so.
Prints positions of the tips next to reference values; writes energies, strobe pictures, pages and results to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure

LENGTH = 2.0  # of a link, m
TIP = (0, 0, -LENGTH / 2)  # lower end of a link, in its frame
WORDS = {"springs": "Four links on torsion springs.", "anchor": "Sixteen links with dampers; a spring connects the tip to an anchor."}
REFERENCE = {  # position of the tip (m) at some times (s)
    "springs": {1: (-0.714101895, 0.388389095, -7.792491082), 5: (-4.092579325, 3.216981197, -3.843774754)},
    "anchor": {1: (7.867428398, -0.993680152, -24.836729371), 5: (4.274548480, -3.136693698, -24.998557168)},
}


def chain(name: str, links: int) -> po.System:
    """Links on ball joints, hanging straight down."""
    s = po.System(name, gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(links):
        top = -LENGTH * k
        shape = po.Box(0.2, 0.2, LENGTH, mass=50.0)
        link = s.body(f"link{k + 1}", shape, position=(0, 0, top - LENGTH / 2))
        s.spherical(parent, link, at=(0, 0, top), name=f"joint{k + 1}")
        parent = link
    return s


def with_springs() -> po.System:
    """Four links; the moment of a joint's spring is -k log(R), with R the rotation of the joint."""
    s = chain("springs", 4)
    for joint, stiffness in zip(s.joints, (4000.0, 3000.0, 2000.0, 1000.0)):
        s.add(po.TorsionSpring(joint, stiffness))
        joint.set(rotation=[("x", math.pi / 8), ("y", math.pi / 8)])
    return s


def with_anchor(links: int = 16) -> po.System:
    """A damper in every joint, and a spring-damper from the tip to an anchor."""
    s = chain("anchor", links)
    for joint in s.joints:
        s.add(po.JointDamper(joint, 70.0))
    last = s.bodies[-1]
    anchor = (10, 0, 2 - LENGTH * links)
    s.add(po.Spring(s.ground, last, at=(anchor, last.at(TIP)), stiffness=800.0, damping=50.0, length=5.0, name="tie"))
    s["joint1"].set(rotation=("x", math.pi / 8))
    return s


def main(folder: Path = Path("out"), duration: float = 10.0) -> po.Trajectory:
    """Run both, compare with the reference, and write their pictures, pages and results."""
    folder.mkdir(parents=True, exist_ok=True)
    for system in (with_springs(), with_anchor()):
        print(system.check())
        run = po.simulate(system, duration, step=0.01)
        print(run.audit)
        tip = run[system.bodies[-1]].point(TIP)
        for t, known in REFERENCE[system.name].items():
            if t <= duration:
                place = tip[run.index(t)]
                print(f"  tip at {t} s: {place.round(6)} m, {np.linalg.norm(place - known):.1e} m from the reference")
        energy_figure(run).savefig(folder / f"{system.name}_energy.png", dpi=150)
        strobe = run.snapshots([k * duration / 7 for k in range(8)])
        strobe.axes[0].set_zlabel("z [m]", labelpad=10)
        strobe.savefig(folder / f"{system.name}_strobe.png", dpi=150)
        run.save(folder / f"{system.name}.h5")
        run.write_html(folder / f"{system.name}.html", description=WORDS[system.name])
        print(f"Energies over time: {folder / f'{system.name}_energy.png'}")
        print(f"Strobe picture:     {folder / f'{system.name}_strobe.png'}")
        print(f"Page:               {folder / f'{system.name}.html'}")
        print(f"Results:            {folder / f'{system.name}.h5'}\n")
    return run


if __name__ == "__main__":
    main()
