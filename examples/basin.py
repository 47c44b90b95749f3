"""The basin of a double pendulum: how long it takes from every initial position until an arm goes over the top, a map of 300 x 300 runs.

Both arms start at rest at angles between -pi and pi. Where the energy is too small no arm can go over; outside, neighbours part: the map
has structure at every scale. `python examples/basin.py` computes it; `--size 100` a smaller one. Writes the map, a page with three runs that
start next to each other, and the results of one of them to out/.
"""

import argparse
from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import blank_figure

TOLERANCE = 1e-8  # rad, rad/s
OUTPUT = 0.1  # s


def build() -> po.System:
    """Two arms of 1 m and 1 kg in the plane."""
    s = po.System("double pendulum", plane="xz", gravity=(0, -9.81))
    upper = s.body("upper", po.Rod(radius=0.02, mass=1.0), between=((0, 0), (0, -1)))
    lower = s.body("lower", po.Rod(radius=0.02, mass=1.0), between=((0, -1), (0, -2)))
    s.revolute(s.ground, upper, at=(0, 0), name="shoulder")
    s.revolute(upper, lower, at=(0, -1), name="elbow")
    return s


def first_time_over(found: po.Sweep) -> np.ndarray:
    """Time (s) of the first output at which an arm has gone over the top, nan where none does; over the two angles."""
    upper = found.values("shoulder.angle")
    lower = upper + found.values("elbow.angle")
    lower = lower - 2 * np.pi * np.rint(lower[..., :1] / (2 * np.pi))  # starts between -pi and pi
    over = (np.abs(upper) > np.pi) | (np.abs(lower) > np.pi)
    return np.where(over.any(axis=2), found.t[over.argmax(axis=2)], np.nan)


def main(folder: Path = Path("out"), size: int = 300, duration: float = 10.0) -> po.Trajectory:
    """Sweep, draw the map, and overlay three runs that start next to each other."""
    folder.mkdir(parents=True, exist_ok=True)
    angles = np.linspace(-np.pi, np.pi, size + 2)[1:-1]
    vary = {"shoulder.angle": angles, "elbow.angle": angles}
    record = ["shoulder.angle", "elbow.angle"]
    found = po.sweep(build(), vary, duration, record=record, rtol=TOLERANCE, atol=TOLERANCE, output_step=OUTPUT)
    print(found)
    times = first_time_over(found)
    print(f"An arm went over the top in {np.isfinite(times).mean():.0%} of {times.size} runs.")
    draw(angles, times, duration).savefig(folder / "basin.png", dpi=110)
    near = [(size * 3 // 4, size // 2 + k) for k in range(3)]
    found.write_html(folder / "basin.html", near, description="Three runs that start next to each other.")
    run = found.run(near[0])
    run.save(folder / "basin.h5")
    print(f"Map:           {folder / 'basin.png'}\nRuns overlaid: {folder / 'basin.html'}\nOne run:       {folder / 'basin.h5'}")
    return run


def draw(angles: np.ndarray, times: np.ndarray, duration: float) -> object:
    """The map: colours are times, grey is never."""
    figure = blank_figure((7.5, 6.4))
    axes = figure.subplots()
    axes.set_facecolor("0.2")
    mesh = axes.pcolormesh(angles, angles, np.ma.masked_invalid(times).T, cmap="inferno_r", vmin=0.0, vmax=duration, rasterized=True)
    axes.set(xlabel="angle of the upper arm at the start [rad]", ylabel="angle between the arms at the start [rad]", aspect="equal")
    figure.colorbar(mesh, ax=axes, label="time until an arm goes over the top [s]")
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300)
    main(size=parser.parse_args().size)
