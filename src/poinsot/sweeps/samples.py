"""Samples: values drawn from distributions, as variants of a sweep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.guard import TEXT, WHOLE, instance, is_number, settings_door
from poinsot.model.words import short_repr, suggestion

MOST = 2**24  # variants that are drawn at most
DISTRIBUTIONS = instance(dict, 'a dictionary such as {"spring1.stiffness": (10, 20)}')


@settings_door(distributions=DISTRIBUTIONS, count=WHOLE, method=TEXT, seed=WHOLE)
def sample(distributions: dict[str, Any], count: int, *, method: str = "sobol", seed: int = 0) -> list[dict[str, Any]]:
    """Values drawn from distributions, to be given to `po.sweep` as `vary`; the same seed gives the same values.

    Parameters
    ----------
    distributions : by name of what varies, as in `sweep`: a pair (low, high) for values spread evenly between them, or a
        frozen distribution of scipy.stats, such as `scipy.stats.norm(10.0, 0.1)`
    count : number of variants
    method : "sobol" (scrambled Sobol sequence, best if count is a power of two), "latin" (Latin hypercube) or "random" (independent)
    seed : a whole number

    Returns
    -------
    changes : one dictionary of values per variant
    """
    if not 1 <= count <= MOST:
        raise SettingsError(f"sample: count must be between 1 and {MOST}, not {count}")
    if seed < 0:
        raise SettingsError(f"sample: seed must be a whole number that is not negative, not {seed}")
    if method not in METHODS:
        raise SettingsError(f"sample: there is no method {short_repr(method)}; {suggestion(method, METHODS)}")
    if not distributions:
        raise SettingsError('sample: name what varies, and how, such as {"spring1.stiffness": (10, 20)}')
    inverses = {name: _inverse(name, given) for name, given in distributions.items()}
    unit = METHODS[method](len(inverses), int(count), int(seed))
    columns = []
    for (name, inverse), column in zip(inverses.items(), unit.T):
        values = np.asarray(inverse(column), float)
        if values.shape != column.shape or not np.all(np.isfinite(values)):
            raise SettingsError(f"sample: the distribution of '{name}' does not give {count} finite numbers")
        columns.append(values.tolist())
    return [dict(zip(inverses, row)) for row in zip(*columns)]


def _inverse(name: Any, given: Any) -> Callable[[np.ndarray], Any]:
    """The inverse of a cumulative distribution."""
    if not isinstance(name, str):
        raise SettingsError(f"sample: a name such as 'spring1.stiffness' must be a text, not {short_repr(name)}")
    if isinstance(given, tuple | list) and len(given) == 2 and all(is_number(end) and np.isfinite(end) for end in given):
        low, high = map(float, given)
        if low >= high:
            raise SettingsError(f"sample: '{name}' must be (low, high) with low < high, not {short_repr(given)}")
        return lambda unit: low + unit * (high - low)
    if callable(getattr(given, "ppf", None)) and hasattr(given, "args"):  # a frozen distribution has its numbers with it
        return given.ppf
    raise SettingsError(
        f"sample: '{name}' must be a pair (low, high) or a frozen distribution such as scipy.stats.norm(10.0, 0.1), not {short_repr(given)}"
    )


def _sobol(dimensions: int, count: int, seed: int) -> np.ndarray:
    from scipy.stats import qmc

    most = int(qmc.Sobol.MAXDIM)
    if dimensions > most:
        raise SettingsError(f"sample: Sobol sequences have at most {most} dimensions, not {dimensions}; take method='latin'")
    return qmc.Sobol(dimensions, rng=seed).random_base2(max(count - 1, 0).bit_length())[:count]


def _latin(dimensions: int, count: int, seed: int) -> np.ndarray:
    from scipy.stats import qmc

    return qmc.LatinHypercube(dimensions, rng=seed).random(count)


def _random(dimensions: int, count: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random((count, dimensions))


METHODS: dict[str, Callable[[int, int, int], np.ndarray]] = {"sobol": _sobol, "latin": _latin, "random": _random}
