"""A free-floating planar manipulator with three legs writes a figure of eight (uhlar2008, example 3).

A small platform is connected to a larger one by three legs, each a hinge, a slide and a hinge; nothing is fixed to the ground. Motors in the
three inner hinges make the small platform follow the figure of eight without rotating. The torques of the motors are smooth and
all different, and the large platform moves in the opposite direction: the common centre of mass stays at rest, the angular momentum zero.
Writes torques, paths, a strobe picture, a page and the results to out/.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import path_figure

CENTRE = np.array([0.0, np.sqrt(3) / 6])  # of both platforms, m
CORNERS = np.array([[-0.5, -np.sqrt(3) / 6], [0.5, -np.sqrt(3) / 6], [0.0, np.sqrt(3) / 3]])  # of the large one, from its centre, m
SIZE = 0.4  # of the small platform, relative to the large one
SLIDES = (np.pi / 6, 5 * np.pi / 6, -np.pi / 2)  # directions of the legs, rad
REFERENCE = {  # converged torques of uhlar2008's model, N m
    0.5: (1.16044944, -2.47347215, 1.48056635),
    1.0: (3.83219223, 1.76982932, -3.45648419),
    2.0: (-1.79923523, -3.50130064, 3.20316539),
    2.5: (-0.65935641, 2.67506380, -2.25138221),
}


def clock() -> po.signals.Polynomials:
    """The parameter of the path, rad: it starts and ends smoothly, and increases at pi per second in between."""
    ramp = np.zeros(11)
    ramp[6:] = np.pi * np.array([126 / 6, -420 / 7, 540 / 8, -315 / 9, 70 / 10])
    even = np.pi * np.eye(11)[1]
    first = ramp.sum() * np.eye(11)[0]
    return po.signals.Polynomials([0, 1, 2, 3], [ramp, first + even, first + np.pi * np.eye(11)[0] + even - ramp])


def figure_of_eight() -> po.Signal:
    """Position (m) and angle (rad) of the small platform, with their rates and accelerations."""
    parameter = clock()

    def value(t):
        s = parameter.at(t)[0, 0]
        return CENTRE[0] + np.sin(s) / 12, CENTRE[1] + np.sin(2 * s) / 16, 0.0

    def rate(t):
        s, ds, _ = parameter.at(t)[:, 0]
        return np.cos(s) * ds / 12, np.cos(2 * s) * ds / 8, 0.0

    def acceleration(t):
        s, ds, dds = parameter.at(t)[:, 0]
        return (np.cos(s) * dds - np.sin(s) * ds**2) / 12, (np.cos(2 * s) * dds - 2 * np.sin(2 * s) * ds**2) / 8, 0.0

    return po.Signal(value, rate, acceleration)


def build() -> po.System:
    """Two platforms and three legs, free to move; masses and inertias of the paper."""
    p = po.System("manipulator", plane="xy", gravity=None)
    large = p.body("large", mass=8.0, inertia=0.2, position=CENTRE)
    small = p.body("small", mass=3.0, inertia=0.0816, position=CENTRE)
    motors = []
    for k, (corner, slide) in enumerate(zip(CORNERS, SLIDES), 1):
        along = np.array([np.cos(slide), np.sin(slide)])
        hip, ankle = CENTRE + corner, CENTRE + SIZE * corner
        inner = p.body(f"inner{k}", mass=3.0, inertia=0.04, position=hip + 0.125 * along)
        outer = p.body(f"outer{k}", mass=4.0, inertia=0.12, position=ankle - 0.175 * along)
        joint = p.revolute(large, inner, at=hip, name=f"hip{k}")
        p.prismatic(inner, outer, axis=along, name=f"slide{k}")
        p.revolute(outer, small, at=ankle, name=f"ankle{k}")
        motors.append(p.add(po.Motor(joint, name=f"motor{k}")))
    p.add(po.Servo([small.x, small.y, small.angle], target=figure_of_eight(), inputs=motors, name="servo"))
    return p


def main(folder: Path = Path("out"), duration: float = 3.0, step: float = 0.02) -> po.Trajectory:
    """Run it, compare the torques with the reference, and write three pictures, a page and the results."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, step=step)
    print(run.audit)
    target = np.array([figure_of_eight().function(t)[:2] for t in run.t])
    print(f"The small platform is off its path by at most {np.abs(run['small'].position - target).max():.1e} m.")
    torques = {f"motor{k}": run[f"motor{k}"].effort for k in (1, 2, 3)}
    for t, wanted in REFERENCE.items():
        if t <= duration:
            off = max(abs(torque[run.index(t)] - w) for torque, w in zip(torques.values(), wanted))
            print(f"Torques at {t:g} s differ from the reference by at most {off:.1e} N m.")
    masses = np.array([body.mass for body in system.bodies])
    centre = np.einsum("b,bti->ti", masses, np.stack([run[body].com for body in system.bodies])) / masses.sum()
    print(f"The common centre of mass stays within {np.abs(centre - centre[0]).max():.1e} m,")
    print(f"the angular momentum within {np.abs(run.angular_momentum).max():.1e} kg m^2/s.")
    folder.mkdir(parents=True, exist_ok=True)
    run.plot([f"{motor}.effort" for motor in torques]).savefig(folder / "rpr_torques.png", dpi=150)
    paths = {f"{name} platform": run[name].position for name in ("small", "large")}
    path_figure(run, paths, "xy").savefig(folder / "rpr_paths.png", dpi=150)
    run.snapshots(np.linspace(0.0, 0.8 * duration, 3).round(2), paths=["small"]).savefig(folder / "rpr_strobe.png", dpi=150)
    run.save(folder / "rpr_manipulator.h5")
    words = "Three motors make the small platform write a figure of eight; the large one, free to move, moves in the opposite direction."
    run.write_html(folder / "rpr_manipulator.html", description=words)
    for what in ("torques", "paths", "strobe"):
        print(f"{what.capitalize() + ':':8} {folder / f'rpr_{what}.png'}")
    print(f"Page:    {folder / 'rpr_manipulator.html'}")
    print(f"Results: {folder / 'rpr_manipulator.h5'}")
    return run


if __name__ == "__main__":
    main()
