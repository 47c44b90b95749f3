"""Tolerances of a four-bar linkage: its lengths vary by a few tenths of a millimetre, and so does the path of its coupler point.

The lengths are arguments of the function that builds the linkage; a Sobol sequence draws them from normal distributions. The spread of the
coupler point over a turn of the crank is printed and drawn, with the length that it depends on most. Writes pictures, a page and the results
of the linkage with its nominal lengths to out/.
"""

from pathlib import Path

import numpy as np
from scipy import stats

import poinsot as po
from poinsot.view.plots import blank_figure

NOMINAL = {"crank": 0.3, "coupler": 0.8, "rocker": 0.6, "base": 0.7}  # m
SPREAD = 2e-4  # m, standard deviation of a length
RATE = 2 * np.pi  # rad/s
POINT = (0.4, 0.2)  # of the coupler: along it from its first end, and across, m


def corner(crank: float, coupler: float, rocker: float, base: float) -> tuple[float, float]:
    """Where coupler and rocker meet, the crank along x: on two circles, the upper point."""
    across = base - crank
    along = (across**2 + coupler**2 - rocker**2) / (2 * across)
    return crank + along, float(np.sqrt(coupler**2 - along**2))


def build(crank: float = 0.3, coupler: float = 0.8, rocker: float = 0.6, base: float = 0.7) -> po.System:
    """The linkage in the plane, its crank along x and driven at a constant rate; lengths in m."""
    s = po.System("four-bar", plane="xz", gravity=(0, -9.81))
    a, c, d = (crank, 0.0), corner(crank, coupler, rocker, base), (base, 0.0)
    first = s.body("crank", po.Rod(radius=0.01, mass=0.5), between=((0, 0), a))
    second = s.body("coupler", po.Rod(radius=0.01, mass=1.0), between=(a, c))
    third = s.body("rocker", po.Rod(radius=0.01, mass=0.8), between=(c, d))
    drive = s.revolute(s.ground, first, at=(0, 0), name="drive")
    s.revolute(first, second, at=a, name="wrist")
    s.revolute(second, third, at=c, name="knee")
    s.revolute(third, s.ground, at=d, name="foot")
    drive.set(rate=RATE)
    return s


def path(run: po.Trajectory) -> np.ndarray:
    """The coupler point in the plane, (outputs, 2), m."""
    length = np.hypot(*(np.array(run.system["coupler"].end.position) - run.system["coupler"].start.position)[[0, 2]])
    return run["coupler"].point((POINT[0] - length / 2, POINT[1]))


def main(folder: Path = Path("out"), count: int = 128, duration: float = 1.0) -> po.Trajectory:
    """Draw samples, run them, print and draw the spread."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = po.sample({name: stats.norm(length, SPREAD) for name, length in NOMINAL.items()}, count, seed=1)
    found = po.sweep(build, samples, duration, step=0.01, record=path)
    print(found)
    paths = found.values("path")
    spread = np.linalg.norm(paths.std(axis=0), axis=1)
    lengths = np.array([[change[name] for name in NOMINAL] for change in samples])
    slopes = np.linalg.lstsq(lengths - lengths.mean(axis=0), (paths - paths.mean(axis=0)).reshape(count, -1), rcond=None)[0]
    share = np.linalg.norm(slopes, axis=1) / np.sqrt(len(spread))
    print(f"The coupler point spreads by {1e3 * spread.min():.2f} to {1e3 * spread.max():.2f} mm (standard deviation) along its path.")
    print("Per millimetre of a length it moves by " + ", ".join(f"{value:.2f} mm ({name})" for name, value in zip(NOMINAL, share)) + ".")
    figure = blank_figure((9.0, 4.0))
    left, right = figure.subplots(1, 2)
    mean = paths.mean(axis=0)
    left.plot(*(mean[:, None] + 100 * (paths - mean).swapaxes(0, 1)).transpose(2, 0, 1), color="C0", alpha=0.1, linewidth=0.7)
    left.plot(*mean.T, color="k", linewidth=1.0)
    left.set(xlabel="x [m]", ylabel="z [m]", title="deviations, 100 times enlarged", aspect="equal")
    right.plot(np.linspace(0, duration, len(spread)), 1e3 * spread)
    right.set(xlabel="t [s]", ylabel="standard deviation [mm]")
    figure.savefig(folder / "four_bar_tolerances.png", dpi=110)
    run = po.simulate(build(**NOMINAL), duration, step=0.01)
    run.write_html(folder / "four_bar_tolerances.html")
    run.save(folder / "four_bar_tolerances.h5")
    print(f"Spread:  {folder / 'four_bar_tolerances.png'}\nPage:    {folder / 'four_bar_tolerances.html'}")
    print(f"Results: {folder / 'four_bar_tolerances.h5'}")
    return run


if __name__ == "__main__":
    main()
