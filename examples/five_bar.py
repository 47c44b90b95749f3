"""A five-bar linkage draws a clover: two motors on the ground move one pen.

Two cranks turn about points of the ground, two rods are hinged to them and meet at the pen. The pen follows a path given as a
function of time; the torques of the two motors are results. The pen draws a clover of three leaves in four seconds, from rest to
rest. Writes torques, the path, a strobe picture, a page
and the results to out/.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import path_figure

BASE, CRANK, ROD = 0.2, 0.4, 0.5  # distance between the motors, lengths of cranks and rods, m
CENTRE, LEAF = np.array([0.1, 0.62]), 0.12  # centre and size of the clover, m
ROUND = 4.0  # time of the drawing, s


def path(t):
    """Target of the pen (m): a clover, traversed by an angle that starts and ends at rest."""
    u = min(max(t / ROUND, 0.0), 1.0)
    angle = 2 * np.pi * u**5 * (126 - 420 * u + 540 * u**2 - 315 * u**3 + 70 * u**4)
    radius = LEAF * (0.7 + 0.3 * np.cos(3 * angle))
    return CENTRE[0] + radius * np.sin(angle), CENTRE[1] + radius * np.cos(angle)


def elbow(shoulder: np.ndarray, pen: np.ndarray, side: float) -> np.ndarray:
    """Joint of crank and rod (m), to the left (+1) or right (-1) of the line from the motor to the pen."""
    way = pen - shoulder
    distance = np.linalg.norm(way)
    along = (distance**2 + CRANK**2 - ROD**2) / (2 * distance)
    across = side * np.sqrt(CRANK**2 - along**2)
    return shoulder + (along * way + across * np.array([-way[1], way[0]])) / distance


def build() -> po.System:
    """The linkage, drawn with its pen at the beginning of the path."""
    p = po.System("five-bar", plane="xy", gravity=None)
    pen = np.array(path(0.0))
    joints, rods = [], []
    for name, x, side in (("left", 0.0, 1.0), ("right", BASE, -1.0)):
        shoulder = np.array([x, 0.0])
        knee = elbow(shoulder, pen, side)
        crank = p.body(f"{name}_crank", po.Rod(radius=0.012, mass=0.6), between=(shoulder, knee))
        rods.append(p.body(f"{name}_rod", po.Rod(radius=0.01, mass=0.4), between=(knee, pen)))
        joints.append(p.revolute(p.ground, crank, at=shoulder, name=name))
        p.revolute(crank, rods[-1], at=knee, name=f"{name}_elbow")
    p.revolute(*rods, at=pen, name="pen")
    left, right = joints
    tip = rods[0].end
    m1, m2 = p.add(po.Motor(left, name="m1")), p.add(po.Motor(right, name="m2"))
    p.add(po.Servo([tip.x, tip.y], target=po.Signal(path), inputs=[m1, m2]))
    return p


def main(folder: Path = Path("out"), duration: float = ROUND, step: float = 0.02) -> po.Trajectory:
    """Run it, print how well the pen follows its path and the torques, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, step=step)
    print(run.audit)
    drawn = run["left_rod"].point(system["left_rod"].end.position)[:, :2]
    wanted = np.array([path(t) for t in run.t])
    print(f"The pen is off its path by at most {np.abs(drawn - wanted).max():.1e} m.")
    torques = {name: run[name].effort for name in ("m1", "m2")}
    print(f"The motors give up to {max(np.abs(x).max() for x in torques.values()):.3f} N m and do {run.work[-1]:.1e} J of work in total.")
    folder.mkdir(parents=True, exist_ok=True)
    run.plot(("m1.effort", "m2.effort")).savefig(folder / "five_bar_torques.png", dpi=150)
    elbows = {f"{side} elbow": run[f"{side}_rod"].point(system[f"{side}_rod"].start.position)[:, :2] for side in ("left", "right")}
    path_figure(run, {"pen": drawn, **elbows}, "xy").savefig(folder / "five_bar_paths.png", dpi=150)
    times = duration * np.array([0.0, 0.4, 0.45, 0.5, 0.55, 0.6])
    run.snapshots(times, paths=[system["left_rod"].end]).savefig(folder / "five_bar_strobe.png", dpi=150)
    run.save(folder / "five_bar.h5")
    run.write_html(folder / "five_bar.html", description="Two motors on the ground move one pen, which draws a clover.")
    for what in ("torques", "paths", "strobe"):
        print(f"{what.capitalize() + ':':8} {folder / f'five_bar_{what}.png'}")
    print(f"Page:    {folder / 'five_bar.html'}")
    print(f"Results: {folder / 'five_bar.h5'}")
    return run


if __name__ == "__main__":
    main()
