"""A T-handle that spins in weightlessness about its middle axis, and turns over again and again (Dzhanibekov's effect).

Prints the time between two turns next to that of Jacobi's elliptic functions, and how well Poinsot's construction holds: the inertia
ellipsoid rolls on a plane that does not move. Writes polhode, herpolhode, momentum sphere and Euler angles, a page and the results to out/;
in the page, choose the handle under "Poinsot".
"""

from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import ellipk

import poinsot as po

SPIN = (6.0, 0.02, 0.02)  # rad/s, body axes: about the stem, and a little beside it


def build() -> po.System:
    """A crossbar along y with a stem along x, 0.4 kg, free in space."""
    s = po.System("T-handle", gravity=None)
    bar, stem = po.Box(0.03, 0.16, 0.03, mass=0.3), po.Box(0.08, 0.03, 0.03, mass=0.1)
    handle = s.body("handle", po.Composite([(bar, (0, 0, 0)), (stem, (0.055, 0, 0))]))
    handle.set(angular_velocity_body=SPIN, velocity=np.cross(handle.com, SPIN))  # its centre of mass rests
    return s


def half_period(moments: np.ndarray, energy: float, momentum: float) -> float:
    """Half the period (s) of the angular velocity of a free body in body axes; principal moments in ascending order."""
    a, b, c = moments if momentum**2 > 2 * energy * moments[1] else moments[::-1]
    rate = np.sqrt((c - b) * (momentum**2 - 2 * energy * a) / (a * b * c))
    return float(2 * ellipk((b - a) * (2 * energy * c - momentum**2) / ((c - b) * (momentum**2 - 2 * energy * a))) / rate)


def main(folder: Path = Path("out"), duration: float = 24.0) -> po.Trajectory:
    """Run it, compare with the closed solution, draw it, and write a page and the results."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, step=0.005, integrator="gauss4")
    print(run.audit)
    motion = run["handle"].poinsot()
    turns = CubicSpline(run.t, motion.polhode[:, 0]).roots(extrapolate=False)
    exact = half_period(motion.moments, motion.energy[0], float(np.linalg.norm(motion.momentum[0])))
    print(f"\nThe handle turns over at {', '.join(f'{t:.3f}' for t in turns)} s")
    if len(turns) > 1:
        print(f"  between two turns  {np.diff(turns).mean():.9f} s, elliptic functions {exact:.9f} s")
    print(f"  plane of the ellipsoid moved by  {motion.plane_drift:.1e}")
    print(f"  ellipsoid slips at               {np.abs(motion.rolling_velocity).max() / np.abs(motion.contact).max():.1e} rad/s\n")
    folder.mkdir(parents=True, exist_ok=True)
    motion.plot(at=min(3.0, duration)).savefig(folder / "dzhanibekov.png", dpi=150)
    run["handle"].euler("zxz").plot().savefig(folder / "dzhanibekov_euler.png", dpi=150)
    words = "It spins about the axis of its middle moment of inertia, which is unstable. Choose it under Poinsot to see why."
    run.write_html(folder / "dzhanibekov.html", description=words, plots=["handle.angular_velocity_body", "handle.euler_zxz", "energy_error"])
    run.save(folder / "dzhanibekov.h5")
    print(f"Construction: {folder / 'dzhanibekov.png'}")
    print(f"Euler angles: {folder / 'dzhanibekov_euler.png'}")
    print(f"Page:         {folder / 'dzhanibekov.html'}")
    print(f"Results:      {folder / 'dzhanibekov.h5'}")
    return run


if __name__ == "__main__":
    main()
