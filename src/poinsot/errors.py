"""All errors and warnings of the package. Every message names the element, what is wrong and what to do."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

_COLLECTED: ContextVar[list[str] | None] = ContextVar("collected", default=None)
_HOME = str(Path(__file__).parent) + os.sep


class PoinsotError(Exception):
    """Any error of this package. It can be sent to another process, with those of its attributes that can be pickled."""

    def __reduce__(self) -> Any:
        return _arrived, (type(self), self.args, {name: _travelling(value) for name, value in vars(self).items()})


def _arrived(cls: type[PoinsotError], args: tuple[Any, ...], carried: dict[str, Any]) -> PoinsotError:
    """Rebuild an error, whatever the arguments of its class."""
    error = cls.__new__(cls, *args)
    vars(error).update(carried)
    return error


def _travelling(value: Any) -> Any:
    """A value, or None if it cannot be pickled (runs, functions)."""
    try:
        pickle.dumps(value)
    except Exception:
        return None
    return value


class ModelError(PoinsotError):
    """The model has faults. Carries all faults found, not only the first."""

    def __init__(self, faults: str | list[str]):
        self.faults = [faults] if isinstance(faults, str) else list(faults)
        if len(self.faults) == 1:
            super().__init__(self.faults[0])
        else:
            lines = "\n".join(f"  {k}. {fault}" for k, fault in enumerate(self.faults, 1))
            super().__init__(f"{len(self.faults)} faults in the model:\n{lines}")


class AssemblyError(PoinsotError):
    """A loop cannot be closed with the held values. `residuals`: by element, the remaining gap in m and rad (or m/s and rad/s)."""

    def __init__(self, message: str, residuals: dict[str, tuple[float, float]]):
        super().__init__(message)
        self.residuals = residuals


class FormulationError(PoinsotError):
    """The chosen formulation does not accept this model; the message says why and which one does."""


class SettingsError(PoinsotError, ValueError):
    """Settings of a run that are invalid, or contradict each other or the model."""


class FileError(PoinsotError):
    """A file that cannot be read or written: missing, truncated, damaged, or of another kind."""


class RunError(PoinsotError):
    """A run stopped before its end. `trajectory` holds the results until then, in the process that ran it."""

    def __init__(self, message: str, trajectory: Any = None):
        super().__init__(message)
        self.trajectory = trajectory


class ConvergenceError(RunError):
    """Stages did not converge, or numbers became non-finite, at the smallest allowed step."""


class CallbackError(RunError):
    """A user's function returned something that is not a finite number."""


class ModelWarning(UserWarning):
    """Something in a model is possible, but probably a mistake: degrees for radians, a force that was never added."""


class AssemblyWarning(UserWarning):
    """Bodies were moved before the run to close loops."""


class ResumeWarning(UserWarning):
    """A run is resumed with other software than it was started with: the last digits may differ from those of an uninterrupted run."""


class DriveWarning(UserWarning):
    """A signal is not smooth enough for continuous efforts."""


class FunctionWarning(UserWarning):
    """A user's function keeps state between its calls, which are more than one per step and not in the order of time."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn, with the location of the nearest caller outside this package."""
    found = _COLLECTED.get()
    if found is not None:
        found.append(message)
        return
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HOME):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


@contextmanager
def warnings_collected() -> Iterator[list[str]]:
    """In this context, and in this thread alone, warnings of the package are put into a list instead of being shown."""
    found: list[str] = []
    token = _COLLECTED.set(found)
    try:
        yield found
    finally:
        _COLLECTED.reset(token)
