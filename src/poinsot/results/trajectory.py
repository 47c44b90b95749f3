"""Results of a run in terms of bodies and joints, independent of the formulation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from poinsot.elements.energy import ENERGIES, KINETIC, POTENTIAL
from poinsot.errors import ModelError, RunError, SettingsError
from poinsot.formulations.contract import BODY_MOTION, Formulation, loads_row, motion_row
from poinsot.layout.freeze import Frozen
from poinsot.layout.holding import holding
from poinsot.layout.initial import initial_values
from poinsot.model.body import Body
from poinsot.model.constraints import Constraint
from poinsot.model.drives import Drive
from poinsot.model.feedback import Feedback
from poinsot.model.forces import Stop
from poinsot.model.guard import NUMBER, PATH, TEXT, TRUTH, WHOLE, maybe, settings_door
from poinsot.model.joint import Joint
from poinsot.model.vectors import PLANES
from poinsot.model.words import NearNames, short_repr, suggestion
from poinsot.results.contacts import Contact, contacts_of
from poinsot.results.feedback_view import FeedbackView
from poinsot.results.record import Record
from poinsot.results.signs import keep_signs
from poinsot.results.state import State
from poinsot.results.tabled import Tabled
from poinsot.results.views import BodyView, ConstraintView, DriveView, JointView, LoadView
from poinsot.tables.records import N_C, N_CONTROL, N_R, own_values

if TYPE_CHECKING:
    from poinsot.model.load import Load
    from poinsot.model.system import System
    from poinsot.results.audit import Audit
    from poinsot.results.impulses import Impulses
    from poinsot.results.views import ElementView

OPENINGS = 400  # largest number of outputs at which gaps are evaluated


def read_only(values: Any) -> Any:
    """An array that shares its memory and cannot be written to, so that results are not changed by accident; scalars are returned as they are."""
    if not isinstance(values, np.ndarray):
        return values
    view = values.view()
    view.setflags(write=False)
    return view


class Samples(NearNames):
    """States at some times and all quantities derived from them. Arrays have one row per time; those of a single instant have no time axis."""

    def __init__(self, frozen: Frozen, formulation: Formulation, t: Any, raw: np.ndarray):
        self.frozen = frozen
        self.formulation = formulation
        self.t = read_only(t)
        self.raw = read_only(raw)

    def observe(self, kernel: Any, width: int) -> np.ndarray:
        """Rows (n, width) of a kernel of type RATE at all times."""
        from poinsot.results.observe import observe  # compiled code: imported only when something must be computed

        layout, work = own_values(self.frozen.layout), self.formulation.work_size
        if self.raw.ndim == 1:
            return observe(
                kernel, width, np.array([self.t]), self.raw[None], layout, work, self.frozen.alike.loads.callbacks
            )[0]
        return observe(kernel, width, self.t, self.raw, layout, work, self.frozen.alike.loads.callbacks)

    @cached_property
    def motion(self) -> np.ndarray:
        """Motion rows (see `formulations/contract.py`)."""
        rows = self.finite(self.observe(self.formulation.observe_motion, motion_row(self.frozen.layout)))
        if not self.formulation.continuous and rows.ndim == 2:
            keep_signs(rows, self.frozen.layout)
        return read_only(rows)

    @cached_property
    def quaternion_signs(self) -> np.ndarray:
        """Per body (ground first) the sign that makes its quaternion in the drawing equal to the one given."""
        zero = initial_values(self.frozen.alike.system, self.frozen.alike.topology, drawn=True)
        drawn = Samples(self.frozen, self.formulation, 0.0, self.formulation.pack(*zero))
        n = len(self.frozen.layout.bodies)
        found = drawn.motion[: n * BODY_MOTION].reshape(n, BODY_MOTION)[:, 3:7]
        given = np.array([body.rotation for body in (self.frozen.alike.system.ground, *self.frozen.alike.system.bodies)])
        return np.where(np.sum(found * given, axis=1) < 0, -1.0, 1.0)

    @cached_property
    def loads(self) -> np.ndarray:
        """Loads rows: accelerations, reactions, efforts; computed on first use."""
        return read_only(self.finite(self.observe(self.formulation.observe_loads(), loads_row(self.frozen.layout))))

    @cached_property
    def multipliers(self) -> np.ndarray:
        """Multipliers of all constraint rows, then six of every body (ground first); computed on first use."""
        if self.formulation.observe_multipliers is None:
            raise AttributeError(
                f"a run with '{self.formulation.name}' has no multipliers as results: run with formulation='rotation-matrix', "
                "or use the force and torque of joints"
            )
        layout = self.frozen.layout
        rows = self.observe(self.formulation.observe_multipliers(), len(layout.rows) + 6 * len(layout.bodies))
        return read_only(self.finite(rows))

    def finite(self, rows: np.ndarray) -> np.ndarray:
        """The same rows, checked to be finite."""
        if not np.all(np.isfinite(rows)):
            raise RunError(
                f"system '{self.frozen.system.name}': some energies, forces or accelerations of this run are too large to be represented; look for "
                "values of the wrong size or unit",
                self,
            )
        return rows

    @overload
    def __getitem__(self, key: Body) -> BodyView: ...
    @overload
    def __getitem__(self, key: Joint) -> JointView: ...
    @overload
    def __getitem__(self, key: Constraint) -> ConstraintView: ...
    @overload
    def __getitem__(self, key: Drive) -> DriveView: ...
    @overload
    def __getitem__(self, key: Load) -> LoadView: ...
    @overload
    def __getitem__(self, key: str) -> ElementView: ...
    def __getitem__(self, key: Any) -> Any:
        """Results of a body, joint or force, by name or by the element itself."""
        name = key if isinstance(key, str) else getattr(key, "name", None)
        element = self._named.get(name) if isinstance(name, str) else None
        if element is None:
            raise ModelError(f"this run has no element {short_repr(key)}; {suggestion(key, self._named)}")
        kind, index = element
        if kind is Body:
            return BodyView(self, index)
        if kind is Joint:
            return JointView(self, index)
        if kind is Constraint:
            return ConstraintView(self, index)
        if kind is Drive:
            return DriveView(self, index)
        return (FeedbackView if isinstance(self.frozen.alike.system.loads[index], Feedback) else LoadView)(self, index)

    @cached_property
    def _named(self) -> dict[str, tuple[type, int]]:
        names: dict[str, tuple[type, int]] = {"ground": (Body, 0)}
        system, joints = self.frozen.alike.system, self.frozen.alike.joints
        names |= {body.name: (Body, k) for k, body in enumerate(system.bodies, 1)}
        names |= {joint.name: (Joint, k) for k, joint in enumerate(joints)}
        names |= {constraint.name: (Constraint, k) for k, constraint in enumerate(system.constraints, len(joints))}
        names |= {drive.name: (Drive, k) for k, drive in enumerate(system.drives)}
        return names | {load.name: (object, k) for k, load in enumerate(system.loads)}

    def flat(self, value: np.ndarray, axis: int = -1) -> np.ndarray:
        """A vector as shown to the user: three numbers, or two in a planar system."""
        plane = self.frozen.alike.system.plane
        return value if plane is None else np.take(value, PLANES[plane][:2], axis=axis)

    def about_normal(self, value: np.ndarray) -> np.ndarray:
        """A rotational vector as shown to the user: three numbers, or the one about the normal in a planar system."""
        system = self.frozen.alike.system
        return value if system.plane is None else value @ np.array(system.normal)

    @cached_property
    def _energies(self) -> np.ndarray:
        return read_only(self.motion[..., -ENERGIES:])

    @property
    def kinetic(self) -> np.ndarray:
        """Kinetic energy, J."""
        return self._energies[..., KINETIC]

    @property
    def potential(self) -> np.ndarray:
        """Potential energy of gravity (zero at the world origin) and of springs, J."""
        return self._energies[..., POTENTIAL]

    @property
    def energy(self) -> np.ndarray:
        """Total energy, J."""
        return self.kinetic + self.potential

    @property
    def work(self) -> np.ndarray:
        """Work done since the start by non-conservative forces: motors, dampers, forces, users' functions, and by impulses; J."""
        return self.raw[..., -1]

    @property
    def momentum(self) -> np.ndarray:
        """Linear momentum, kg m/s."""
        return self.flat(self._energies[..., 2:5])

    @property
    def angular_momentum(self) -> np.ndarray:
        """Angular momentum about the world origin, kg m^2/s."""
        return self.about_normal(self._energies[..., 5:8])

    @property
    def coordinates(self) -> np.ndarray:
        """Coordinates of all joints, joint after joint: rad, m, quaternions wxyz of balls; (n, coordinates)."""
        start = BODY_MOTION * len(self.frozen.layout.bodies)
        return self.motion[..., start : start + int(self.frozen.layout.sizes[N_C])]

    @property
    def rates(self) -> np.ndarray:
        """Rates of all joints, joint after joint: rad/s, m/s; (n, rates)."""
        start = BODY_MOTION * len(self.frozen.layout.bodies) + int(self.frozen.layout.sizes[N_C])
        return self.motion[..., start : start + int(self.frozen.layout.sizes[N_R])]


