"""Results of one element, and of what is enforced by constraint rows. Arrays have one row per output time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.contract import BODY_MOTION
from poinsot.layout.user_rows import in_python
from poinsot.model.words import NearNames, suggestion

if TYPE_CHECKING:
    from poinsot.model.body import Body
    from poinsot.results.trajectory import Samples


class View(NearNames):
    """Results of one element of a run."""

    def __init__(self, run: Samples, index: int):
        self._run, self._index = run, index

    def _element(self) -> Any:
        """The element whose results these are."""
        return self._run.frozen.owners[self._index]

    def _called(self) -> str:
        return f"{self._element().label()} of this run"

    def _without(self) -> set[str]:
        """Results of its class that this element does not have."""
        return set() if self._run.formulation.observe_multipliers is not None else {"multipliers"}

    def __repr__(self) -> str:
        own = [name for name in dir(self) if not name.startswith("_") and isinstance(getattr(type(self), name, property()), property)]
        return f"<results of {self._element().label()}: {', '.join(own)}>"

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()) - self._without())


class RowsView(View):
    """Results of what is enforced by constraint rows."""

    @property
    def multipliers(self) -> np.ndarray:
        """Multipliers of its rows, (n, rows), N or N m, with the sign of M a + G' lambda = F; of runs with `rotation-matrix`.

        Those of points that coincide are, along the world axes, the forces on the first body. Redundant rows that are left out have 0.
        """
        joint = self._run.frozen.layout.joints[self._index]
        return self._run.multipliers[..., joint["row"] : joint["row"] + joint["rows"]]

    @property
    def unique(self) -> bool:
        """Whether its reaction is unique; a rigid model does not determine how redundant constraints share theirs."""
        return self._element().name not in getattr(self._run, "ambiguous", [])


class ConstraintView(RowsView):
    """Reaction of a constraint other than a joint."""

    def _reaction(self) -> np.ndarray:
        base = 6 * (len(self._run.frozen.layout.bodies) + self._index)
        return self._run.loads[..., base : base + 3]

    def _without(self) -> set[str]:
        own = set(self._element().units()) | ({"multipliers"} if self._written() else set())
        return (super()._without() | {"contact", "effort", "force", "power", "tension", "torque"} | (set() if self._written() else {"on"})) - own

    def _written(self) -> bool:
        """Whether users wrote its rows."""
        return bool(self._element().rows()[0].members)

    def _only(self, result: str) -> None:
        owner = self._run.frozen.owners[self._index]
        if result not in owner.units():  # type: ignore[union-attr]
            raise AttributeError(f"{owner.label()} has no result '{result}'")

    @property
    def multipliers(self) -> np.ndarray:
        """Multipliers of its rows, (n, rows), with the sign of M a + G' lambda = F: of rows that users wrote with every formulation, of
        others with `rotation-matrix`. Redundant rows that are left out have 0.
        """
        if not self._written():
            return super().multipliers
        base = 6 * (len(self._run.frozen.layout.bodies) + self._index)
        return self._run.loads[..., base : base + int(self._element().count)]

    @property
    def power(self) -> np.ndarray:
        """Of rows that users wrote: power of their forces, W, (n,), positive where energy is supplied; zero where right-hand sides are."""
        self._only("power")
        return -np.sum(self.multipliers * self._numbers()[..., -1], axis=-1)

    def on(self, body: Body | str) -> tuple[np.ndarray, np.ndarray]:
        """Of rows that users wrote: force (N) and torque about its centre of mass (N m) on one of its bodies, world axes, (n, 3) each.

        Found from the multipliers by calling the function at every output.
        """
        if not self._written():
            raise AttributeError(f"{self._called()} has no result 'on': its force and torque are results of their own")
        names, name = [own.name for own in self._element().on], body if isinstance(body, str) else body.name
        if name not in names:
            raise ModelError(f"{self._called()} has no body {name!r}; {suggestion(name, names)}")
        first = 6 * names.index(name)
        wrench = -np.einsum("...r,...rk->...k", self.multipliers, self._numbers()[..., first : first + 6])
        return wrench[..., :3], wrench[..., 3:]

    def _numbers(self) -> np.ndarray:
        """What the function of users' rows fills, at every output: (n, rows, 6 bodies + 1)."""
        element, run = self._element(), self._run
        motion, index = np.atleast_2d(run.motion), run.frozen.topology.index
        x = np.zeros((len(motion), len(element.on), BODY_MOTION))
        for k, body in enumerate(element.on):
            x[:, k, :7] = motion[:, BODY_MOTION * index[body] :][:, :7]
        function = in_python(element)
        found = [function.call(float(t), row.ravel().tolist(), element.values()) for t, row in zip(np.atleast_1d(run.t), x)]
        return np.reshape(found, (*run.motion.shape[:-1], int(element.count), -1))

    @property
    def force(self) -> np.ndarray:
        """Force on the second body, world axes, N: of a distance at its point, of a rolling body where it touches, of a blade at its point.

        (n, 3), or (n, 2) in a planar system; the first body gets the opposite.
        """
        self._only("force")
        return self._run.flat(self._reaction())

    @property
    def torque(self) -> np.ndarray:
        """Of an axis constraint: torque on the second body (opposite on the first), world axes, N m: (n, 3), planar (n,)."""
        self._only("torque")
        base = 6 * (len(self._run.frozen.layout.bodies) + self._index) + 3
        return self._run.about_normal(self._run.loads[..., base : base + 3])

    @property
    def contact(self) -> np.ndarray:
        """Of a rolling body: the point of contact in the world, m: (n, 3), planar (n, 2)."""
        self._only("contact")
        constraint, run = self._run.frozen.owners[self._index], self._run
        table, row = run.frozen.layout.joints[self._index], run.frozen.layout.rows[run.frozen.layout.joints[self._index]["row"]]
        first, second = (run[body.name] for body in constraint.bodies())  # type: ignore[union-attr]
        n = first.rotation @ (table["first_rotation"] @ row["u"])
        f = second.rotation @ (table["second_rotation"] @ row["v"])
        down = n - np.sum(n * f, axis=-1, keepdims=True) * f
        down = down / np.linalg.norm(down, axis=-1, keepdims=True)
        return run.flat(second.world(np.array(table["second_origin"])) - row["c"] * down)

    @property
    def tension(self) -> np.ndarray:
        """Of a distance: the force along it, N, (n,), positive where it pulls its ends together."""
        self._only("tension")
        constraint, run = self._run.frozen.owners[self._index], self._run
        layout = run.frozen.layout.joints[self._index]
        a, b = (run[body.name] for body in constraint.bodies())  # type: ignore[union-attr]
        way = a.world(np.array(layout["first_origin"])) - b.world(np.array(layout["second_origin"]))
        return np.sum(self._reaction() * way, axis=-1) / np.linalg.norm(way, axis=-1)

    @property
    def effort(self) -> np.ndarray:
        """Of a gear: effort on its first coordinate, N m or N, (n,); on the second acts - ratio times as much."""
        self._only("effort")
        return self._reaction()[..., 0]
