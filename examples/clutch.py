"""A flywheel, a clutch and a driven wheel with a pendulum on it: the clutch closes, and later opens again.

Closing locks two shafts together at once: the impulse in the clutch and the energy lost in it are results, and the audit's balance includes
them. At every passage of the pendulum through its lowest position a small hammer strikes it. Writes a picture, a page and the results to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import energy_figure

FLYWHEEL, WHEEL = 0.5, 0.2  # inertias about the shaft, kg m^2
SPEED = 12.0  # of the flywheel at the start, rad/s
CLOSES, OPENS = 1.0, 2.5  # s
BLOW = 0.15  # N s, of the hammer


def build() -> po.System:
    """Two wheels on one shaft, and a pendulum on the rim of the second."""
    s = po.System("clutch", gravity=(0, 0, -9.81))
    flywheel = s.body("flywheel", po.Cylinder(radius=0.3, length=0.1, mass=2 * FLYWHEEL / 0.3**2), rotation=("x", math.pi / 2), position=(0, -0.1, 0))
    wheel = s.body("wheel", po.Cylinder(radius=0.3, length=0.1, mass=2 * WHEEL / 0.3**2), rotation=("x", math.pi / 2), position=(0, 0.1, 0))
    s.revolute(s.ground, flywheel, at=(0, 0, 0), axis="y", name="shaft").set(rate=SPEED)
    s.revolute(flywheel, wheel, at=(0, 0, 0), axis="y", name="slip").set(rate=-SPEED)
    bob = s.body("bob", po.Rod(radius=0.02, mass=0.5), between=((0.3, 0.2, 0), (0.3, 0.2, -0.5)))
    s.revolute(wheel, bob, at=(0.3, 0.2, 0), axis="y", name="hinge")
    return s


def events(s: po.System) -> list[po.Event]:
    """The clutch closes and opens at given times; the hammer strikes whenever the rod hangs straight down, against its motion."""
    slip, bob = s["slip"], s["bob"]

    def lean(t: float, state: po.Trajectory) -> float:
        return state["bob"].rotation[0, 0]  # of the rod's axis, horizontal part

    def blow(t: float, state: po.Trajectory) -> np.ndarray:
        velocity = state["bob"].com_velocity
        return -BLOW * velocity / max(np.linalg.norm(velocity), 1e-9)

    return [
        po.Event(CLOSES, po.Lock(slip.angle), name="clutch closes"),
        po.Event(OPENS, po.Release(slip.angle), name="clutch opens"),
        po.Event(lean, po.Impulse(bob, blow), name="hammer"),
    ]


def main(folder: Path = Path("out"), duration: float = 4.0, step: float = 0.005) -> po.Trajectory:
    """Run it, print what happened and what was conserved, and write a picture, a page and the results."""
    system = build()
    run = po.simulate(system, duration, step=step, events=events(system))
    print(run.impulses)
    print(run.audit)
    folder.mkdir(parents=True, exist_ok=True)
    energy_figure(run).savefig(folder / "clutch_energy.png", dpi=150)
    run.save(folder / "clutch.h5")
    run.write_html(folder / "clutch.html", description="A clutch closes and opens again; a hammer strikes the pendulum.")
    print(f"Energies over time: {folder / 'clutch_energy.png'}")
    print(f"Page:               {folder / 'clutch.html'}")
    print(f"Results:            {folder / 'clutch.h5'}")
    return run


if __name__ == "__main__":
    main()
