"""A gyroscope in gimbals: a fast rotor in an inner frame, which is in an outer frame, on three nested hinges.

A weight on the inner frame pulls at the horizontal axis of the rotor, which precesses instead of falling, at the rate
weight x arm / (inertia x spin), for a minute. Then the frames pass through the position in which two of
their axes coincide, where Euler angles are singular: nothing happens there, neither in joint coordinates nor with
directors. Prints check and audits, the precession next to the formula, and the difference between the two formulations; writes
the angles, a strobe picture, pages and results of both to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po

SPIN = 200.0  # of the rotor, rad/s
ROTOR = po.Disc(0.08, 0.02, axis="y", mass=3.0)
WEIGHT, ARM = 0.5, 0.11  # kg, m
WORDS = {
    "precession": "A weight pulls at the horizontal axis of the fast rotor, which precesses instead of falling.",
    "coinciding": "The frames pass through the position in which two of their axes coincide: nothing happens there.",
}
PRECESSION = WEIGHT * 9.81 * ARM / (0.5 * 3.0 * 0.08**2 * SPIN)  # rad/s


def frame(half: float, mass: float, axes: tuple[int, int], extra: list) -> po.Composite:
    """A square frame of four rods with edges of 2 half (m) along two axes, with further parts."""
    parts = []
    for a, b in (axes, axes[::-1]):
        turn = {0: None, 1: ("z", math.pi / 2), 2: ("y", -math.pi / 2)}[a]
        for side in (-half, half):
            place = np.zeros(3)
            place[b] = side
            parts.append((po.Rod(radius=0.004, length=2 * half, mass=mass / 4), place, turn))
    return po.Composite(parts + extra)


def build(weight: bool) -> po.System:
    """The outer frame turns about z, the inner about x, the rotor about y; all axes meet in the origin."""
    s = po.System("gimbals", gravity=(0, 0, -9.81))
    outer = s.body("outer", frame(0.16, 0.6, (0, 2), []))
    load = [(po.Sphere(0.01, mass=WEIGHT), (0, ARM, 0))] if weight else []
    inner = s.body("inner", frame(0.11, 0.4, (0, 1), load))
    rotor = s.body("rotor", ROTOR)
    s.revolute(s.ground, outer, at=(0, 0, 0), axis="z", name="azimuth")
    s.revolute(outer, inner, at=(0, 0, 0), axis="x", name="tilt")
    s.revolute(inner, rotor, at=(0, 0, 0), axis="y", name="spin")
    s["spin"].set(rate=SPIN)
    return s


def main(folder: Path = Path("out"), duration: float = 60.0) -> po.Trajectory:
    """Run both experiments, compare with the formula and with each other, and write pictures, pages and results."""
    system = build(weight=True)
    print(system.check())
    system["azimuth"].set(rate=PRECESSION)
    steady = po.simulate(system, duration, step=0.005, output_step=0.05)
    print(steady.audit)
    off = steady["azimuth"].angle[-1] - PRECESSION * duration
    tilt = np.abs(steady["tilt"].angle).max()
    print(f"Precession {PRECESSION:.6f} rad/s, {PRECESSION * duration / (2 * math.pi):.2f} turns: off by {off:.1e} rad.")
    print(f"The rotor's axis stayed level to {tilt:.1e} rad.")

    free = build(weight=False)
    free["spin"].set(rate=10.0)
    free["tilt"].set(rate=8.0)
    free["azimuth"].set(rate=3.0)
    tree, other = (
        po.simulate(free, duration / 10, step=0.002, formulation=name, estimate_error=True) for name in ("tree", "directors")
    )
    print(other.audit)
    apart = np.abs(tree["rotor"].rotation - other["rotor"].rotation).max()
    print(f"Tilt from {np.degrees(other['tilt'].angle.min()):.0f} to {np.degrees(other['tilt'].angle.max()):.0f} degrees;")
    print(f"  joint coordinates and directors differ by at most {apart:.1e} in the rotor's attitude.")
    folder.mkdir(parents=True, exist_ok=True)
    strobe = steady.snapshots([0.0, min(duration, 4.0)])
    strobe.axes[0].view_init(elev=22, azim=-50)
    strobe.savefig(folder / "gimbals_strobe.png", dpi=150)
    print(f"Strobe picture: {folder / 'gimbals_strobe.png'}")
    for run, name in ((steady, "precession"), (other, "coinciding")):
        path = folder / f"gimbals_{name}.png"
        run.plot("azimuth.angle", "tilt.angle").savefig(path, dpi=150)
        print(f"Angles:         {path}")
        page = run.write_html(path.with_suffix(".html"), description=WORDS[name], plots=["azimuth.angle", "tilt.angle", "energy_error"])
        print(f"Page:           {page}")
        print(f"Results:        {run.save(path.with_suffix('.h5'))}")
    return other


if __name__ == "__main__":
    main()
