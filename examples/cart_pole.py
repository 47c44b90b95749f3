"""A cart swings its pole up by energy shaping of the pole, catches it by LQR, and holds it against pushes; the controller is sampled.

One law for both phases: far from upright it pumps the energy of the pole through the acceleration of the cart, near it the gains of
`po.control.lqr` take over. Writes a picture, a page and the results to out/.
"""

import math
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import poinsot as po

CART, POLE, LENGTH = 1.0, 0.2, 1.0  # kg, kg, m
PERIOD = 0.01  # s, of the controller


def build() -> po.System:
    """A cart on a rail, a pole that hangs from it, and a motor on the rail."""
    s = po.System("cart-pole", gravity=(0, 0, -9.81))
    cart = s.body("cart", po.Box(0.4, 0.2, 0.1, mass=CART))
    pole = s.body("pole", po.Rod(radius=0.02, mass=POLE), between=((0, 0, 0), (0, 0, LENGTH)))
    rail = s.prismatic(s.ground, cart, axis="x", name="rail")
    pin = s.revolute(cart, pole, at=(0, 0, 0), axis="y", name="pin")
    pin.set(angle=math.pi - 0.05)
    s.add(po.Motor(rail, name="push"))
    return s


def law(t, x, p, u):
    """x: place and speed of the cart, angle of the pole from upright and its rate."""
    turn = x[2] - 2.0 * math.pi * math.floor(x[2] / (2.0 * math.pi) + 0.5)
    energy = 0.5 * p.inertia * x[3] * x[3] + p.weight * (math.cos(turn) - 1.0)  # of the pole, zero upright
    if abs(turn) < 0.5 and abs(energy) < 0.4:
        u[0] = -p.K[0] * x[0] - p.K[1] * turn - p.K[2] * x[1] - p.K[3] * x[3]
    else:
        u[0] = p.pump * energy * x[3] * math.cos(turn) - p.centre * x[0] - 0.5 * p.centre * x[1]


def main(folder: Path = Path("out"), duration: float = 12.0, step: float = 0.005) -> po.Trajectory:
    """Run and write everything to a folder."""
    gains = po.control.lqr(*_upright(), Q=(2.0, 10.0, 1.0, 1.0), R=0.1).params["K"][0]
    s = build()
    inertia = float(s["pole"].inertia_matrix()[1, 1]) + POLE * (LENGTH / 2) ** 2
    params = {"K": gains, "inertia": inertia, "weight": POLE * 9.81 * LENGTH / 2, "pump": 8.0, "centre": 3.0}
    outputs = ["rail.displacement", "rail.rate", "pin.angle", "pin.rate"]
    s.add(po.Feedback(law, [s["push"]], outputs, params, period=PERIOD, limits=12.0, name="control"))
    run = po.simulate(s, duration, step=step)
    print(run.audit)
    turns = run["pin"].angle / (2 * np.pi)
    tilt, away = 360 * abs(turns[-1] - round(turns[-1])), abs(run["rail"].displacement[-1])
    print(f"At the end the pole is {tilt:.2f} degrees from upright, the cart {away:.3f} m from its place.")
    folder.mkdir(parents=True, exist_ok=True)
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 6), sharex=True, layout="constrained")
    top.plot(run.t, turns, label="pole [turns from upright]")
    top.plot(run.t, run["rail"].displacement, label="cart [m]")
    top.legend()
    bottom.step(run.t, run["control"].effort[:, 0], where="post", label="force on the cart [N]")
    bottom.set(xlabel="t [s]")
    bottom.legend()
    figure.savefig(folder / "cart_pole.png", dpi=150)
    plt.close(figure)
    print(f"Swing and force: {folder / 'cart_pole.png'}")
    words = "A cart swings its pole up and holds it: energy shaping, then LQR, sampled every 10 ms."
    page = run.write_html(folder / "cart_pole.html", description=words, plots=["pin.angle", "rail.displacement", "push.effort", "energy_error"])
    print(f"Page:            {page}")
    print(f"Results:         {run.save(folder / 'cart_pole.h5')}")
    return run


def _upright() -> tuple[po.System, list[po.Motor]]:
    s = build()
    s["pin"].set(angle=0.0)
    return s, [s["push"]]


if __name__ == "__main__":
    main()
