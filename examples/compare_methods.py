"""A chain of four links in every formulation and by every integrator that fits: error against computing time, and what drifts.

The errors are against a reference that two methods in two formulations verify. Writes a picture, a page with runs overlaid, the comparison
and the results of the fastest accurate run to out/.
"""

from pathlib import Path

import poinsot as po

FORMULATIONS = ("tree", "tree:momentum", "moving-frame", "rotation-matrix", "newton-euler", "directors")
WANTED = 1e-6  # error of the run that is kept


def build() -> po.System:
    """Four links of 2 m and 50 kg on ball joints, turned out of the vertical."""
    s = po.System("chain of four", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(4):
        link = s.body(f"link{k + 1}", po.Box(0.2, 0.2, 2.0, mass=50.0), position=(0, 0, -2.0 * k - 1.0))
        s.spherical(parent, link, at=(0, 0, -2.0 * k), name=f"joint{k + 1}")
        parent = link
    s["joint1"].set(rotation=("x", 0.5))
    return s


def main(
    folder: Path = Path("out"), duration: float = 10.0, step: float = 0.02, formulations: tuple[str, ...] = FORMULATIONS, workers: int = 1
) -> po.Trajectory:
    """Compare, draw, and return the fastest run whose error is at most 1e-6."""
    folder.mkdir(parents=True, exist_ok=True)
    found = po.compare(build(), duration, step=step, formulations=list(formulations), workers=workers, progress=False)
    print(found)
    best = found.fastest(WANTED)
    run = found.run(best)
    picture, page, rows, results = (folder / f"compare.{ending}" for ending in ("png", "html", "json", "h5"))
    found.plot().savefig(picture, dpi=110)
    found.write_html(page)
    found.save(rows)
    run.save(results)
    print(f"\nFastest with an error of at most {WANTED:g}: {best.formulation} with {best.integrator}")
    print(f"Error and time: {picture}\nRuns overlaid:  {page}\nComparison:     {rows}\nResults:        {results}")
    return run


if __name__ == "__main__":
    main()
