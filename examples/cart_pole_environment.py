"""A cart with a pole as an environment of reinforcement learning: `reset` and `step` as in Gymnasium, which is not needed.

The environment pushes the cart by a force that is constant over a step of 20 ms, one step of the integrator. A linear policy is improved by
random search; the best one holds the pole upright for the whole episode. Writes the episode as a page to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po

STEP, PUSH = 0.02, 10.0  # s, N
LIMITS = (2.4, 0.21)  # of the cart, m, and of the pole, rad: beyond them an episode ends


class CartPole:
    """Observations: place of the cart, its speed, angle of the pole from upright, its rate. Actions: 0 pushes to the left, 1 to the right."""

    def __init__(self, most: int = 500):
        s = self.system = po.System("cart-pole", gravity=(0, 0, -9.81))
        cart = s.body("cart", po.Box(0.4, 0.2, 0.1, mass=1.0))
        pole = s.body("pole", po.Rod(radius=0.02, mass=0.1), between=((0, 0, 0), (0, 0, 1)))
        rail = s.prismatic(s.ground, cart, axis="x", name="rail")
        s.revolute(cart, pole, at=(0, 0, 0), axis="y", name="pin")
        s.add(po.Motor(rail, force=0.0, name="push"))
        self.most = most
        self.stepper = po.prepare(s, step=STEP, formulation="tree", integrator="rk4").stepper()

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


def episode(environment: CartPole, policy: np.ndarray, seed: int) -> tuple[float, list[float]]:
    """The sum of rewards, and the pushes (N)."""
    seen, _ = environment.reset(seed)
    total, over, pushes = 0.0, False, []
    while not over:
        action = int(policy @ seen > 0)
        pushes.append(PUSH if action else -PUSH)
        seen, reward, fell, late, _ = environment.step(action)
        total, over = total + reward, fell or late
    return total, pushes


def main(folder: Path = Path("out"), duration: float = 10.0, step: float = STEP) -> po.Trajectory:
    """Search for a policy, and write its episode to a folder."""
    environment = CartPole(most=round(duration / STEP))
    rng, best, policy = np.random.default_rng(1), -math.inf, np.zeros(4)
    for trial in range(200):
        candidate = policy + rng.normal(size=4) * (1.0 if best < 100 else 0.3)
        total = min(episode(environment, candidate, seed)[0] for seed in (0, 1))
        if total > best:
            best, policy = total, candidate
        if best >= environment.most:
            break
    print(f"After {trial + 1} trials the pole stays up for {best * STEP:g} of {duration:g} s.")
    pushes = episode(environment, policy, seed=0)[1]
    q, v = np.random.default_rng(0).uniform(-0.05, 0.05, (2, 2))
    s = environment.system.copy()
    run = po.prepare(s, step=STEP, formulation="tree", integrator="rk4").run(STEP, state=po.State(0.0, q, v), change={"push.force": pushes[0]})
    for k, push in enumerate(pushes[1:], 1):  # the same pushes as a run, for the page
        if k == 1:
            runs = [run]
        runs.append(po.prepare(s, step=STEP, formulation="tree", integrator="rk4").run(STEP, state=runs[-1].state(), change={"push.force": push}))
    folder.mkdir(parents=True, exist_ok=True)
    run.write_html(folder / "cart_pole_environment.html")
    return run


if __name__ == "__main__":
    main()
