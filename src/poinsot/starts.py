"""The start of a run: its assembled initial values, or a state of another run."""

from __future__ import annotations

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.analysis.start import Start, start
from poinsot.driver import Driver, Progress
from poinsot.errors import AssemblyWarning, SettingsError, warn
from poinsot.formulations.contract import Formulation
from poinsot.layout.freeze import Frozen
from poinsot.remembered import Remembered
from poinsot.results.state import State
from poinsot.tables.records import N_C, N_CONTROL, N_R
from poinsot.tables.types import OK


def check_state(frozen: Frozen, state: State | None) -> None:
    """Raise where a state belongs to another system, or has numbers that are not finite."""
    if state is None:
        return
    if (len(state.coordinates), len(state.rates)) != tuple(frozen.layout.sizes[[N_C, N_R]]):
        raise SettingsError(f"the state given belongs to another system than '{frozen.system.name}'")
    if not all(np.all(np.abs(x) <= LARGEST) for x in (state.t, state.coordinates, state.rates)):
        raise SettingsError(f"state must have finite numbers of at most {LARGEST:g}")


def calls_functions(frozen: Frozen) -> bool:
    """Whether the position of a system depends on users' functions, of signals and rows, which may give something else next time."""
    return bool(frozen.alike.system.drives or frozen.alike.loads.rows)


def closed_start(frozen: Frozen, given: Start, t: float, known: Remembered | None) -> Start:
    """The start of a run with multipliers: assembled from the given coordinates and rates; `known` has the starts of earlier runs.

    The last one found from a `given` is kept with it: a prepared system is run from the same again and again.
    """

    if known is None or calls_functions(frozen):
        return start(frozen.drawn, given.coordinates, given.rates, t=t)
    last = vars(given).get("_closed")
    if last is None or last[0] != t or last[1] is not frozen:
        last = vars(given)["_closed"] = t, frozen, _closed(frozen, given, t, known)
    found: Start = last[2]
    return found


def _closed(frozen: Frozen, given: Start, t: float, known: Remembered) -> Start:
    """That of an earlier run, if there is one from the same values; otherwise assembled now."""
    place = (t, given.coordinates.tobytes(), *_geometry(frozen))
    motion = (place, given.rates.tobytes())
    weights = b"".join(frozen.layout.bodies[name].tobytes() for name in ("mass", "inertia"))

    def find() -> Start:
        heavier = known.look(motion)  # with other masses
        alike = heavier or known.look(place)  # with other rates as well
        found = start(frozen.drawn, given.coordinates, given.rates, t=t, alike=alike, as_fast=heavier is not None)
        known.get(motion, lambda: heavier or found)
        known.get(place, lambda: alike or found)  # it is the last to be forgotten
        return found

    return known.get((motion, weights), find)


def _geometry(frozen: Frozen) -> tuple[bytes, bytes]:
    """All that a closed start of a system depends on, masses, functions and the given coordinates and rates aside: its tables, and what is set.

    Tables refilled without turning the axes of links differ in masses alone, so what is found for the system that they were refilled from is theirs.
    """
    alike = frozen.alike
    if frozen.layout.motions is not alike.layout.motions:
        return _tables(frozen), _set(frozen)
    known = vars(alike)
    if "_start" not in known:
        known["_start"] = _tables(alike), _set(alike)
    tables, given = known["_start"]
    return tables, given if frozen.initial is alike.initial else _set(frozen)


def _tables(frozen: Frozen) -> bytes:
    """The tables of a system without masses."""
    layout = frozen.layout
    bodies = (layout.bodies[name] for name in layout.bodies.dtype.names or () if name not in ("mass", "inertia"))
    links = (layout.links[name] for name in layout.links.dtype.names or () if name not in ("mass", "moment", "inertia"))
    return b"".join(table.tobytes() for table in (*bodies, *links, layout.joints, layout.motions, layout.rows, layout.sizes))


def _set(frozen: Frozen) -> bytes:
    """Which initial values are set."""
    from poinsot.analysis.held import set_motions

    return b"".join(mask.tobytes() for mask in set_motions(frozen))


