"""Dynamics at one state: accelerations, inverse dynamics, mass matrix, reactions, energies, momenta."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from poinsot.algebra.bounds import LARGEST, within
from poinsot.analysis.rehearsal import Rehearsal
from poinsot.analysis.start import start
from poinsot.errors import FormulationError, ModelError
from poinsot.formulations.contract import loads_row
from poinsot.formulations.registry import OPEN, formulate
from poinsot.layout.blame import find_failed_function
from poinsot.layout.freeze import Frozen, freeze
from poinsot.layout.initial import initial_values
from poinsot.model.forces import Motor
from poinsot.model.guard import NUMBER, NUMBERS, TEXT, door, instance, maybe
from poinsot.model.snapshot import acting, idle_at_start, snapshot
from poinsot.model.system import SYSTEM, System
from poinsot.model.words import NearNames
from poinsot.results.state import State
from poinsot.tables.records import N_R, Layout
from poinsot.tables.types import OK

if TYPE_CHECKING:
    from poinsot.results.trajectory import Samples

AT = maybe(instance(State, "a State, such as run.state()"))


@door(system=SYSTEM, formulation=TEXT)
class Dynamics(NearNames):
    """The equations of a system at a state. Vectors follow `rates`: one entry per joint rate, joint after joint.

    A state is a `State` (from `state(...)` or from a run); None means the initial one. Accelerations are derivatives
    of the joint rates; efforts are conjugate to them (N m or N).
    """

    def __init__(self, system: System, formulation: str = OPEN):
        system = snapshot(system)
        system.check().raise_faults()
        system = acting(system, idle_at_start(system))
        self.frozen: Frozen = freeze(system)
        self.formulation = formulate(self.frozen, formulation)
        self.start = start(self.frozen, *initial_values(system, self.frozen.topology), decided=False)
        if self.formulation.rows is not None:
            self.frozen, self.formulation = self.formulation.rows.without(self.frozen, self.start.dropped)
        self._work = np.zeros(self.formulation.work_size)
        Rehearsal(self.frozen, self.formulation, self._raw(None)[1], 0.0, 1.0).hold(strict=False)

    @property
    def rates(self) -> list[str]:
        """Names of the entries of accelerations and efforts."""
        labels = []
        for joint in self.frozen.joints:
            for name, motion in zip(joint.rate_names, joint.motions()):
                label = f"{joint.name}.{name}"
                labels += [label] if motion.rates == 1 else [f"{label}[{k}]" for k in range(motion.rates)]
        return labels

    @property
    def ambiguous(self) -> list[str]:
        """Joints whose reactions are not unique, because constraints are redundant."""
        found = self.start.redundancy
        return [] if found is None else [element.name for element, unique in found.unique.items() if not unique]

    @door(coordinates=maybe(NUMBERS), rates=maybe(NUMBERS), t=NUMBER)
    def state(self, coordinates: Any = None, rates: Any = None, t: float = 0.0) -> State:
        """A state from joint coordinates and rates (joint after joint); initial values where they are not given."""
        first, second = self.start.coordinates, self.start.rates
        q = np.array(first if coordinates is None else coordinates, float)
        v = np.array(second if rates is None else rates, float)
        if q.shape != first.shape or v.shape != second.shape:
            raise ModelError(
                f"a state of this system has {first.size} coordinates and {second.size} rates, not {q.size} and {v.size}"
            )
        if not (np.all(np.abs(q) <= LARGEST) and np.all(np.abs(v) <= LARGEST) and within(t)):
            raise ModelError(f"a state must have finite numbers of at most {LARGEST:g}")
        return State(t, q, v)

    def _raw(self, state: State | None) -> tuple[float, np.ndarray]:
        state = self.state() if state is None else self.state(state.coordinates, state.rates, state.t)
        return state.t, self.formulation.pack(state.coordinates, state.rates)

    def _solve(self, kernel: Any, state: State | None, given: np.ndarray) -> np.ndarray:
        layout = self.frozen.layout
        t, y = self._raw(state)
        result = np.zeros(int(layout.sizes[N_R]))
        if kernel(t, y, given, layout, self._work, result) != OK:
            self._blame(t, lambda new: kernel(t, y, given, new, self._work, result))
        if not np.all(np.isfinite(result)):
            name = self.frozen.system.name
            raise ModelError(
                f"system '{name}': some motion has no inertia in this state, so no acceleration is defined"
            )
        return result

    @door(state=AT, effort=maybe(NUMBERS))
    def acceleration(self, state: State | None = None, effort: Any = None) -> np.ndarray:
        """Derivatives of the joint rates, (n,), rad/s^2 or m/s^2.

        `effort` (n,), N m or N, replaces the efforts of springs, dampers and motors at joints.
        """
        drives = self.frozen.system.drives
        if drives:
            raise FormulationError(
                f"{drives[0].label()} prescribes accelerations, which dynamics at a state does not solve for; use po.simulate(...)"
            )
        given = np.zeros(0) if effort is None else self._vector(effort, "effort")
        return self._respond(state, given)

    def _respond(self, state: State | None, effort: np.ndarray) -> np.ndarray:
        """Derivatives of the joint rates under efforts at joints, ignoring drives."""
        return self._solve(self.formulation.acceleration(), state, effort)

    @door(state=AT, acceleration=maybe(NUMBERS))
    def inverse(self, state: State | None = None, acceleration: Any = None) -> np.ndarray:
        """Joint efforts (N m or N) that produce an acceleration (rad/s^2 or m/s^2, default zero), with the forces on bodies acting.

        With motors that have no law, entries are their efforts and the accelerations of their coordinates, in this
        order (`inputs`): inverse dynamics of closed mechanisms. Otherwise (open systems only) one entry per joint rate.
        """
        chosen = self.inputs
        if not chosen and not self.frozen.closed and self.formulation.inverse is not None:
            size = int(self.frozen.layout.sizes[N_R])
            given = np.zeros(size) if acceleration is None else self._vector(acceleration, "acceleration")
            return self._solve(self.formulation.inverse(), state, given)
        if not chosen:
            raise FormulationError(
                f"system '{self.frozen.system.name}': say which joints are driven by motors without a law (po.Motor(joint)); on open "
                "systems without them use formulation 'tree'"
            )
        wanted = np.zeros(len(chosen)) if acceleration is None else np.asarray(acceleration, float)
        _finite(wanted, "acceleration")
        if wanted.shape != (len(chosen),):
            raise ModelError(f"acceleration must have {len(chosen)} entries, those of {', '.join(self.input_names)}")
        zero = np.zeros(int(self.frozen.layout.sizes[N_R]))
        bias = self._respond(state, zero)[chosen]
        units = np.eye(len(zero))[chosen]
        grip = np.array([self._respond(state, unit)[chosen] - bias for unit in units]).T
        if np.linalg.cond(grip) > 1e12:
            raise ModelError(
                f"system '{self.frozen.system.name}': {', '.join(self.input_names)} cannot produce every acceleration in this state"
            )
        return np.linalg.solve(grip, wanted - bias)

    @property
    def input_names(self) -> list[str]:
        """Motors without a law."""
        return [load.name for load in self.frozen.system.loads if isinstance(load, Motor) and load.law is None]

    @property
    def inputs(self) -> list[int]:
        """Positions, among the joint rates, of the coordinates of motors without a law."""
        layout, owner = self.frozen.layout, self.frozen.loads.owner
        rows = [k for k, load in enumerate(owner) if isinstance(load, Motor) and load.law is None]
        return [int(layout.motions["ir"][layout.loads["motion"][k]]) for k in rows]

    @door(state=AT)
    def mass_matrix(self, state: State | None = None) -> np.ndarray:
        """Mass matrix (n, n) of the joint rates, kg, kg m or kg m^2, one inverse dynamics per column."""
        bias = self.inverse(state)
        return np.array([self.inverse(state, column) - bias for column in np.eye(len(bias))]).T

    @door(state=AT)
    def reactions(self, state: State | None = None) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """By joint: force (N) and torque (N m) on its second body at its joint frame, world axes; constraint forces only."""
        layout = self.frozen.layout
        t, y = self._raw(state)
        row = np.zeros(loads_row(layout))
        kernel = self.formulation.observe_loads()
        if kernel(t, y, layout, self._work, row) != OK:
            self._blame(t, lambda new: kernel(t, y, new, self._work, row))
        _finite(row, f"system '{self.frozen.system.name}': reactions at this state")
        start = 6 * len(layout.bodies)
        table = row[start : start + 6 * len(layout.joints)].reshape(-1, 6)
        return {joint.name: (wrench[:3].copy(), wrench[3:].copy()) for joint, wrench in zip(self.frozen.joints, table)}

    @door(state=AT)
    def kinetic(self, state: State | None = None) -> float:
        """Kinetic energy, J."""
        return float(self._at(state).kinetic)

    @door(state=AT)
    def potential(self, state: State | None = None) -> float:
        """Potential energy of gravity (zero at the world origin) and of springs, J."""
        return float(self._at(state).potential)

    @door(state=AT)
    def energy(self, state: State | None = None) -> float:
        """Total energy, J."""
        return float(self._at(state).energy)

    @door(state=AT)
    def momentum(self, state: State | None = None) -> np.ndarray:
        """Linear momentum, world axes, kg m/s; two numbers in a plane."""
        return self._at(state).momentum.copy()

    @door(state=AT)
    def angular_momentum(self, state: State | None = None) -> Any:
        """Angular momentum about the world origin, world axes, kg m^2/s; a number in a plane."""
        return np.array(self._at(state).angular_momentum)[()]

    def _at(self, state: State | None) -> Samples:
        """Results at a state."""
        from poinsot.results.trajectory import Samples

        return Samples(self.frozen, self.formulation, *self._raw(state))

    def _blame(self, t: float, again: Callable[[Layout], Any]) -> NoReturn:
        """Raise the exception of the user's function that failed."""
        callbacks = self.frozen.loads.callbacks
        if not callbacks:
            raise ModelError(f"system '{self.frozen.system.name}': the equations give numbers that are not finite in this state")
        who, error = find_failed_function(callbacks, self.frozen.layout, again)
        error.add_note(f"raised by {who}, system '{self.frozen.system.name}' at t = {t:.9g} s")
        raise error

    def _vector(self, values: Any, what: str) -> np.ndarray:
        array = _finite(np.ascontiguousarray(values, float), what)
        size = int(self.frozen.layout.sizes[N_R])
        if array.shape != (size,):
            raise ModelError(f"{what} must have {size} entries (see .rates), not shape {array.shape}")
        return array


def _finite(array: np.ndarray, what: str) -> np.ndarray:
    if not np.all(np.isfinite(array)):
        raise ModelError(f"{what} must be finite numbers")
    return array


@door(system=SYSTEM, formulation=TEXT)
def dynamics(system: System, formulation: str = OPEN) -> Dynamics:
    """The equations of a system, to be evaluated at any state.

    Parameters
    ----------
    formulation : "tree", "moving-frame", ...: whose equations; their results are the same

    Returns
    -------
    dynamics : a Dynamics: `acceleration`, `inverse`, `mass_matrix`, `reactions`, energies and momenta at a state
    """
    return Dynamics(system, formulation)
