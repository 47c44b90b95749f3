"""A gymnast on the high bar, who swings up by moving shoulders and hips.

Shoulders and hips are motors with a feedback law; waist and neck are ball joints and the knees hinges, with springs and dampers.
Prints the balance of energy and work; writes the energies over time, a strobe picture of the highest swing, a page and the
results to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure

PERIOD = 2.4  # of the swing, s
ASIDE = (-0.1, 0.1)  # lateral positions of the two legs, m


def follow(gain: float, drag: float, middle: float, size: float):
    """A motor's law: a torque (N m) towards an angle (rad) that oscillates with the swing."""

    def torque(t, angle, rate):
        target = middle - size * math.sin(2 * math.pi * t / PERIOD)
        return gain * (target - angle) - drag * rate

    return torque


def build() -> po.System:
    """A figure hanging from a bar along x through the origin; it faces +y. Lengths in m, masses in kg."""
    s = po.System("gymnast", gravity=(0, 0, -9.81))

    def part(name, mass, radius, top, bottom, x=0.0):
        return s.body(name, po.Rod(radius=radius, mass=mass), between=((x, 0, top), (x, 0, bottom)))

    def ball(first, second, z, stiffness, damping, name):
        joint = s.spherical(first, second, at=(0, 0, z), name=name)
        s.add(po.TorsionSpring(joint, stiffness))
        s.add(po.JointDamper(joint, damping))

    arms, chest = part("arms", 7, 0.06, 0.0, -0.65), part("chest", 22, 0.13, -0.65, -0.95)
    head, pelvis = part("head", 5, 0.09, -0.62, -0.38), part("pelvis", 12, 0.13, -0.95, -1.2)
    grip = s.revolute(s.ground, arms, at=(0, 0, 0), axis="x", name="grip")
    s.add(po.JointDamper(grip, 2.0))
    shoulders = s.revolute(arms, chest, at=(0, 0, -0.65), axis="x", name="shoulders")
    s.add(po.Motor(shoulders, follow(900.0, 60.0, 0.0, 0.5), name="shoulder_motor"))
    ball(chest, head, -0.62, 40.0, 3.0, "neck")
    ball(chest, pelvis, -0.95, 900.0, 30.0, "waist")
    for side, x in zip(("left", "right"), ASIDE):
        thigh = part(f"{side}_thigh", 9, 0.08, -1.2, -1.65, x)
        shank = part(f"{side}_shank", 4.5, 0.05, -1.65, -2.1, x)
        hip = s.revolute(pelvis, thigh, at=(x, 0, -1.2), axis="x", name=f"{side}_hip")
        knee = s.revolute(thigh, shank, at=(x, 0, -1.65), axis="x", name=f"{side}_knee")
        s.add(po.Motor(hip, follow(500.0, 40.0, 0.4, 0.8 + x), name=f"{side}_hip_motor"))
        hip.set(angle=0.4)
        s.add(po.TorsionSpring(knee, 300.0))
        s.add(po.JointDamper(knee, 8.0))
    grip.set(angle=0.3)
    return s


def main(folder: Path = Path("out"), duration: float = 15.0) -> po.Trajectory:
    """Run it, print the height of the swing, and write two pictures, a page and the results."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, step=0.005, estimate_error=True)
    print(run.audit)
    swing = np.degrees(np.abs(run["grip"].angle))
    bend = np.degrees(np.arccos(((np.trace(run["waist"].rotation, axis1=1, axis2=2) - 1) / 2).clip(-1, 1)))
    pull = np.linalg.norm(run["grip"].force, axis=1)
    print(f"The swing of the arms grew from {swing[0]:.0f} to {swing.max():.0f} degrees.")
    print(f"The waist bent by {bend.max():.0f} degrees; the bar carried up to {pull.max():.0f} N.")
    print(f"Work of the motors less that lost in the dampers: {run.work[-1]:.0f} J.")
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "gymnast_energy.png", dpi=150)
    end = run.t[swing.argmax()]
    strobe = run.snapshots(np.linspace(max(0.0, end - PERIOD / 2), end, 6).round(3))
    strobe.axes[0].view_init(elev=12, azim=-25)
    strobe.axes[0].set(xticks=(-0.5, 0.5), yticks=(-2, -1, 1, 2), zticks=(-2, -1, 0))
    strobe.savefig(folder / "gymnast_strobe.png", dpi=150)
    run.save(folder / "gymnast.h5")
    run.write_html(folder / "gymnast.html", description="A gymnast swings up on the high bar by moving shoulders and hips.")
    print(f"Energies over time: {folder / 'gymnast_energy.png'}")
    print(f"Strobe picture:     {folder / 'gymnast_strobe.png'}")
    print(f"Page:               {folder / 'gymnast.html'}")
    print(f"Results:            {folder / 'gymnast.h5'}")
    return run


if __name__ == "__main__":
    main()
