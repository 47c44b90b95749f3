"""Resume an interrupted run, bit for bit as if it had not been interrupted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from poinsot._sources import source_hash
from poinsot.analysis.acting import Acting
from poinsot.analysis.jumps import Happening
from poinsot.driver import Progress
from poinsot.errors import ModelError, ResumeWarning, SettingsError, warn
from poinsot.files.models.functions import function_references
from poinsot.files.runs.file import RunFile
from poinsot.files.runs.raw import is_sweep, report_damage
from poinsot.files.runs.reader import load, read_events, stored_run, stored_system, verify_small
from poinsot.files.runs.schema import parts
from poinsot.files.runs.stream import Stream
from poinsot.layout.holding import holding
from poinsot.model.event_references import references, with_locks
from poinsot.model.events import EVENTS, Event
from poinsot.model.guard import FUNCTION, PATH, TRUTH, either, maybe, settings_door
from poinsot.model.system import SYSTEM, System
from poinsot.plans import make_plan
from poinsot.results.record import Record
from poinsot.simulation import Ready

SETTINGS = ("formulation", "integrator", "step", "rtol", "atol", "tolerance")


@settings_door(path=PATH, system=maybe(either(SYSTEM, FUNCTION)), until=maybe(FUNCTION), progress=maybe(TRUTH), events=EVENTS)
def resume(
    path: Any,
    system: System | None = None,
    *,
    until: Callable[[float, Any], float] | None = None,
    progress: bool | None = None,
    events: Sequence[Event] = (),
    **of_sweeps: Any,
) -> Any:
    """Resume a run that `simulate(..., stream=path)` started, or a sweep that `sweep(..., stream=path)` started; a finished one is only loaded.

    Parameters
    ----------
    path : of the file
    system : the system that was run; needed when it has Python functions, which files do not contain
    until : as given to `simulate`; functions are not stored in files
    progress : show a bar; default: in a terminal, when the run takes longer than a second
    events : as given to `simulate`; files contain what happened, not the events themselves
    of_sweeps : record, engine, workers, scheduler, as given to `sweep`; of `record` only functions are needed

    Raises
    ------
    FileError : when the file is missing, truncated, damaged, of another kind, or being written by another process
    ModelError : when functions are missing
    """
    place = Path(path)
    if is_sweep(place):
        from poinsot.sweeps.stored import resume_sweep

        if events:
            raise SettingsError(f"{place}: holds a sweep, which has no events")
        return resume_sweep(place, system, until=until, progress=progress, **of_sweeps)
    if of_sweeps:
        raise SettingsError(f"{place}: {next(iter(of_sweeps))}= is for sweeps, and this file does not hold one")
    file = RunFile(place, recover=True)
    if file.reached()[0]["complete"]:
        return load(place, system)
    given = stored_system(file, None if system is None else with_locks(system, events))
    missing = [name for name, _ in function_references(given)] if system is None else []
    if missing:
        raise ModelError(
            f"{place}: files do not contain Python functions, but {', '.join(dict.fromkeys(missing))} of '{given.name}' have some; "
            f"give the system again: po.resume({str(place)!r}, system), or poinsot resume --system script.py:function"
        )
    verify_small(file)
    with report_damage(place):
        settings, made = json.loads(file.texts["settings"]), json.loads(file.texts["versions"])
        kernels = [made[name] for name in ("kernels", "poinsot", "numba", "python")][0]
        options = {name: settings[name] for name in SETTINGS}
    if kernels != source_hash():
        warn(
            f"{place}: was started with poinsot {made['poinsot']}, numba {made['numba']}, python {made['python']}, whose kernels are not "
            "the ones used now: the last digits may differ from those of an uninterrupted run",
            ResumeWarning,
        )
    ready = Ready(given, **options)
    ready.happenings = [Happening(*one) for one in references(ready.frozen.system, None, events)]
    if [happening.name for happening in ready.happenings] != settings.get("events", []):
        planned = ", ".join(settings.get("events", [])) or "none"
        raise SettingsError(f"{place}: was started with other events ({planned}); give the same ones again: po.resume(path, events=[...])")
    with RunFile(place, writing=True) as file:
        info, arrays = file.reached()
        if info["complete"]:  # another process has just finished it
            return load(place, system)
        with report_damage(place):
            record = _record(settings, info)
            plan = make_plan(settings["start"], settings["duration"], ready.step, settings["output_step"])
        launch = ready.launch(ready.frozen, plan, record)
        driver = launch.driver
        if record.selections and driver.reselect is not None:
            idle, held = record.acting_at(np.inf)
            if record.switches:
                driver.reselect.frozen = holding(driver.reselect.frozen, held)
                driver.reselect.acting = Acting(driver.reselect.frozen, idle, held)
            driver.reselect.adopt(driver, record.selections[-1][1])
        fresh = Progress(np.zeros(driver.formulation.state_size), driver.fresh_memory(), 0.0)
        with report_damage(place):
            p = Progress(arrays["y"], arrays["memory"], float(info["t"]), counters=arrays["counters"])
            p.done, p.written = int(info["done"]), info["outputs"]
            for name in ("y", "counters"):
                if getattr(p, name).shape != getattr(fresh, name).shape:
                    raise ValueError(f"shape of {name}")
        if driver.method.stiff and len(p.memory) > driver.method.memory(driver.formulation.state_size):
            driver.stiffen()
        datasets = list(parts(launch.frozen, driver.formulation.state_size))
        stream = Stream(file, launch, datasets, stored_run(launch.bare, file))
        return ready.go(launch, p, ready.look(launch, *stream.last(), until), progress, stream)


def _record(settings: dict[str, Any], info: dict[str, Any]) -> Record:
    known = {name: settings[name] for name in (*SETTINGS, "start", "duration", "output_step", "change")}
    known["events"] = settings.get("events", [])
    known |= {name: settings[name] for name in ("accuracy", "chosen") if name in settings}
    record = Record(known, np.zeros(0), info["seconds"], None)
    record.error_position, record.error_rotation = info["error_position"], info["error_rotation"]
    record.dropped, record.ambiguous, record.moved = info["dropped"], info["ambiguous"], tuple(info["moved"])
    record.selections = [(t, tuple(rows)) for t, rows in info["selections"]]
    read_events(info, record)
    return record
