"""What runs of a prepared system have in common, found once: closed starts, tables without redundant rows, methods with their sizes.

Only what depends on nothing but its key is remembered: starts that call users' functions (signals of drives, users' rows) are found again
for every run, and nothing that a run writes to is shared.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import numpy as np

T = TypeVar("T")
MOST = 8  # results remembered; the least recently used is forgotten


class Remembered(Generic[T]):
    """Results by their keys. Runs in several threads may use it at once; at worst they find the same result twice."""

    def __init__(self, most: int = MOST):
        self.most = most
        self._found: OrderedDict[Hashable, T] = OrderedDict()

    def look(self, key: Hashable) -> T | None:
        """The result of this key, if it is known."""
        return self._found.get(key)

    def get(self, key: Hashable, find: Callable[[], T]) -> T:
        """The result of this key, found now if it is not known."""
        known = self._found.pop(key, None)
        if known is None:
            known = find()
        self._found[key] = known
        while len(self._found) > self.most:
            try:
                self._found.popitem(last=False)
            except KeyError:  # another thread was faster
                break
        return known

    def forget(self) -> None:
        """Forget all results."""
        self._found.clear()

    def __len__(self) -> int:
        return len(self._found)


def remembering(pack: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """The same conversion of joint coordinates and rates to a state, which remembers its last results."""
    known: Remembered[np.ndarray] = Remembered()

    def packed(coordinates: np.ndarray, rates: np.ndarray) -> np.ndarray:
        found = known.get((coordinates.tobytes(), rates.tobytes()), lambda: pack(coordinates, rates))
        return found.copy()

    return packed
