"""An overhead crane carries a load over a wall: two motors for three degrees of freedom.

A trolley runs on a rail, a rope hangs from it, a winch pulls the load up along the rope. Trolley force and winch force are determined so
that the lifting eye of the load, 1 m above its centre of mass, follows a path over the wall. The third degree of freedom, the swing of the load
about its eye, is free: the load swings behind and ahead of the eye, and continues to swing after the eye has come to rest.

Why the eye and not the load's centre of mass? A rope transmits only tension; a push at the trolley acts on the load
transversely by rotating rope and load about their centre of percussion, which on a long rope lies just below the load's centre, here by
2.5 cm. A path of that point cannot be followed: the push does not accelerate it, the output-input matrix is singular, and the
run stops with an error that says so. Points above it respond to the push, the more the further away: the centre of mass itself would need
12 times the trolley force of the eye. Writes forces, paths, a strobe picture, a page and the results to out/.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import path_figure

ROPE, EYE = 6.0, 1.0  # length of the rope to the load's centre, height of the eye above it, m
LIFT, AWAY = 2.5, 8.0  # height of the wall to clear, distance along the rail, m
TIMES = (0.0, 3.0, 6.0, 9.0)  # of the points of the path, s


def eye_path() -> po.signals.Polynomials:
    """Up, over the wall and down again (m), from rest to rest."""
    low, high = EYE - ROPE, EYE - ROPE + LIFT
    return po.signals.spline(TIMES, [(0.0, low), (0.3 * AWAY, high), (0.7 * AWAY, high), (AWAY, low)])


def build() -> po.System:
    """Trolley, rope and load, at rest under the trolley; z up, the rail at z = 0."""
    c = po.System("crane", plane="xz", gravity=(0, -9.81))
    trolley = c.body("trolley", po.Box(1.0, 0.6, 0.3, mass=400.0), position=(0, 0))
    rope = c.body("rope", po.Rod(radius=0.1, mass=15.0), between=((0, 0), (0, -0.5)))  # with the mass of its block
    load = c.body("load", po.Box(1.2, 1.2, 0.8, mass=1000.0), position=(0, -ROPE))
    rail = c.prismatic(c.ground, trolley, axis="x", at=(0, 0), name="rail")
    c.revolute(trolley, rope, at=(0, 0), name="swing")
    winch = c.prismatic(rope, load, axis="z", at=(0, EYE - ROPE), name="winch")
    push, pull = c.add(po.Motor(rail, name="push")), c.add(po.Motor(winch, name="pull"))
    eye = load.at((0, EYE))
    c.add(po.Servo([eye.x, eye.z], target=eye_path(), inputs=[push, pull], name="servo"))
    return c


def main(folder: Path = Path("out"), duration: float = 12.0, step: float = 0.02) -> po.Trajectory:
    """Run it, print how far the load swings, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, step=step)
    print(run.audit)
    eye = run["load"].point((0, EYE))
    wanted = np.array([eye_path().at(t)[0] for t in run.t])
    print(f"The eye is off its path by at most {np.abs(eye - wanted).max():.1e} m.")
    swing = np.degrees(run["swing"].angle)
    print(f"The rope leans by up to {np.abs(swing).max():.1f} degrees.")
    if duration > TIMES[-1]:
        after = np.abs(swing[run.t >= TIMES[-1]]).max()
        print(f"After the eye has come to rest, at {TIMES[-1]:g} s, it continues to swing by {after:.1f} degrees.")
    folder.mkdir(parents=True, exist_ok=True)
    run.plot("push.effort", "pull.effort").savefig(folder / "crane_forces.png", dpi=150)
    paths = {"trolley": run["trolley"].position, "eye": eye, "load": run["load"].position}
    path_figure(run, paths, "xz").savefig(folder / "crane_paths.png", dpi=150)
    times = np.linspace(0.0, min(duration, TIMES[-1]), 7).round(1)
    strobe = run.snapshots(times, paths=[system["load"].at((0, EYE))])
    for k in map(run.index, times):
        strobe.axes[0].plot(*np.array([run["trolley"].position[k], eye[k]]).T, color="grey", linewidth=0.8)
    strobe.axes[0].legend(loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")
    strobe.savefig(folder / "crane_strobe.png", dpi=150)
    run.save(folder / "crane.h5")
    words = "A crane lifts a load over a wall: its eye follows a path, the swing of the load is free."
    run.write_html(folder / "crane.html", description=words)
    for what in ("forces", "paths", "strobe"):
        print(f"{what.capitalize() + ':':8} {folder / f'crane_{what}.png'}")
    print(f"Page:    {folder / 'crane.html'}")
    print(f"Results: {folder / 'crane.h5'}")
    return run


if __name__ == "__main__":
    main()
