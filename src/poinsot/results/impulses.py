"""Impulses of a run: what happened at its events, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LISTED = 64  # largest number of joints and constraints whose impulses are all listed
SHOWN = 20  # lines of a printed list


@dataclass(frozen=True, eq=False)
class Jump:
    """What happened at one event. Positions do not change; velocities and constraints may.

    Attributes
    ----------
    t : s
    event : its name
    what : its actions, in words
    given : impulses on bodies by their names: 6 numbers, N s and N m s about the centre of mass, world axes
    reactions : of joints and constraints by their names: 6 numbers, N s and N m s on the second body at its joint frame, world axes; of
        a gear the first is the impulse on its first coordinate
    kinetic : kinetic energy before and after, J
    rates : of all joints, joint after joint, before and after (2, n)
    momentum : (3,) given from outside, N s; angular_momentum: (3,) about the world origin, N m s
    centre : common centre of mass (3,), m
    """

    t: float
    event: str
    what: str
    given: dict[str, np.ndarray]
    reactions: dict[str, np.ndarray]
    kinetic: tuple[float, float]
    rates: np.ndarray
    momentum: np.ndarray
    angular_momentum: np.ndarray
    centre: np.ndarray

    @property
    def energy_lost(self) -> float:
        """Kinetic energy lost, J; negative where energy was gained."""
        return self.kinetic[0] - self.kinetic[1]

    def __getitem__(self, key: Any) -> np.ndarray:
        """Impulse of a joint or constraint, or given to a body: force part (N s) and torque part (N m s), 6 numbers."""
        name = key if isinstance(key, str) else key.name
        found = {**self.given, **self.reactions}
        if name not in found:
            raise KeyError(f"no impulse of '{name}' at t = {self.t:g} s; there is {', '.join(found) or 'none'}")
        return found[name]

    def __str__(self) -> str:
        change = f"{self.energy_lost:.6g} J lost" if self.energy_lost >= 0 else f"{-self.energy_lost:.6g} J gained"
        return f"t = {self.t:.9g} s: {self.what}; {change}"

    def to_json(self) -> list[Any]:
        """As plain numbers and words, for files."""
        given, reactions = ({name: v.tolist() for name, v in of.items()} for of in (self.given, self.reactions))
        arrays = (self.rates, self.momentum, self.angular_momentum, self.centre)
        return [self.t, self.event, self.what, given, reactions, list(self.kinetic), *(a.tolist() for a in arrays)]

    @staticmethod
    def from_json(data: Sequence[Any]) -> Jump:
        """The same from `to_json`."""
        t, event, what, given, reactions, kinetic, *arrays = data
        pushes, pulls = ({str(name): _six(v) for name, v in of.items()} for of in (given, reactions))
        rates, momentum, angular, centre = (np.array(a, float) for a in arrays)
        return Jump(float(t), str(event), str(what), pushes, pulls, (float(kinetic[0]), float(kinetic[1])), rates, momentum, angular, centre)


def _six(numbers: Any) -> np.ndarray:
    found = np.array(numbers, float)
    if found.shape != (6,):
        raise ValueError("an impulse has six numbers")
    return found


class Impulses(Sequence[Jump]):
    """All impulses of a run in order; print it to read it."""

    def __init__(self, jumps: Sequence[Jump]):
        self._jumps = tuple(jumps)

    def __getitem__(self, key: Any) -> Any:
        return Impulses(self._jumps[key]) if isinstance(key, slice) else self._jumps[key]

    def __len__(self) -> int:
        return len(self._jumps)

    @property
    def t(self) -> np.ndarray:
        """Times, s."""
        return np.array([jump.t for jump in self._jumps])

    @property
    def energy_lost(self) -> float:
        """Kinetic energy lost in all of them, J."""
        return float(sum(jump.energy_lost for jump in self._jumps))

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        if not self._jumps:
            return "No impulses."
        lines = [f"{len(self)} impulse{'s' * (len(self) > 1)}, {self.energy_lost:.6g} J lost"]
        lines += [f"  {jump}" for jump in self._jumps[:SHOWN]]
        if len(self) > SHOWN:
            lines.append(f"  ... and {len(self) - SHOWN} more")
        return "\n".join(lines)
