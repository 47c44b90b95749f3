"""A delta robot picks and places: three motors at the base move a platform that never rotates.

Three arms turn on the base; from the elbow of each, two thin parallel rods lead to the platform, with universal joints above and
ball joints below. The pairs of rods are parallelograms and keep the platform level. The platform lifts off, moves over, sets down, waits and
comes back; the torques of the three motors are results. They peak at 5 N m where the platform accelerates and decelerates,
and at rest they carry the weight of arms, rods and platform. Writes torques, the path, a strobe picture,
a page and the results to out/, and the model as a file.
"""

from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import path_figure

BASE, PLATFORM = 0.2, 0.06  # radius of the motors and of the platform's joints, m
ARM, ROD, ASIDE = 0.3, 0.7, 0.05  # lengths of arms and rods, half the distance between two rods, m
PICK, WAY, LIFT = np.array([-0.15, -0.05, -0.7]), np.array([0.3, 0.15, 0.0]), np.array([0.0, 0.0, 0.1])  # m
MOVES = [  # start and end (s), displacement (m)
    (0.0, 0.3, LIFT), (0.1, 0.5, WAY), (0.3, 0.6, -LIFT),
    (0.7, 1.0, LIFT), (0.8, 1.2, -WAY), (1.0, 1.3, -LIFT),
]  # fmt: skip


def path() -> po.Signal:
    """Position of the platform's centre (m): a sum of smooth moves, one polynomial between the times at which any of them begins or ends."""
    times = sorted({t for begin, end, _ in MOVES for t in (begin, end)})
    pieces = np.zeros((len(times) - 1, 8, 3))
    pieces[:, 0] = PICK
    for begin, end, by in MOVES:
        move = np.polynomial.Polynomial(po.signals.step(begin, end, 1.0).coefficients[0, :, 0])
        for piece, start in zip(pieces, times):
            if begin <= start < end:
                piece += np.outer(move(np.polynomial.Polynomial([start - begin, 1.0])).coef, by)
            elif start >= end:
                piece[0] += by
    return po.signals.Polynomials(times, pieces)


def elbow(shoulder: np.ndarray, outwards: np.ndarray, joint: np.ndarray) -> np.ndarray:
    """End of the arm (m) when its rods lead to `joint`, half-way between their two ball joints."""
    way = joint - shoulder
    u, w = way @ outwards, way[2]
    c = (way @ way + ARM**2 - ROD**2) / (2 * ARM)
    angle = np.arctan2(-w, u) - np.arccos(c / np.hypot(u, w))
    return shoulder + ARM * (np.cos(angle) * outwards - np.sin(angle) * np.array([0, 0, 1]))


def build() -> po.System:
    """The robot with its platform at the beginning of the path; z up."""
    s = po.System("delta robot", gravity=(0, 0, -9.81))
    platform = s.body("platform", po.Cylinder(radius=PLATFORM, length=0.02, mass=0.8), position=PICK)
    motors = []
    for k in range(3):
        angle = 2 * np.pi * k / 3
        outwards = np.array([np.cos(angle), np.sin(angle), 0.0])
        along = np.array([-np.sin(angle), np.cos(angle), 0.0])
        shoulder, joint = BASE * outwards, PICK + PLATFORM * outwards
        top = elbow(shoulder, outwards, joint)
        arm = s.body(f"arm{k + 1}", po.Rod(radius=0.015, mass=0.4), between=(shoulder, top))
        hinge = s.revolute(s.ground, arm, at=shoulder, axis=along, name=f"shoulder{k + 1}")
        motors.append(s.add(po.Motor(hinge, name=f"motor{k + 1}")))
        for side, aside in (("a", -ASIDE * along), ("b", ASIDE * along)):
            ends = (top + aside, joint + aside)
            rod = s.body(f"rod{k + 1}{side}", po.Rod(radius=0.005, mass=0.05), between=ends)
            s.universal(arm, rod, at=ends[0], axis=along, axis2=np.cross(along, joint - top), name=f"elbow{k + 1}{side}")
            s.spherical(rod, platform, at=ends[1], name=f"ball{k + 1}{side}")
    s.add(po.Servo([platform.x, platform.y, platform.z], target=path(), inputs=motors, name="servo"))
    return s


def main(folder: Path = Path("out"), duration: float = 1.4, step: float = 0.01) -> po.Trajectory:
    """Run it, print how well the platform follows its path and stays level, and write three pictures, a page, the results and the model."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, step=step)
    print(run.audit)
    place = run["platform"].position
    wanted = np.array([path().function(t) for t in run.t])
    print(f"The platform is off its path by at most {np.abs(place - wanted).max():.1e} m,")
    print(f"and turned by at most {np.abs(run['platform'].rotation - np.eye(3)).max():.1e} rad.")
    torques = {f"motor{k}": run[f"motor{k}"].effort for k in (1, 2, 3)}
    print(f"The motors give up to {max(np.abs(x).max() for x in torques.values()):.2f} N m.")
    folder.mkdir(parents=True, exist_ok=True)
    run.plot([f"{motor}.effort" for motor in torques]).savefig(folder / "delta_torques.png", dpi=150)
    path_figure(run, {"platform": place[:, [0, 2]]}, "xz").savefig(folder / "delta_paths.png", dpi=150)
    strobe = run.snapshots(np.linspace(0.0, min(duration, 0.6), 3).round(2), paths=["platform"])
    strobe.axes[0].view_init(elev=20, azim=-70)
    strobe.savefig(folder / "delta_strobe.png", dpi=150)
    run.save(folder / "delta_robot.h5")
    words = "Three motors at the base move a platform that never rotates: lift, move over, set down, wait, come back."
    run.write_html(folder / "delta_robot.html", description=words)
    system.to_yaml(folder / "delta_robot.yaml")
    for what in ("torques", "paths", "strobe"):
        print(f"{what.capitalize() + ':':8} {folder / f'delta_{what}.png'}")
    for what, ending in (("Page", "html"), ("Results", "h5"), ("Model", "yaml")):
        print(f"{what + ':':8} {folder / f'delta_robot.{ending}'}")
    return run


if __name__ == "__main__":
    main()
