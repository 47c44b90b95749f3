"""Time stepping: one module per method. `contract.py` says how to add one."""

from poinsot.integrators.registry import find, names

__all__ = ["find", "names"]
