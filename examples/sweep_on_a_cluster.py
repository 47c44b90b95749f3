"""A sweep on a Dask cluster: here on workers of this machine; with an address of a scheduler, on as many machines as it has.

`python examples/sweep_on_a_cluster.py tcp://host:8786` uses the cluster of that scheduler. Where a chain of three links ends after two
seconds, over the angles at which its first two joints start. Writes a map, a page with two runs overlaid, all results and those of one run to out/.
"""

import sys
from pathlib import Path

import numpy as np

import poinsot as po


def build() -> po.System:
    """Three links of 1 m on hinges."""
    s = po.System("chain", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(3):
        link = s.body(f"link{k + 1}", po.Rod(radius=0.03, mass=2.0), between=((0, 0, -k), (0, 0, -k - 1)))
        s.revolute(parent, link, at=(0, 0, -k), axis="y", name=f"joint{k + 1}")
        parent = link
    return s


def main(folder: Path = Path("out"), size: int = 60, duration: float = 2.0, scheduler: str | None = None) -> po.Trajectory:
    """Sweep on the cluster, and compare some of it with runs on this machine."""
    folder.mkdir(parents=True, exist_ok=True)
    angles = np.linspace(-1.5, 1.5, size)
    vary, record = {"joint1.angle": angles, "joint2.angle": angles}, [po.last("link3.position"), po.mean("kinetic")]
    cluster = {"engine": "dask", "scheduler": scheduler, "workers": 2, "stream": folder / "cluster_sweep.h5"}
    found = po.sweep(build(), vary, duration, step=0.01, record=record, **cluster)
    print(found)
    run = found.run((size // 3, size // 2))
    same = np.array_equal(run["link3"].position[-1], found.values("last(link3.position)")[size // 3, size // 2])
    print(f"Computed here, the same variant ends at {run['link3'].position[-1].round(6)}: {'the same bits' if same else 'other bits'}.")
    found.plot("mean(kinetic)").savefig(folder / "cluster.png", dpi=110)
    found.write_html(folder / "cluster.html", [(size // 3, size // 2), (size // 2, size // 3)])
    run.save(folder / "cluster.h5")
    print(f"Map:           {folder / 'cluster.png'}\nRuns overlaid: {folder / 'cluster.html'}")
    print(f"All results:   {folder / 'cluster_sweep.h5'}\nOne run:       {folder / 'cluster.h5'}")
    return run


if __name__ == "__main__":
    main(scheduler=sys.argv[1] if len(sys.argv) > 1 else None)
