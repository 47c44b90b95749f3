"""`po.sweep`: many variants of one system, on all cores of a machine or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.algebra.bounds import LANES
from poinsot.comparison.settings import number_of_workers
from poinsot.errors import ModelError, ModelWarning, PoinsotError, SettingsError, warn, warnings_collected
from poinsot.files.runs.stream import output_count
from poinsot.model.guard import PATH, TEXT, TRUTH, Kind, either, maybe, settings_door
from poinsot.model.snapshot import snapshot
from poinsot.model.system import SYSTEM, System
from poinsot.model.words import short_repr, suggestion
from poinsot.plans import CHOOSING, RUNNING, make_plan
from poinsot.progress import bar
from poinsot.results.trajectory import Trajectory
from poinsot.simulation import Ready
from poinsot.sweeps.engines import by_processes, by_threads
from poinsot.sweeps.lanes import hindrance, worth
from poinsot.sweeps.reductions import read_records, resolved
from poinsot.sweeps.result import Sweep
from poinsot.sweeps.store import Memory
from poinsot.sweeps.task import Part, Task
from poinsot.sweeps.variants import Variants, built_names, check_variants, read_variants
from poinsot.sweeps.work import Bench, specs_of, words_of
from poinsot.tables.types import EVALUATIONS, STEPS

ENGINES = ("threads", "processes", "dask")
TRIED = 8  # variants tried from the first on, and as many spread over all, until one runs
BATCH_NUMBERS = 200_000  # steps times numbers of the state in a batch: a few hundredths of a second
MOST = 256  # variants in a batch
FEWEST = 32  # batches, so that there is enough for several workers
SOURCE = either(SYSTEM, Kind(callable, "a function that builds one"))


@settings_door(
    **{name: kind for name, kind in CHOOSING.items() if name != "system"},
    system=SOURCE,
    until=RUNNING["until"],
    engine=TEXT,
    lanes=maybe(TRUTH),
    stream=maybe(PATH),
    progress=maybe(TRUTH),
)
def sweep(
    system: System | Callable[..., System],
    vary: Any,
    duration: float,
    *,
    record: Any = (),
    step: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    tolerance: float | None = None,
    output_step: float | None = None,
    start: float = 0.0,
    formulation: str = "auto",
    integrator: str = "auto",
    until: Callable[[float, Any], float] | None = None,
    engine: str = "threads",
    workers: int | None = None,
    lanes: bool | None = None,
    scheduler: Any = None,
    stream: Any = None,
    progress: bool | None = None,
) -> Sweep:
    """Run many variants of a system, and keep what is asked for of each.

    The result of a variant depends on its own values alone, so that it is the same, to the bit, whichever engine is used and however
    many workers there are. Loops are assembled for every variant, in the branch of the drawing: values that are held are approached
    from there in small steps. Following the variant before would give results that depend on the order of the others.

    Parameters
    ----------
    system : a System; or a function that builds one, for what `change=` cannot change, such as lengths. Its arguments can be varied
    vary : a dictionary of names and values, every one combined with all of the others; or a list of changes, each a dictionary of
        values; or a pandas DataFrame with names as columns; or what `po.sample` returns. Names are those of `change=`
        (docs/changes.md), such as "spring1.stiffness" or "joint1.angle", and step, rtol, atol, tolerance, formulation, integrator
    duration : s
    record : what is kept of every run, besides the figures of its audit: a name of a result, such as "energy" or "link4.position",
        for its values at all outputs; `po.last(name)`, `po.largest(name)`, `po.smallest(name)`, `po.mean(name)`; a function of the
        run that returns numbers; a list of these, or a dictionary of them by name; "everything": all results at all outputs
    step, rtol, atol, tolerance, output_step, start, formulation, integrator, until : as in `simulate`
    engine : "threads"; "processes", for Python functions; "dask", for a cluster (the extra `dask`)
    workers : number of threads, processes, or workers of a local cluster; default: one per core
    lanes : whether variants run in lanes (docs/sweeps.md), four at once on every core, where they can; default: where the sweep is long enough for
        their kernels to be compiled. Results differ from those of single runs by rounding. `Sweep.lanes` says what was done
    scheduler : for "dask": a `distributed.Client`, or the address of a scheduler; None: a cluster on this machine
    stream : path of an .h5 file to which results are written as they come; memory stays bounded, and after an interruption
        `po.resume` continues from there, with the same bits
    progress : show a bar; default: in a terminal, after a second

    Raises
    ------
    ModelError, SettingsError : before anything runs: names that do not exist, values of the wrong kind
    PoinsotError : when none of the first variants can be run. Later on, a variant that fails is part of the result
    KeyboardInterrupt : after Ctrl-C; its attribute `sweep` holds the results so far
    """
    crew = number_of_workers(workers)
    check_engine(engine, scheduler)
    options = {"step": step, "rtol": rtol, "atol": atol, "tolerance": tolerance, "formulation": formulation, "integrator": integrator}
    running = {"output_step": output_step, "start": start, "until": until}
    task = new_task(system, read_variants(vary), duration, options, running, record)
    task, t = piloted(task, lanes)
    store = Memory(task)
    if stream is not None:
        from poinsot.sweeps.file import create

        store = create(stream, task, t)
    return carry_out(task, store, t, engine, crew, scheduler, progress)


def check_engine(engine: str, scheduler: Any) -> None:
    """Raise when there is no such engine."""
    if engine not in ENGINES:
        raise SettingsError(f"there is no engine {short_repr(engine)}; {suggestion(engine, ENGINES)}")
    if scheduler is not None and engine != "dask":
        raise SettingsError("scheduler= is for engine='dask'")


def new_task(
    system: System | Callable[..., System], variants: Variants, duration: float, options: dict[str, Any], running: dict[str, Any], record: Any
) -> Task:
    """The task of a sweep, checked as far as that is possible before anything runs."""
    built = built_names(system, variants.names)
    records = read_records(record)
    base: System
    if isinstance(system, System):
        system = base = snapshot(system)  # later changes of the given system do not affect the sweep
    else:
        base = Bench(Task(system, built, variants, duration, options, running, ())).system(variants.change(0))
    base.check(rank=False).raise_faults()
    check_variants(variants, base, built)
    if "step" in variants.names and running["output_step"] is None and any(kept.series for kept in records):
        raise SettingsError("runs with different steps have outputs at different times: give output_step=, a multiple of all steps")
    return Task(system, built, variants, duration, options, running, records)


def piloted(task: Task, lanes: bool | None = None) -> tuple[Task, np.ndarray]:
    """The task with the shapes of its results and the size of batches, from the first variant that can be run, and its times of outputs.

    `lanes`: whether variants run in lanes; None: where it pays.
    """
    n, failures = len(task.variants), dict[str, Exception]()
    candidates = dict.fromkeys([*range(min(TRIED, n)), *np.linspace(0, n - 1, min(TRIED, n)).astype(int).tolist()])
    for k in candidates:
        try:
            with warnings_collected():
                bench = Bench(task)
                shaped, times = _shaped(task, run := bench.run(k))
                return with_lanes(shaped, bench.prepared(task.variants.change(k))[0], run, lanes), times
        except Exception as error:
            failures[f"variant {k}: {words_of(error)}"] = error
    words, first = next(iter(failures.items()))
    kind = next((kind for kind in (ModelError, SettingsError) if isinstance(first, kind)), PoinsotError)
    raise kind(f"sweep: none of {len(candidates)} variants tried can be run; {words}") from first


def _shaped(task: Task, run: Trajectory) -> tuple[Task, np.ndarray]:
    records = resolved(task.records, run)
    times = np.array(run.t)
    plan = make_plan(task.running["start"], task.duration, run.record.step, task.running["output_step"])
    outputs = output_count(plan)
    if len(times) < outputs:  # ended by until=
        times = plan.start + plan.output_step * np.arange(outputs)
        times[-1] = plan.start + plan.duration
    specs = specs_of(records, run, outputs)
    cost = max(1, int(run.record.counters[STEPS])) * run.raw.shape[1]
    batch = max(1, min(BATCH_NUMBERS // cost, MOST, len(task.variants) // FEWEST))
    return replace(task, records=records, specs=specs, batch=batch), times


def with_lanes(task: Task, ready: Ready, run: Trajectory, asked: bool | None) -> Task:
    """The task with the decision whether variants run in lanes: as asked for, or where it pays; `run` is one of them, of the system prepared."""
    if asked is False:
        return replace(task, lanes_words="none: lanes=False")
    pays = worth(ready, int(run.record.counters[EVALUATIONS]), len(task.variants))
    if asked is None and not pays:
        return replace(task, lanes_words="none: the sweep is too short for them to pay; lanes=True uses them all the same")
    hindered = hindrance(ready, task)
    batch = task.batch if hindered else -(-task.batch // LANES) * LANES  # whole groups
    return replace(task, batch=batch, lanes=True, lanes_words=f"none: {hindered}" if hindered else "")


def carry_out(
    task: Task, store: Memory, t: np.ndarray, engine: str, workers: int, scheduler: Any = None, progress: bool | None = None
) -> Sweep:
    """Do what is not done yet."""
    todo = np.nonzero(~store.done)[0].tolist()
    found = Sweep(task, store, t, _words(engine, workers, scheduler))
    parts = _engine(engine, task, todo, workers, scheduler)
    total, done = len(task.variants), len(task.variants) - sum(len(task.members(batch)) for batch in todo)
    try:
        with bar(progress, f"{total} variants", 0, total) as tell, closing(parts):
            for part in parts:
                store.put(part)
                done += len(part.figures)
                tell(done)
    except BaseException as error:
        with_results(error, found)
        raise
    finally:
        store.finish()
    for message, count in list(store.warnings.items())[:3]:
        warn(f"sweep: {count} of {total} variants: {message}", ModelWarning)
    return found


def _engine(engine: str, task: Task, todo: Sequence[int], workers: int, scheduler: Any) -> Generator[Part]:
    if engine == "dask":
        from poinsot.sweeps.cluster import by_dask

        return by_dask(task, todo, workers, scheduler)
    return (by_threads if engine == "threads" else by_processes)(task, todo, workers)


def _words(engine: str, workers: int, scheduler: Any) -> str:
    if engine == "dask":
        return "by workers of dask" if scheduler is not None else f"by {workers} workers of dask"
    return f"by {workers} {engine if workers > 1 else engine.removesuffix('es').removesuffix('s')}"


def with_results(error: BaseException, found: Sweep) -> None:
    """The same exception with the results so far."""
    error.sweep = found  # type: ignore[attr-defined]
    words = f"the results of {int(np.count_nonzero(found.store.done))} of {len(found.store.done)} batches are in error.sweep"
    if found.path is not None:
        words += f", and in {found.path}: po.resume({str(found.path)!r}) continues from there"
    error.add_note(words)
