"""The suspension of a wheel: how stiffness and damping of its strut change the largest jump and the time until it is quiet.

A quarter of a car (250 kg) stands on a strut above a wheel (40 kg) on its tyre, and is dropped by 5 cm. Every stiffness is combined with
every damping. Writes maps, a page with three of the runs overlaid and the results of the quietest to out/.
"""

from pathlib import Path

import numpy as np

import poinsot as po

QUIET = 0.002  # m


def build() -> po.System:
    """Car and wheel on vertical slides, in equilibrium but for the drop."""
    s = po.System("suspension", gravity=None)
    wheel = s.body("wheel", po.Disc(radius=0.3, thickness=0.2, axis="y", mass=40.0), position=(0, 0, 0.3))
    car = s.body("car", po.Box(1.0, 0.5, 0.3, mass=250.0), position=(0, 0, 0.9))
    road = s.prismatic(s.ground, wheel, axis="z", name="road")
    strut = s.prismatic(wheel, car, axis="z", name="strut")
    s.add(po.JointSpring(road, stiffness=2e5, name="tyre"))
    s.add(po.JointSpring(strut, stiffness=2e4, name="spring"))
    s.add(po.JointDamper(strut, 1500.0, name="damper"))
    strut.set(displacement=-0.05)
    return s


def settled(run: po.Trajectory) -> float:
    """Time (s) after which the car stays within 2 mm of where it stands."""
    height = run["car"].position[:, 2] - 0.9
    loud = np.nonzero(np.abs(height) > QUIET)[0]
    return float(run.t[min(loud[-1] + 1, len(run.t) - 1)]) if len(loud) else 0.0


def main(folder: Path = Path("out"), size: int = 25, duration: float = 4.0) -> po.Trajectory:
    """Sweep, draw maps, and overlay the softest, the quietest and the hardest."""
    folder.mkdir(parents=True, exist_ok=True)
    vary = {"spring.stiffness": np.linspace(1e4, 4e4, size), "damper.damping": np.linspace(500.0, 4000.0, size)}
    found = po.sweep(build(), vary, duration, step=0.01, record=[settled, po.largest("car.acceleration"), po.largest("tyre.effort")])
    print(found)
    best = int(np.argmin(found.values("settled")))
    chosen = ", ".join(f"{name} {value:.0f}" for name, value in found.task.variants.change(best).items())
    print(f"Quiet soonest, after {found.values('settled').min():.2f} s: {chosen}.")
    found.plot("settled", "largest(car.acceleration)").savefig(folder / "suspension.png", dpi=110)
    found.write_html(folder / "suspension.html", [0, best, len(found) - 1], plots=["car.position.z", "tyre.effort"])
    run = found.run(best)
    run.save(folder / "suspension.h5")
    print(f"Maps:          {folder / 'suspension.png'}\nRuns overlaid: {folder / 'suspension.html'}\nResults:       {folder / 'suspension.h5'}")
    return run


if __name__ == "__main__":
    main()