def warn_of_movements(name: str, found: Start) -> None:
    """Warn when bodies of a system were moved to close its loops."""
    if found.assembly is not None and found.assembly.moved:
        metres, radians = found.assembly.largest_movement
        why = f" ({'; '.join(found.assembly.reasons)})" if found.assembly.reasons else ""
        warn(
            f"system '{name}': to close its loops, bodies were moved by up to {metres:.3g} m and {radians:.3g} rad "
            f"from their positions in the spanning tree{why}; print(po.assemble(system)) lists them",
            AssemblyWarning,
        )


def fits_equations(formulation: Formulation, y: np.ndarray, state: State) -> bool:
    """Whether a raw state means the same in these equations as in those of its run, whose frames depend on the masses."""
    coordinates, rates = formulation.unpack(y.copy())
    scale = max(1.0, float(np.abs(state.rates).max(initial=0.0)))
    return np.array_equal(coordinates, state.coordinates) and bool(
        np.abs(rates - state.rates).max(initial=0.0) < 1e-9 * scale
    )


def start_controls(driver: Driver, p: Progress, state: State | None) -> int:
    """Controllers go on from where they were in the given state; without one, sampled laws take their first sample. Returns a status."""
    count = int(driver.layout.sizes[N_CONTROL])
    if not count and not driver.sampling:
        return OK
    kept = np.zeros(0) if state is None else np.asarray(state.raw.get("controls", np.zeros(0)))
    if count and len(kept) == count:
        p.y[len(p.y) - 1 - count : -1] = kept
    else:
        p.status = driver.sample_now(p.t, p.y)
    p.rows = [p.y[None].copy()]
    return p.status


def check_samples(frozen: Frozen, step: float | None, begin: float | None = None) -> None:
    """Raise where the samples of a law do not fall on the ends of fixed steps."""
    if step is None:
        return
    for feedback in frozen.alike.system.loads:
        period = getattr(feedback, "period", None)
        if period is None:
            continue
        count = round(period / step)
        if count < 1 or abs(count * step - period) > 1e-9 * period:
            raise SettingsError(
                f"{feedback.label()} is sampled every {period:g} s, which is not a multiple of the step of {step:g} s; "
                f"give step={period / max(1, round(period / step)):.6g} or another period"
            )
        if begin is not None and abs(begin / step - round(begin / step)) > 1e-6:
            raise SettingsError(
                f"{feedback.label()} is sampled at multiples of {period:g} s, and no step of {step:g} s from t = {begin:g} s on ends there; "
                "start at a multiple of the step"
            )


def without_memory(state: State | None) -> State | None:
    """A state without the memory of an integrator."""
    return (
        None
        if state is None
        else State(state.t, state.coordinates, state.rates, {k: v for k, v in state.raw.items() if k != "memory"})
    )


def _packed(formulation: Formulation, given: Start) -> np.ndarray:
    """The state of a start; the last one is kept with it."""
    last = vars(given).get("_packed")
    if last is None or last[0] is not formulation:
        last = vars(given)["_packed"] = formulation, formulation.pack(given.coordinates, given.rates)
    y: np.ndarray = last[1].copy()
    return y


def first_progress(frozen: Frozen, start: Start, driver: Driver, state: State | None, t: float, step: float | None) -> Progress:
    """The beginning of a run with steps of this size: from its start, or from a state of another run."""
    formulation, memory = driver.formulation, driver.fresh_memory()
    if state is None:
        y = _packed(formulation, start)
    elif state.raw.get("formulation") == formulation.name:
        y = state.raw["y"].copy()
        if y.shape == (formulation.state_size,) and not fits_equations(formulation, y, state):
            return Progress(y := formulation.pack(start.coordinates, start.rates), memory, t, [t], [y[None].copy()])
        same = state.raw.get("integrator") == driver.method.name and state.raw.get("step") == step
        if same and step is not None and "memory" in state.raw:
            memory = state.raw["memory"].copy()
            if driver.method.stiff and len(memory) > driver.method.memory(formulation.state_size):
                driver.stiffen()
    else:
        y = formulation.pack(start.coordinates, start.rates)
    if y.shape != (formulation.state_size,):
        raise SettingsError(f"the state given belongs to another system than '{frozen.system.name}'")
    return Progress(y, memory, t, [t], [y[None].copy()])
