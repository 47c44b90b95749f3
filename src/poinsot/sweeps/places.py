"""Which variant is meant: by number, by places in a grid, or by values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.errors import SettingsError
from poinsot.model.guard import is_number, whole
from poinsot.model.words import short_repr, suggestion
from poinsot.sweeps.variants import ABSENT, Variants


def number(variants: Variants, wanted: Any) -> int:
    """The number of a variant; a SettingsError if there is no such variant."""
    if isinstance(wanted, dict):
        return _by_values(variants, wanted)
    if isinstance(wanted, list | tuple):
        fits = variants.grid and len(wanted) == len(variants.shape) and all(whole(k) and -n <= k < n for k, n in zip(wanted, variants.shape))
        if not fits:
            raise SettingsError(f"there is no variant at {short_repr(wanted)}; the grid is of {' x '.join(map(str, variants.shape))} variants")
        return int(np.ravel_multi_index([int(k) % n for k, n in zip(wanted, variants.shape)], variants.shape))
    if not whole(wanted) or not -len(variants) <= wanted < len(variants):
        raise SettingsError(f"there is no variant {short_repr(wanted)}; there are {len(variants)}, from 0 on")
    return int(wanted) % len(variants)


def _by_values(variants: Variants, wanted: dict[str, Any]) -> int:
    """The variant whose values are nearest: those of a grid name by name, otherwise by the sum of distances relative to the ranges."""
    for name in wanted:
        if name not in variants.names:
            raise SettingsError(f"this sweep does not vary {short_repr(name)}; {suggestion(name, variants.names)}")
    if variants.grid:
        places = [int(np.argmin(_distances(variants.values(name), wanted[name], name))) if name in wanted else 0 for name in variants.names]
        return int(np.ravel_multi_index(places, variants.shape))
    total = np.zeros(len(variants))
    for name, value in wanted.items():
        total += _distances(variants.values(name), value, name)
    return int(np.argmin(total))


def _distances(values: Sequence[Any], wanted: Any, name: str) -> np.ndarray:
    """Distance of each of the values from the wanted one, relative to their range; of texts and lists 0 or infinite."""
    if is_number(wanted) and all(is_number(value) for value in values if value is not ABSENT):
        numbers = np.array([np.nan if value is ABSENT else value for value in values], float)
        span = np.nanmax(numbers) - np.nanmin(numbers)
        return np.nan_to_num(np.abs(numbers - wanted) / (span or 1.0), nan=np.inf)
    found = np.array([0.0 if value == wanted else np.inf for value in values])
    if not np.any(found == 0.0):
        raise SettingsError(f"{name} has no value {short_repr(wanted)} in this sweep")
    return found
