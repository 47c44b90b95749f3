"""A scissor lift of three stages, front and rear, raised and lowered by one cylinder at its foot.

Twelve bars, two roller carriages and a platform on 24 joints: one degree of freedom and, with hinges and slides that
have no play, 31 redundant constraints. `check()` names them; the lift runs nevertheless. The lower it is, the
harder the cylinder must push. Prints check, assembly, audit, and the cylinder's force and work; writes energies, height
and force, a strobe picture, a page and the results to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure

STAGES, BAR, WIDTH = 3, 2.0, 0.8  # m: length of a bar, front to rear
LOW, HIGH = math.radians(15), math.radians(50)  # angles of the bars
BAR_MASS, PLATFORM, CARRIAGE = 8.0, 350.0, 6.0  # kg
PERIOD, AHEAD = 8.0, 0.5  # of one cycle, s; lead of the target over the lift at the start, s
FOOT = BAR * math.cos(LOW)  # of the rolling foot from the fixed one, lowered, m


def cylinder(t: float, x: float, rate: float) -> float:
    """Force of the cylinder on the rolling foot (N): the share of the weight at x (m), and a feedback towards a periodic target."""
    slope = (FOOT + x) / math.sqrt(BAR**2 - (FOOT + x) ** 2)  # rise of a stage per displacement of the foot
    weight = 9.81 * STAGES * (PLATFORM + CARRIAGE + STAGES * 2 * BAR_MASS)
    turn, far = 2.0 * math.pi / PERIOD, 0.5 * BAR * (math.cos(HIGH) - math.cos(LOW))
    wanted = far * (1.0 - math.cos(turn * (t + AHEAD)))
    wanted_rate = far * turn * math.sin(turn * (t + AHEAD))
    return -weight * slope + 4e5 * (wanted - x) + 1.5e5 * (wanted_rate - rate)


def build() -> po.System:
    """The lift lowered; x runs from the fixed to the rolling feet, y from front to rear."""
    s = po.System("scissor lift", gravity=(0, 0, -9.81))
    step = BAR * math.sin(LOW)  # height of a stage, m
    top = STAGES * step
    foot = s.body("foot", po.Rod(radius=0.03, mass=CARRIAGE), between=((FOOT, 0, 0), (FOOT, WIDTH, 0)))
    head = s.body("head", po.Rod(radius=0.03, mass=CARRIAGE), between=((FOOT, 0, top), (FOOT, WIDTH, top)))
    platform = s.body("platform", po.Box(BAR, WIDTH, 0.1, mass=PLATFORM), position=(FOOT / 2, WIDTH / 2, top))
    roll = s.prismatic(s.ground, foot, at=(FOOT, WIDTH / 2, 0), axis="x", name="roll")
    s.prismatic(platform, head, at=(FOOT, WIDTH / 2, top), axis="x", name="roll_top")
    for side, y in (("front", 0.0), ("rear", WIDTH)):
        below = (s.ground, foot)
        for k in range(STAGES):
            left, right = (0, y, k * step), (FOOT, y, k * step)
            up = s.body(f"{side}_up{k}", po.Rod(0.02, mass=BAR_MASS), between=(left, (FOOT, y, (k + 1) * step)))
            down = s.body(f"{side}_down{k}", po.Rod(0.02, mass=BAR_MASS), between=(right, (0, y, (k + 1) * step)))
            s.revolute(below[0], up, at=left, axis="y", name=f"{side}_left{k}")
            s.revolute(below[1], down, at=right, axis="y", name=f"{side}_right{k}")
            s.revolute(up, down, at=(FOOT / 2, y, (k + 0.5) * step), axis="y", name=f"{side}_cross{k}")
            below = (down, up)
        s.revolute(below[0], platform, at=(0, y, top), axis="y", name=f"{side}_left{STAGES}")
        s.revolute(below[1], head, at=(FOOT, y, top), axis="y", name=f"{side}_right{STAGES}")
    s.add(po.Motor(roll, cylinder, name="cylinder"))
    return s


def main(folder: Path = Path("out"), duration: float = 8.0) -> po.Trajectory:
    """Raise and lower it, compare the work with the energy, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    print(po.assemble(system))
    run = po.simulate(system, duration, step=0.01, estimate_error=True)
    print(run.audit)
    z, force, speed = run["platform"].position[:, 2], run["cylinder"].effort, run["roll"].rate
    level = np.abs(run["platform"].rotation[:, 2, :2]).max()
    print(f"The platform rose from {z.min():.3f} to {z.max():.3f} m and stayed level to {level:.0e} rad;")
    print(f"  the cylinder pushed with {-force.max() / 1e3:.1f} to {-force.min() / 1e3:.1f} kN.")
    gain = run.energy - run.energy[0]
    work = np.concatenate([[0.0], np.cumsum(0.5 * ((force * speed)[1:] + (force * speed)[:-1])) * np.diff(run.t)])
    print(f"  Its work equals the gain of energy to {np.abs(gain - work).max() / np.ptp(gain):.0e} of it (trapezoids).")
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "scissor_lift_energy.png", dpi=150)
    run.plot("platform.position.z", "cylinder.effort").savefig(folder / "scissor_lift_force.png", dpi=150)
    strobe = run.snapshots([0.0, duration / 10, duration / 2])
    strobe.axes[0].view_init(elev=12, azim=-70)
    strobe.savefig(folder / "scissor_lift_strobe.png", dpi=150)
    run.save(folder / "scissor_lift.h5")
    words = "Three stages, front and rear, raised and lowered by one cylinder: one degree of freedom, 31 redundant constraints."
    run.write_html(folder / "scissor_lift.html", description=words)
    print(f"Energies over time: {folder / 'scissor_lift_energy.png'}")
    print(f"Height and force:   {folder / 'scissor_lift_force.png'}")
    print(f"Strobe picture:     {folder / 'scissor_lift_strobe.png'}")
    print(f"Page:               {folder / 'scissor_lift.html'}")
    print(f"Results:            {folder / 'scissor_lift.h5'}")
    return run


if __name__ == "__main__":
    main()
