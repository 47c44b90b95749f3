"""A snakeboard: it moves forward without being pushed, by turning a rotor and its two pairs of wheels to and fro.

The wheels are blades on two trucks that turn against the board; rotor and trucks follow prescribed motions of one frequency, the gait that
drives it forward. A third pair of wheels, written as rows of one's own, drags along behind the board. Prints check and audit, and how
far it came; writes its track, a page and results to out/.
"""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

HALF = 0.3  # m, from the middle of the board to a truck
ROTOR, STEER, FREQUENCY = 0.7, 0.3, 6.0  # rad, rad, rad/s
TRAILER = 0.5  # m, from the hitch to the wheels


def trailing(t, x, params, out):
    """The wheels of the trailer, params[0] behind its origin, do not slide sideways; its centre of mass is at its origin."""
    heading = 2.0 * np.arctan2(x[0, 6], x[0, 3])
    out[0, 0], out[0, 1], out[0, 5] = -np.sin(heading), np.cos(heading), -params[0]


def gait(amplitude: float, sign: float = 1.0) -> po.Signal:
    """A sine that begins smoothly."""
    return po.Signal(lambda t: sign * amplitude * np.sin(FREQUENCY * t) * (1.0 - np.exp(-t * t)))


def build() -> po.System:
    """At rest, along x."""
    s = po.System("snakeboard", plane="xy", gravity=None)
    board = s.body("board", po.Box(2 * HALF, 0.15, 0.02, mass=2.0))
    rotor = s.body("rotor", po.Box(0.1, 0.5, 0.05, mass=1.5))
    s.add(po.Motion(s.revolute(board, rotor, at=(0, 0), name="waist").angle, gait(ROTOR, -1.0), name="swing"))
    for name, x, sign in (("front", HALF, 1.0), ("back", -HALF, -1.0)):
        truck = s.body(f"{name}_truck", po.Box(0.04, 0.25, 0.04, mass=0.3), position=(x, 0))
        hinge = s.revolute(board, truck, at=(x, 0), name=f"{name}_hinge")
        s.add(po.Motion(hinge.angle, gait(STEER, -sign), name=f"{name}_steer"))
        s.add(po.KnifeEdge(s.ground, truck, at=(x, 0), axis="y", name=f"{name}_wheels"))
    trailer = s.body("trailer", po.Box(0.3, 0.1, 0.02, mass=0.2), position=(-HALF - TRAILER, 0))
    s.revolute(board, trailer, at=(-HALF, 0), name="hitch")
    s.add(po.VelocityRows(trailing, [trailer], params=[0.0], name="trailer_wheels"))
    return s


def main(folder: Path = Path("out"), duration: float = 10.0, step: float = 0.01) -> po.Trajectory:
    """Run it, and write pictures, a page and results."""
    s = build()
    print(s.check())
    run = po.simulate(s, duration, step=step, output_step=2 * step, integrator="energy-momentum-6")
    print(run.audit)
    place = run["board"].position
    print(f"It came {place[-1, 0] - place[0, 0]:+.3f} m along x and {place[-1, 1] - place[0, 1]:+.3f} m along y.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 6), layout="constrained")
    for name in ("front_truck", "back_truck", "trailer"):
        above.plot(*run[name].position.T, label=name.replace("_", " "), lw=0.8)
    above.set(xlabel="x [m]", ylabel="y [m]", aspect="equal")
    above.legend()
    for name in ("waist", "front_hinge", "hitch"):
        below.plot(run.t, run[name].angle, label=name.replace("_", " "))
    below.set(xlabel="t [s]", ylabel="angle [rad]")
    below.legend()
    figure.savefig(folder / "snakeboard.png", dpi=150)
    plt.close(figure)
    print(f"Track:   {folder / 'snakeboard.png'}")
    words = "A snakeboard moves by its gait alone: rotor and trucks swing to and fro, and its wheels do not slide sideways."
    page = run.write_html(folder / "snakeboard.html", description=words, plots=["board.velocity", "swing.effort", "front_wheels.force"])
    print(f"Page:    {page}")
    print(f"Results: {run.save(folder / 'snakeboard.h5')}")
    return run


if __name__ == "__main__":
    main()
