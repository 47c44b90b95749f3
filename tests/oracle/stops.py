"""Stops at the ends of the range of an angle."""

from dataclasses import dataclass

import numpy as np

from oracle.joints import effort_wrench
from oracle.loads import JointLoad


@dataclass
class OStop(JointLoad):
    """A spring beyond two angles, which sets in as a parabola, and a damper that never makes it pull."""

    joint: int
    lower: float
    upper: float
    stiffness: float
    damping: float
    blend: float
    KINDS = ("revolute", "screw")
    SMOOTH = False
    UNITS = {"lower": "rad", "upper": "rad", "stiffness": "N m", "damping": "N m s", "blend": "rad"}

    def _elastic(self, x):
        """Magnitude of the elastic effort at an angle, its sign, and how far the damper has set in."""
        depth, back = (x - self.upper, -1.0) if x > self.upper else (self.lower - x, 1.0)
        if depth <= 0:
            return 0.0, 0.0, 0.0
        inside = min(depth, self.blend)
        push = self.stiffness * (inside**2 / (2 * self.blend) + depth - inside)
        return push, back, (inside / self.blend) ** 2 * (3 - 2 * inside / self.blend)

    def _damped(self, x, rate):
        push, back, part = self._elastic(x)
        return back * max(-self.damping * part * rate * back, -push) if back else 0.0

    def on_second(self, state, joint, motions, rel):
        x, rate = state.coordinates[self.joint][0], state.rates[self.joint][0]
        push, back, _ = self._elastic(x)
        return effort_wrench(joint, motions, np.array([back * push + self._damped(x, rate)]))

    def potential(self, state):
        x = state.coordinates[self.joint][0]
        depth = max(x - self.upper, self.lower - x, 0.0)
        nodes, weights = np.polynomial.legendre.leggauss(8)  # the integral of the push over the depth, in its two parts
        total, ends = 0.0, [0.0, min(depth, self.blend), depth]
        for a, b in zip(ends, ends[1:]):
            places = 0.5 * (a + b) + 0.5 * (b - a) * nodes
            total += 0.5 * (b - a) * sum(w * self._elastic(self.upper + d)[0] for w, d in zip(weights, places))
        return total

    def power(self, now, virtual):
        return self._damped(now.position(self.joint)[0], now.rate(self.joint)[0]) * virtual.rate(self.joint)[0]

    @classmethod
    def draw_on(cls, rng, joint, kind):
        limits = rng.uniform(-0.5, -0.1), rng.uniform(0.1, 0.5)
        return cls(joint, *limits, rng.uniform(1.0, 20.0), rng.choice([0.0, 1.0]) * rng.uniform(0.05, 1.0), rng.uniform(0.05, 0.5))

    def element(self, po, bodies, joints):
        numbers = {"stiffness": self.stiffness, "damping": self.damping, "blend": self.blend}
        return po.Stop(joints[self.joint], self.lower, self.upper, **numbers)
