"""A heavy top, a rod with a disc on it, released with a tilt of 30 degrees at two spin rates.

Prints its largest tilt, the period of its nutation and the precession in that time, next to reference values.
Writes the path of its axis on the unit sphere, a page of both runs and their results to out/.
"""

import math
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.interpolate import CubicSpline

import poinsot as po

WHAT = ("largest tilt [rad]", "nutation [s]", "precession [rad]")
REFERENCE = {  # by spin (rad/s); the nutation is its period, the precession that in one period
    10.0: (2.353719959, 1.277934758, 3.613989538),
    20.0: (1.480046179, 1.277803551, 3.673174122),
}
SHOWN = 5.1  # duration of the drawing, s: four nutations


def build(spin: float) -> po.System:
    """A rod of 0.4 m standing on its foot at the origin, a disc on its upper end; spin (rad/s) about its axis."""
    s = po.System(f"top at {spin:g} rad/s", gravity=(0, 0, -9.81))
    rod = po.Cylinder(radius=0.05, length=0.4, density=1000.0)
    disc = po.Cylinder(radius=0.4, length=0.05, density=1000.0)
    top = s.body("top", po.Composite([(rod, (0, 0, 0.2)), (disc, (0, 0, 0.425))]))
    foot = s.spherical(s.ground, top, at=(0, 0, 0), name="foot")
    foot.set(rotation=("x", math.pi / 6), rate=(0, 0, spin))
    return s


def nutation(run: po.Trajectory) -> tuple[float, float, float]:
    """Largest tilt (rad), period of the nutation (s), precession in one period (rad)."""
    x, y, z = run["top"].rotation[:, :, 2].T  # the axis of the top in the world
    height = CubicSpline(run.t, z)
    turning = height.derivative().roots(extrapolate=False)
    lowest, highest = (turning[turning > 0.1][k] for k in (0, 1))
    azimuth = CubicSpline(run.t, np.unwrap(np.arctan2(y, x)))
    return math.acos(height(lowest)), highest, abs(azimuth(highest) - azimuth(0.0))


def paths(runs: dict[float, po.Trajectory]) -> Figure:
    """Path of the axis on the unit sphere in the first seconds, one picture per spin."""
    figure = Figure(figsize=(9.0, 4.8), layout="constrained")
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13))
    for k, (spin, run) in enumerate(runs.items()):
        axes = figure.add_subplot(1, len(runs), k + 1, projection="3d", computed_zorder=False)
        axes.plot_wireframe(np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v), color="0.88", linewidth=0.5)
        path = run["top"].rotation[run.t <= SHOWN, :, 2].T
        axes.plot(*path, linewidth=1.4)
        axes.plot(*path[:, :1], "o", color="black", markersize=4, label="start")
        axes.legend(loc="upper right", fontsize="small")
        axes.set(title=f"spin {spin:g} rad/s", xticks=(-1, 0, 1), yticks=(-1, 0, 1), zticks=(-1, 0, 1))
        axes.set(xlabel="x", ylabel="y", zlabel="z")
        axes.set_box_aspect((1, 1, 1), zoom=0.9)
    return figure


def main(folder: Path = Path("out"), duration: float = 12.0) -> po.Trajectory:
    """Run it at both spins, compare with the reference, draw the paths, and write a page and the results."""
    runs = {}
    for spin, expected in REFERENCE.items():
        system = build(spin)
        print(system.check())
        run = runs[spin] = po.simulate(system, duration, step=0.0025, estimate_error=True)
        print(run.audit)
        for what, value, known in zip(WHAT, nutation(run), expected):
            print(f"  {what:20} {value:.8f}, reference {known:.8f}")
        print()
    folder.mkdir(parents=True, exist_ok=True)
    paths(runs).savefig(folder / "top_path.png", dpi=150)
    words = "The same top released at two spin rates: with the lower one it dips further, at the same nutation rate."
    names, plots = [f"{spin:g} rad/s" for spin in runs], ["top.com.z", "top.angular_velocity", "energy_error"]
    po.write_html(list(runs.values()), folder / "top.html", names=names, description=words, plots=plots)
    print(f"Path of the axis: {folder / 'top_path.png'}")
    print(f"Page:             {folder / 'top.html'}")
    for spin, each in runs.items():
        print(f"Results:          {each.save(folder / f'top_{spin:g}.h5')}")
    return run


if __name__ == "__main__":
    main()
