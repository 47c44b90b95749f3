"""A cart on two wheels with a pendulum on its axle: the wheels roll at different speeds, so that it drives curves while the pendulum swings.

Two wheels on one axle share their sideways force, which a rigid model does not determine: the audit says so. The motion is the same in
three formulations. Prints check, audit and the differences; writes tracks, a page and results to out/.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

WHEEL, TRACK = 0.25, 0.8  # radius and distance of the wheels, m


def build() -> po.System:
    """The pendulum leans forward; the wheels turn at 1 and 2 rad/s."""
    s = po.System("wheeled pendulum", gravity=(0, 0, -9.81))
    axle = s.body("axle", po.Rod(0.02, mass=1.0), between=((0, -TRACK / 2, WHEEL), (0, TRACK / 2, WHEEL)))
    pole = s.body("pole", po.Rod(0.02, mass=2.0), between=((0, 0, WHEEL), (0.3, 0, WHEEL + 0.4)))
    s.revolute(axle, pole, at=(0, 0, WHEEL), axis="y", name="hinge")
    for side, y, rate in (("right", -TRACK / 2, 2.0), ("left", TRACK / 2, 1.0)):
        wheel = s.body(f"{side}_wheel", po.Cylinder(WHEEL, 0.02, mass=1.5), position=(0, y, WHEEL), rotation=("x", np.pi / 2))
        s.revolute(axle, wheel, at=(0, y, WHEEL), axis="y", name=f"{side}_hub").set(rate=rate)
        s.add(po.Rolling(s.ground, wheel, at=(0, y, WHEEL), radius=WHEEL, axis="y", name=f"{side}_contact"))
    return s


def main(folder: Path = Path("out"), duration: float = 6.0, step: float = 0.005) -> po.Trajectory:
    """Run it in three formulations, and write pictures, a page and results."""
    s = build()
    print(s.check())
    run = po.simulate(s, duration, step=step, output_step=4 * step, integrator="energy-momentum-6")
    print(run.audit)
    for formulation in ("rotation-matrix", "newton-euler"):
        other = po.simulate(s, duration, formulation=formulation, rtol=1e-9, atol=1e-10, output_step=4 * step)
        off = max(np.abs(other[body].position - run[body].position).max() for body in s.bodies)
        print(f"{formulation} differs by at most {off:.1e} m.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    for side in ("right", "left"):
        axes.plot(*run[f"{side}_contact"].contact[:, :2].T, label=f"{side} wheel")
    axes.plot(*run["pole"].com[:, :2].T, label="pendulum", lw=0.8)
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    axes.legend()
    figure.savefig(folder / "wheeled_pendulum.png", dpi=150)
    plt.close(figure)
    print(f"Tracks:  {folder / 'wheeled_pendulum.png'}")
    words = "A pendulum on the axle of two wheels that roll without slipping: it swings, and the wheels draw curves."
    page = run.write_html(folder / "wheeled_pendulum.html", description=words, plots=["hinge.angle", "right_hub.rate", "energy_error"])
    print(f"Page:    {page}")
    print(f"Results: {run.save(folder / 'wheeled_pendulum.h5')}")
    return run


if __name__ == "__main__":
    main()
