"""Constraints on velocities that users write themselves, as functions that fill their coefficients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from poinsot.algebra.bounds import LARGEST
from poinsot.model.body import BODY, Body
from poinsot.model.constraints import Constraint, ConstraintRow
from poinsot.model.guard import FUNCTION, TEXT, TRUTH, WHOLE, as_numbers, door, several
from poinsot.model.words import short_repr
from poinsot.model.wrenches import LIST

__all__ = ["VelocityRows"]

MOST = 6  # rows of one element


@door(function=FUNCTION, bodies=several(BODY, "a list of bodies"), rows=WHOLE, params=LIST, name=TEXT, active=TRUTH)
@dataclass(frozen=True, eq=False)
class VelocityRows(Constraint):
    """Constraints on velocities by a user's function: sum of G_b (v_b, w_b) over its bodies = r, for each of 1 to 6 rows.

    v_b is the velocity of the centre of mass of body b (m/s) and w_b its angular velocity (rad/s), world axes. The derivative of the rows,
    which accelerations need, is found from the function by differences of eighth order along the motion.

    Parameters
    ----------
    function : f(t, x, params, out). out is (rows, 6 n + 1), to be filled with the coefficients of every row, six for each of the n bodies in
        turn, and the right-hand side r; it is zero on entry. x is (n, 13) as for `UserForce`: position of the origin, quaternion wxyz (of
        either sign), then six zeros: coefficients must not depend on velocities. x and params are read-only, and nothing is returned
    bodies : the n bodies
    rows : their number
    params : numbers for the function, which may change between runs
    name : of the element; results are its multipliers and `run[name].power` (W)
    active : False: they do not act until an event engages them
    """

    kind: ClassVar[str] = "velocity rows"
    attribute_names: ClassVar = {"bodies": "on", "rows": "count"}
    called: ClassVar = {4: "f(t, x, params, out)"}
    lists: ClassVar = ("params",)
    written: ClassVar = {"rows": "number"}
    function: Callable[..., Any]
    on: Sequence[Body] = ()
    count: int = 1
    params: Sequence[float] = ()
    name: str = ""

    def __init__(
        self,
        function: Callable[..., Any],
        bodies: Sequence[Body] = (),
        rows: int = 1,
        params: Sequence[float] = (),
        name: str = "",
        *,
        active: bool = True,
    ):
        given = (("function", function), ("on", tuple(bodies)), ("count", rows), ("params", tuple(params)), ("name", name))
        for field, value in (*given, ("active", active)):
            object.__setattr__(self, field, value)
        self.note_unadded()

    def rows(self) -> tuple[ConstraintRow, ...]:
        """As many as the function fills."""
        return tuple(ConstraintRow("user", members=tuple(self.on)) for _ in range(int(self.count)))

    def violated(self, values: list[float], rates: bool) -> str:
        """By how much its rows miss their right-hand sides."""
        missed = ", ".join(f"row {k + 1} by {abs(v):.4g}" for k, v in enumerate(values) if abs(v) > 1e-12)
        return f"is violated, {missed}: set velocities that obey its rows, or leave some unset, which then follow" if rates and missed else ""

    def bodies(self) -> tuple[Body, ...]:
        """Its bodies."""
        return tuple(self.on)

    def values(self) -> list[float]:
        """The parameters."""
        return [float(value) for value in self.params]

    def changes(self) -> list[str]:
        """The parameters."""
        return ["params"]

    def units(self) -> dict[str, str]:
        """The power of the constraint forces; the units of multipliers are those that the coefficients of the rows give them."""
        return {"power": "W"}

    def faults(self) -> list[str]:
        """No bodies, bodies twice, a number of rows out of range, parameters that are not finite."""
        found = []
        if not callable(self.function):
            found.append(f"{self.label()}: {self.function!r} is not a function f(t, x, params, out)")
        names = [body.name for body in self.on]
        if not any(name != "ground" for name in names):
            found.append(f"{self.label()}: constrains no body; give bodies=[...]")
        for name in sorted({name for name in names if names.count(name) > 1}):
            found.append(f"{self.label()}: body '{name}' is given {names.count(name)} times; give every body once")
        if not 1 <= self.count <= MOST:
            found.append(f"{self.label()}: rows must be a whole number from 1 to {MOST}, not {short_repr(self.count)}; add several elements for more")
        numbers = as_numbers(self.params)
        if numbers is None or not bool((abs(numbers) <= LARGEST).all()):
            found.append(f"{self.label()}: params must be finite numbers of at most {LARGEST:g}, not {short_repr(self.params)}")
        return found
