"""A four-bar linkage with a spring in a live page: sliders change spring, masses and the rate at the start.

Serves the page on this machine until Ctrl-C; in scripts without a terminal it ends at once. Prints the address, how many runs there were and
the values of the last run; writes the model with these values, a page and the results to out/.
"""

import sys
from pathlib import Path

import poinsot as po

SLIDERS = {  # lowest, highest, perhaps the step; SI units
    "base.rate": (0.0, 6.0),
    "spring.stiffness": (0.0, 60.0),
    "crank.mass": (0.2, 5.0),
    "coupler.mass": (0.2, 10.0),
    "gravity[2]": (-20.0, 0.0, 0.1),
}


def build() -> po.System:
    """Crank of 1 m, coupler of 2.06 m, rocker of 1.5 m, feet 2 m apart, and a spring from the ground to the knee."""
    s = po.System("live linkage", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    base = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y", name="elbow")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y", name="knee")
    s.revolute(rocker, s.ground, at=(2, 0, 0), axis="y", name="foot")
    s.add(po.Spring(s.ground, rocker, at=((3.2, 0, 0.8), rocker.start), stiffness=20.0, name="spring"))
    base.set(rate=3.0)
    return s


def main(folder: Path = Path("out"), duration: float = 5.0, wait: bool | None = None) -> po.Trajectory:
    """Serve the page until Ctrl-C, then write the last variant. `wait`: whether to serve at all; default: in a terminal."""
    wait = sys.stdout.isatty() if wait is None else wait
    live = po.app(build(), duration, step=0.01, sliders=SLIDERS, plots=["base.rate", "spring.effort"], open=wait, block=False)
    with live:
        if wait:
            print(f"Live page: {live.url}\nCtrl-C ends it.")
            live.wait()
    print(live.summary())
    print("Values of the last run: " + ", ".join(f"{name} = {value:g}" for name, value in live.values.items()))
    run = live.run
    print(run.audit)
    folder.mkdir(parents=True, exist_ok=True)
    run.system.to_yaml(folder / "live_linkage.yaml")
    run.save(folder / "live_linkage.h5")
    run.write_html(folder / "live_linkage.html", plots=["base.rate", "spring.effort"])
    print(f"Model:   {folder / 'live_linkage.yaml'}")
    print(f"Page:    {folder / 'live_linkage.html'}")
    print(f"Results: {folder / 'live_linkage.h5'}")
    return run


if __name__ == "__main__":
    main()
