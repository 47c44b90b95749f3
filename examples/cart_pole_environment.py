"""A cart with a pole as an environment of reinforcement learning: `reset` and `step` as in Gymnasium, which is not needed.

The environment pushes the cart by a force that is constant over a step of 20 ms, one step of the integrator. A linear policy is improved by
random search; the best one holds the pole upright for the whole episode. Then the same policy is a sampled feedback of one run, which is
written to out/ with its page.
"""

from pathlib import Path

import numpy as np

import poinsot as po

STEP, PUSH = 0.02, 10.0  # s, N
LIMITS = (2.4, 0.21)  # of the cart, m, and of the pole, rad: beyond them an episode ends
METHOD = {"step": STEP, "formulation": "tree", "integrator": "gauss3"}


def build() -> po.System:
    """A cart on a rail and a pole that stands on it."""
    s = po.System("cart-pole", gravity=(0, 0, -9.81))
    cart = s.body("cart", po.Box(0.4, 0.2, 0.1, mass=1.0))
    pole = s.body("pole", po.Rod(radius=0.02, mass=0.1), between=((0, 0, 0), (0, 0, 1)))
    s.prismatic(s.ground, cart, axis="x", name="rail")
    s.revolute(cart, pole, at=(0, 0, 0), axis="y", name="pin")
    return s


class CartPole:
    """Observations: place of the cart, its speed, angle of the pole from upright, its rate. Actions: 0 pushes to the left, 1 to the right."""

    def __init__(self, most: int):
        s = build()
        s.add(po.Motor(s["rail"], force=0.0, name="push"))
        self.most = most
        self.stepper = po.prepare(s, **METHOD).stepper()

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, dict]:
        """Begin near upright."""
        q, v = np.random.default_rng(seed).uniform(-0.05, 0.05, (2, 2))
        self.stepper.reset(po.State(0.0, q, v))
        self.count = 0
        return self._observation(), {}

    def _observation(self) -> np.ndarray:
        (x, angle), (speed, rate) = self.stepper.coordinates, self.stepper.rates
        return np.array([x, speed, angle, rate])

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict]:
        """One step; observation, reward, whether the pole fell, whether the episode is over, and nothing else."""
        self.stepper.step((PUSH if action else -PUSH,))
        self.count += 1
        seen = self._observation()
        fell = abs(seen[0]) > LIMITS[0] or abs(seen[2]) > LIMITS[1]
        return seen, 1.0, bool(fell), self.count >= self.most, {}


def episode(environment: CartPole, policy: np.ndarray, seed: int) -> float:
    """The sum of rewards."""
    seen, _ = environment.reset(seed)
    total, over = 0.0, False
    while not over:
        seen, reward, fell, late, _ = environment.step(int(policy @ seen > 0))
        total, over = total + reward, fell or late
    return total


def law(t, x, p, u):
    """The policy as a feedback."""
    action = p.K[0] * x[0] + p.K[1] * x[1] + p.K[2] * x[2] + p.K[3] * x[3]
    u[0] = p.push if action > 0.0 else -p.push


def main(folder: Path = Path("out"), duration: float = 10.0) -> po.Trajectory:
    """Search for a policy, and write its episode to a folder."""
    environment = CartPole(most=round(duration / STEP))
    rng, best, policy, trials = np.random.default_rng(1), 0.0, np.zeros(4), 0
    while best < environment.most and trials < 300:
        trials += 1
        candidate = policy + rng.normal(size=4) * (1.0 if best < 100 else 0.3)
        total = min(episode(environment, candidate, seed) for seed in (1, 0))
        if total > best:
            best, policy = total, candidate
    print(f"After {trials} trials the pole stays up for {best * STEP:g} of {duration:g} s.")
    s = build()
    push = s.add(po.Motor(s["rail"], name="push"))
    seen = ["rail.displacement", "rail.rate", "pin.angle", "pin.rate"]
    s.add(po.Feedback(law, [push], seen, {"K": policy, "push": PUSH}, period=STEP, name="policy"))
    start = po.State(0.0, *np.random.default_rng(0).uniform(-0.05, 0.05, (2, 2)))
    run = po.prepare(s, **METHOD).run(duration, state=start)
    tilt = np.degrees(np.abs(run["pin"].angle).max())
    print(f"The same policy as a sampled feedback in one run: the pole leans by at most {tilt:.1f} degrees.")
    folder.mkdir(parents=True, exist_ok=True)
    run.write_html(folder / "cart_pole_environment.html", description="A pole kept upright by a policy found by random search.")
    run.save(folder / "cart_pole_environment.h5")
    print(f"Page:               {folder / 'cart_pole_environment.html'}")
    print(f"Results:            {folder / 'cart_pole_environment.h5'}")
    return run


if __name__ == "__main__":
    main()
