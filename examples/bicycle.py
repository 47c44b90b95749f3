"""The Whipple bicycle: two wheels that roll without slipping, a frame with a rider, and a fork, which steers itself.

Parameters and rates are those of the benchmark of Meijaard, Papadopoulos, Ruina and Schwab (Proc. R. Soc. A 463, 2007). At 5 m/s the
bicycle without hands recovers from a disturbance; at 4 m/s it weaves more and more. The rates at which small motions grow or decay
are read from the runs, and printed next to the published eigenvalues. Then it is pushed at 5 m/s. Prints check and audits, writes
lean and steer, the tracks of both wheels, a page and results to out/.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

WHEELBASE, TRAIL, TILT = 1.02, 0.08, math.pi / 10  # m, m, rad: of the steering axis from the vertical
REAR, FRONT = 0.3, 0.35  # radii, m
PUBLISHED = {  # by speed, m/s: weave, capsize, castering
    4.0: (0.41325331521125 + 3.07910818603206j, -1.42944427361326, -12.15861426576447),
    5.0: (-0.77534188219585 + 4.46486771378823j, -0.32286642900409, -14.07838969279822),
    10.0: (-3.72016840437287 + 10.90681139476287j, 0.16105338653172, -24.62459635017404),
}


def inertia(xx: float, yy: float, zz: float, xz: float) -> np.ndarray:
    """About the centre of mass, x forward, z up; the benchmark has z down, and so the other sign of xz."""
    return np.array([[xx, 0, -xz], [0, yy, 0], [-xz, 0, zz]])


def build(speed: float = 5.0) -> po.System:
    """Upright, rolling along x at this speed, m/s."""
    s = po.System("bicycle", gravity=(0, 0, -9.81))
    frame = s.body("frame", mass=85.0, inertia=inertia(9.2, 11.0, 2.8, 2.4), position=(0.3, 0, 0.9))
    fork = s.body("fork", mass=4.0, inertia=inertia(0.05892, 0.06, 0.00708, -0.00756), position=(0.9, 0, 0.7))
    rear = s.body("rear", mass=2.0, inertia=(0.0603, 0.12, 0.0603), position=(0, 0, REAR))
    front = s.body("front", mass=3.0, inertia=(0.1405, 0.28, 0.1405), position=(WHEELBASE, 0, FRONT))
    s.revolute(frame, fork, at=(WHEELBASE + TRAIL, 0, 0), axis=(-math.sin(TILT), 0, math.cos(TILT)), name="steer")
    s.revolute(frame, rear, at=(0, 0, REAR), axis="y", name="rear_hub").set(rate=speed / REAR)
    s.revolute(fork, front, at=(WHEELBASE, 0, FRONT), axis="y", name="front_hub")
    s.add(po.Rolling(s.ground, rear, at=(0, 0, REAR), radius=REAR, axis="y", name="rear_contact"))
    s.add(po.Rolling(s.ground, front, at=(WHEELBASE, 0, FRONT), radius=FRONT, axis="y", name="front_contact"))
    return s


def lean(run: po.Trajectory) -> tuple[np.ndarray, np.ndarray]:
    """Lean of the frame to the right (rad) and its rate (rad/s)."""
    left = run["frame"].rotation[:, :, 1]
    ahead = np.cross(left, (0, 0, 1))
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    return np.arcsin(left[:, 2]), np.sum(run["frame"].angular_velocity * ahead, axis=1)


def rates(run: po.Trajectory) -> np.ndarray:
    """Eigenvalues (1/s) of the small motion of lean and steer: of the matrix that takes their values from one output to the next."""
    values = np.array([*lean(run), run["steer"].angle, run["steer"].rate])
    values /= np.abs(values).max(axis=1, keepdims=True)
    step = values[:, 1:] @ np.linalg.pinv(values[:, :-1])
    return np.log(np.linalg.eigvals(step).astype(complex)) / (run.t[1] - run.t[0])


def main(folder: Path = Path("out"), duration: float = 5.0) -> po.Trajectory:
    """Compare the rates of small motions, push the bicycle, and write pictures, a page and results."""
    print(build(5.0).check())
    for speed, published in PUBLISHED.items():
        small = build(speed)
        small["steer"].set(rate=3e-5)
        found = rates(po.simulate(small, 0.6, step=0.002, output_step=0.01))
        off = max(np.abs(found - value).min() for value in published)
        weave = found[np.argmax(found.imag)]
        print(f"{speed:4.0f} m/s: weave {weave.real:+.6f} +- {weave.imag:.6f}i, all rates off by at most {off:.1e} 1/s from the published ones.")
    pushed = build(5.0)
    pushed["steer"].set(rate=1.5)
    run = po.simulate(pushed, duration, step=0.005, output_step=0.01)
    print(run.audit)
    leaning = np.degrees(lean(run)[0])
    print(f"Pushed at 5 m/s: it leans by up to {np.abs(leaning).max():.1f} degrees, at the end by {leaning[-1]:.2f}.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 6), layout="constrained")
    above.plot(run.t, leaning, label="lean to the right")
    above.plot(run.t, np.degrees(run["steer"].angle), label="steer to the left")
    above.set(xlabel="t [s]", ylabel="angle [degrees]")
    for name in ("rear", "front"):
        below.plot(*run[f"{name}_contact"].contact[:, :2].T, label=f"track of the {name} wheel")
    below.set(xlabel="x [m]", ylabel="y [m]")
    for axes in (above, below):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(folder / "bicycle.png", dpi=150)
    plt.close(figure)
    print(f"Lean and tracks: {folder / 'bicycle.png'}")
    words = "A bicycle without hands at 5 m/s, pushed at the handlebars: it steers into the fall and rights itself."
    page = run.write_html(folder / "bicycle.html", description=words, plots=["steer.angle", "front_contact.force", "energy_error"])
    print(f"Page:            {page}")
    print(f"Results:         {run.save(folder / 'bicycle.h5')}")
    return run


if __name__ == "__main__":
    main()
