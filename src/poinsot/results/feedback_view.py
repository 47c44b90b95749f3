"""Results of a feedback: what its law saw, what it gave, its own states, and its Lyapunov function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.elements.feedback import F_CONTROLS, F_STATE
from poinsot.layout.forms import named_parameters
from poinsot.model.body import Point
from poinsot.model.coordinate import Coordinate, Rate
from poinsot.model.feedback import Feedback
from poinsot.model.readings import AXES
from poinsot.results.constraint_views import View
from poinsot.tables.records import N_CONTROL

if TYPE_CHECKING:
    from poinsot.results.trajectory import Samples

MONOTONE = 1e-12  # of the largest value of a Lyapunov function: smaller rises are rounding


def seen_values(run: Samples, feedback: Feedback) -> np.ndarray:
    """What a law sees at all times, (n, numbers), from the results of the run; of a sampled law what it would see then."""
    shape = np.shape(run.t)
    parts = [np.asarray(_output(run, output), float).reshape(*shape, -1) for output in feedback.seen]
    signal = feedback.signal
    if signal is not None:
        rows = [signal.at(float(t)).ravel() for t in np.atleast_1d(run.t)]
        parts.append(np.array(rows).reshape(*shape, -1))
    return np.concatenate([np.zeros((*shape, 0)), *parts], axis=-1)


def _output(run: Samples, output: Any) -> Any:
    if isinstance(output, str):
        owner, _, result = output.rpartition(".")
        found = getattr(run[owner], result)
        return found * np.where(found[..., :1] < 0.0, -1.0, 1.0) if result == "quaternion" else found
    if isinstance(output, Point):
        return run[output.body.name].point(_flat(run, output.position))
    rate = isinstance(output, Rate)
    coordinate: Coordinate = output.coordinate if isinstance(output, Rate) else output
    owner = coordinate.owner
    if isinstance(owner, Point):
        view: Any = run[owner.body.name]
        found = (view.world_velocity if rate else view.world)(np.array(owner.position))
        return found[..., AXES.index(coordinate.name)]
    name = owner.rate_names[owner.names.index(coordinate.name)] if rate else coordinate.name
    return getattr(run[owner.name], name)


def _flat(run: Samples, point: Any) -> Any:
    return run.flat(np.array(point))


class FeedbackView(View):
    """What a law saw and gave. Arrays have one row per output time."""

    def _element(self) -> Feedback:
        found = self._run.frozen.system.loads[self._index]
        assert isinstance(found, Feedback)
        return found

    def _without(self) -> set[str]:
        own = self._element()
        missing = {name for name in ("lyapunov", "lyapunov_rate") if getattr(own, name) is None}
        return super()._without() | missing | (set() if own.state_count else {"states"})

    def _kept(self) -> np.ndarray:
        """What the controller keeps in the states of the run."""
        frozen = self._run.frozen
        load = frozen.layout.loads[frozen.loads.owner.index(self._element())]
        tail = frozen.layout.members[load["item"] + load["items"] :]
        first = self._run.raw.shape[-1] - 1 - int(frozen.layout.sizes[N_CONTROL]) + int(tail[F_STATE])
        return self._run.raw[..., first : first + int(tail[F_CONTROLS])]

    @property
    def names(self) -> list[str]:
        """The names of what the law sees, in the order of `values`."""
        return self._element().seen_names

    @property
    def values(self) -> np.ndarray:
        """What the law saw, (n, numbers): of a sampled law, at its last sample."""
        own = self._element()
        if own.period is not None:
            return self._kept()[..., : len(own.seen_names)]
        return seen_values(self._run, own)

    @property
    def effort(self) -> np.ndarray:
        """Efforts of its inputs, (n, efforts), N m or N, after limiting; from a sample on those of that sample."""
        rows, own, frozen = self._run.loads, self._element(), self._run.frozen
        start = 6 * (len(frozen.layout.bodies) + len(frozen.layout.joints)) + 1
        found = []
        for channel in own.channels():
            row = frozen.loads.owner.index(channel.load)
            local = frozen.layout.loads["local"][row] == 1
            vector = rows[..., start + 4 * row : start + 4 * row + 3]
            if local:  # effort of forces and torques is in world axes
                body = frozen.layout.loads["second"][row]
                name = (frozen.system.ground, *frozen.system.bodies)[body].name
                vector = np.einsum("...ji,...j->...i", self._run[name].rotation, vector)
            found.append(channel.factor * vector[..., channel.place])
        return np.stack(found, axis=-1)

    @property
    def power(self) -> np.ndarray:
        """Zero, W: its inputs do the work and have their power, so that the powers of all forces add up."""
        return np.zeros(np.shape(self._run.t))

    @property
    def states(self) -> np.ndarray:
        """States of the controller, (n, states), in the order and units of its law; of a sampled law those after its last sample."""
        own = self._element()
        if not own.state_count:
            raise AttributeError(f"{own.label()} has no states of its own")
        kept = self._kept()
        return kept[..., kept.shape[-1] - own.state_count :]

    @property
    def lyapunov(self) -> np.ndarray:
        """Its Lyapunov function at every output, (n,), in the unit of the function given."""
        return self._judged("lyapunov")

    @property
    def lyapunov_rate(self) -> np.ndarray:
        """Rate of its Lyapunov function at every output, (n,), in the unit of the function per second; negative where it falls."""
        return self._judged("lyapunov_rate")

    def _judged(self, name: str) -> np.ndarray:
        own = self._element()
        function = getattr(own, name)
        if function is None:
            raise AttributeError(f"{own.label()} has no {name}; give {name}= when it is made")
        t, x = np.atleast_1d(self._run.t), np.atleast_2d(seen_values(self._run, own))
        z = np.atleast_2d(self.states) if own.state_count else None
        p = named_parameters(own.params, own.values())
        found = [float(function(float(t[k]), x[k], p, *(() if z is None else (z[k],)))) for k in range(len(t))]
        return np.array(found).reshape(np.shape(self._run.t))


def lyapunov_verdicts(run: Any) -> list[str]:
    """For every Lyapunov function of a run whether it fell, in words."""
    found = []
    for feedback in run.frozen.alike.system.loads:
        if not isinstance(feedback, Feedback) or feedback.lyapunov is None:
            continue
        values = run[feedback.name].lyapunov
        rises = np.diff(values)
        worst = int(np.argmax(rises)) if len(rises) else 0
        ends = f"from {values[0]:.4g} to {values[-1]:.4g}"
        if not len(rises) or rises[worst] <= MONOTONE * np.abs(values).max():
            found.append(f"V of {feedback.name} fell monotonically, {ends}")
        else:
            found.append(f"V of {feedback.name} rose, by up to {rises[worst]:.2g} between outputs, at t = {run.t[worst]:.4g} s; {ends}")
    return found