class Trajectory(Tabled, Samples):
    """A run: times `t` (n,) in s, and at each of them poses, velocities, joint coordinates, reactions, energies. `print(run.audit)` reports how
    well it conserves; `run.formulation.name`, `run.record.integrator` and `run.record.settings` say how it was computed.

    `run["link"]` gives the results of a body, `run["joint"]` of a joint, `run["motor"]` of a force; elements themselves work as keys as well.
    """

    def __init__(self, frozen: Frozen, formulation: Formulation, t: np.ndarray, raw: np.ndarray, record: Record):
        super().__init__(frozen, formulation, t, raw)
        self.record = record

    def observe(self, kernel: Any, width: int) -> np.ndarray:
        """Rows (n, width) of a kernel of type RATE at all times, each with the constraint rows that were in use then."""
        if not self.selections:
            return super().observe(kernel, width)
        parts = [(0.0, self.frozen, self.formulation), *self.selections]
        ends = [0, *np.searchsorted(self.t, [t for t, _, _ in self.selections]), len(self.t)]
        rows = [
            Samples(frozen, formulation, self.t[i:j], self.raw[i:j]).observe(kernel, width)
            for (_, frozen, formulation), i, j in zip(parts, ends[:-1], ends[1:])
        ]
        return np.concatenate(rows)

    @cached_property
    def selections(self) -> list[tuple[float, Frozen, Formulation]]:
        """Times (s) from which other redundant rows were left out, and the tables and equations without them."""
        made = self.record.selections
        rows = self.formulation.rows if made else None
        if rows is None:
            return []
        if not self.record.switches:
            return [(t, *rows.without(self.frozen, dropped)) for t, dropped in made]
        return [(t, *rows.without(holding(self.frozen, self.record.acting_at(t)[1]), dropped)) for t, dropped in made]

    @property
    def impulses(self) -> Impulses:
        """What happened at the events of this run: impulses, and the energy lost in them."""
        from poinsot.results.impulses import Impulses

        return Impulses(self.record.impulses)

    @property
    def contacts(self) -> list[Contact]:
        """When coordinates were beyond the limits of stops, in order."""
        if not any(isinstance(load, Stop) for load in self.frozen.alike.system.loads):
            return []  # without asking for the system of the run, which is expensive where tables were refilled
        stops = [load for load in self.system.loads if isinstance(load, Stop)]
        return sorted((one for stop in stops for one in contacts_of(self, stop)), key=lambda contact: contact.t)

    @property
    def ambiguous(self) -> list[str]:
        """Joints and constraints whose reactions are not unique, because constraints are redundant."""
        return self.record.ambiguous

    @cached_property
    def audit(self) -> Audit:
        """What was conserved, how well, at what cost."""
        from poinsot.results.audit import audit

        return audit(self)

    def blocks(self) -> Iterator[Samples]:
        """All outputs in order, in blocks that fit into memory."""
        yield self

    @cached_property
    def openings(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Largest gap of any joint: times (s) of up to 400 of the outputs, gaps in m, and in rad."""
        from poinsot.analysis.constraints import openings

        chosen = np.unique(np.linspace(0, len(self.t) - 1, min(OPENINGS, len(self.t))).astype(int))
        found = np.zeros((len(chosen), 2))
        cuts = np.searchsorted(self.t[chosen], [t for t, _, _ in self.record.switches[1:]])
        for i, j in zip([0, *cuts], [*cuts, len(chosen)]):
            if i < j:
                idle, held = self.record.acting_at(float(self.t[chosen[i]]))
                found[i:j] = openings(self.frozen, self.motion[chosen[i:j]], idle, held)
        return read_only(self.t[chosen]), read_only(found[:, 0]), read_only(found[:, 1])

    def __len__(self) -> int:
        return len(self.t)

    @property
    def system(self) -> System:
        """The system that was run, with the values of the run: an unchangeable copy. Its `copy()` can be modified."""
        return self.frozen.system

    @settings_door(t=NUMBER)
    def index(self, t: float) -> int:
        """Index of the output at the time t (s)."""
        k = int(np.argmin(np.abs(self.t - t)))
        spacing = np.diff(self.t).min(initial=np.inf)
        if abs(self.t[k] - t) > 1e-6 * min(spacing, 1.0):
            raise SettingsError(f"there is no output at t = {t:g} s; the nearest is at {self.t[k]:.9g} s")
        return k

    @settings_door(k=WHOLE)
    def state(self, k: int = -1) -> State:
        """The state at output k (default: the last), to start another run or to evaluate its dynamics."""
        if not -len(self.t) <= k < len(self.t):
            raise SettingsError(f"state: there is no output {k}; this run has {len(self.t)}, the first is 0 and the last -1")
        index = range(len(self.t))[k]
        last = index == len(self.t) - 1
        formulation = [self.formulation, *(f for t, _, f in self.selections if last or t <= self.t[index])][-1]
        coordinates, rates = formulation.unpack(np.array(self.raw[index]))
        raw = {"formulation": self.formulation.name, "y": self.raw[index].copy()}
        kept = int(self.frozen.layout.sizes[N_CONTROL])
        if kept:
            raw["controls"] = self.raw[index][-1 - kept : -1].copy()
        if last and self.record.memory is not None:
            raw |= {"integrator": self.record.integrator, "step": self.record.step, "memory": self.record.memory.copy()}
            raw["dropped"] = formulation.dropped
        if self.record.switches:
            idle, held = self.record.acting_at(np.inf if last else float(self.t[index]))
            raw |= {"idle": idle, "held": dict(held), "dropped": formulation.dropped}
        if self.record.impulses:
            raw["happened"] = [jump.event for jump in self.record.impulses if jump.t <= self.t[index]]
        return State(float(self.t[index]), coordinates, rates, raw)

    @settings_door()
    def snapshots(self, times: int | Sequence[float], *, paths: Sequence[Any] = ()) -> Any:
        """A strobe picture: the system at several times (s), or at a number of times spread over the run, in one matplotlib figure.

        `paths` names bodies, or points of them such as `rod.end`, whose path over the whole run is drawn as well.
        """
        from poinsot.view.plots import strobe_figure

        return strobe_figure(self, times, paths=paths)

    @settings_door(over=maybe(TEXT), degrees=TRUTH)
    def plot(self, *names: str | Sequence[str], over: str | None = None, degrees: bool = False) -> Any:
        """A matplotlib figure of results by name: "joint1.angle", "link4.position.z", "knee.force.norm"; without names, of a suitable selection.

        Every name has its own row; names of one unit in a tuple share a row: `run.plot(("joint1.angle", "joint2.angle"), "energy")`.
        `over` names a result to be used instead of the time, such as "crank.angle"; with `degrees` angles are in degrees.
        """
        from poinsot.view.panels import panel_figure

        return panel_figure(self, names, over, degrees)

    def write_html(self, path: Any, **options: Any) -> Any:
        """One self-contained page that shows the run in a browser; see `poinsot.write_html`."""
        from poinsot.view.page import write_html

        return write_html(self, path, **options)

    def _repr_html_(self) -> str:
        from poinsot.view.page import notebook_html

        return notebook_html(self)

    def write_video(self, path: Any, **options: Any) -> Any:
        """A video of the run, .mp4 or .gif; see `poinsot.view.video.write_video`."""
        from poinsot.view.video import write_video

        return write_video(self, path, **options)

    @settings_door(path=PATH)
    def save(self, path: Any) -> Any:
        """Write the run to an HDF5 file, from which `po.load` reads it back."""
        from poinsot.files.runs.writer import save

        return save(self, path)

    @settings_door()
    def to_xarray(self) -> Any:
        """All results as an xarray Dataset, with units."""
        from poinsot.files.runs.labelled import to_xarray

        return to_xarray(self)

    def to_dataframe(self, *names: str) -> Any:
        """Results by name (without names: joint coordinates, rates, body positions, energies) as a pandas DataFrame over time."""
        from poinsot.files.runs.labelled import to_dataframe

        return to_dataframe(self, names)

    def __reduce__(self) -> Any:
        raise TypeError(
            "a run cannot be pickled or copied: save it with run.save('run.h5') and read it back with po.load('run.h5')"
        )

    def __repr__(self) -> str:
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self.t) else "empty"
        return f"Trajectory('{self.frozen.system.name}': {span}, {len(self.t)} outputs, {self.formulation.name} with {self.record.integrator})"
