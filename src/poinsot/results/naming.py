"""`run.names()`: all results of a run by name, with unit and shape, grouped by element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from poinsot.errors import SettingsError
from poinsot.model.joint import Joint
from poinsot.model.words import short_repr, suggestion
from poinsot.results.listing import html_table, text_table
from poinsot.results.quantities import known_results, quantity

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

VECTORS = {"momentum", "position", "com", "velocity", "com_velocity", "acceleration", "force", "force_body", "contact"}
TURNING = {"angular_momentum", "angular_velocity", "angular_velocity_body", "angular_acceleration", "torque", "torque_body"}
COMPUTED = {"effort", "values", "states"}  # results whose numbers of components only their values tell
HEADER = ("result", "unit", "shape", "meaning")


@dataclass(frozen=True)
class Named:
    """One result: its name, unit, shape of its values at one time (() of a number), and words."""

    name: str
    unit: str
    shape: tuple[int, ...]
    words: str

    def row(self) -> tuple[str, str, str, str]:
        """As text."""
        return self.name, self.unit, "number" if not self.shape else f"{self.shape[0]} numbers", self.words


class Names(list[str]):
    """Names of results: a list for plots, tables and sweeps. Printed as a table; `names["crank"]` are those of one element."""

    def __init__(self, table: Sequence[Named], outputs: int):
        super().__init__(one.name for one in table)
        self.table, self.outputs = list(table), outputs

    def __getitem__(self, key: Any) -> Any:
        """Results by number or slice, as of every list; with the name of an element (or the element) those of it."""
        if isinstance(key, int | slice):
            return super().__getitem__(key)
        wanted = key if isinstance(key, str) else getattr(key, "name", None)
        owners = list(dict.fromkeys(_owner(name) for name in self))
        if wanted not in owners:
            raise SettingsError(f"there are no results of {short_repr(key)}; {suggestion(wanted, [owner for owner in owners if owner])}")
        return Names([one for one in self.table if _owner(one.name) == wanted], self.outputs)

    def __repr__(self) -> str:
        rows: list[Sequence[str]] = []
        before = None
        for one in self.table:
            if before is not None and _owner(one.name) != before:
                rows.append(("", "", "", ""))
            before = _owner(one.name)
            rows.append(one.row())
        return f"{text_table(HEADER, rows)}\n\n{len(self)} results at {self.outputs} times"

    def _repr_html_(self) -> str:
        return html_table(HEADER, [one.row() for one in self.table], f"{len(self)} results at {self.outputs} times")


def named_results(run: Trajectory) -> Names:
    """All results of a run."""
    joints = {joint.name: joint for joint in run.frozen.alike.joints}
    table = [Named(name, unit, _shape(run, name, joints), words) for name, (unit, words) in known_results(run).items()]
    return Names(table, len(run.t))


def _owner(name: str) -> str:
    return name.rpartition(".")[0]


def _shape(run: Trajectory, name: str, joints: dict[str, Joint]) -> tuple[int, ...]:
    """Shape of a result at one time, without computing it where its name tells."""
    owner, _, what = name.rpartition(".")
    planar, joint = run.frozen.alike.system.plane is not None, joints.get(owner)
    if joint is not None:
        sizes = dict(zip(joint.names, joint.motions())) | dict(zip(joint.rate_names, joint.motions()))
        if what in sizes:
            return () if sizes[what].rates == 1 else (sizes[what].rates,)
        if what == "angular_velocity":
            return (3,)
    if what in COMPUTED:
        return quantity(run, name).values.shape[1:]
    if what == "quaternion":
        return (4,)
    if what in VECTORS:
        return (2,) if planar else (3,)
    return () if planar or what not in TURNING else (3,)
