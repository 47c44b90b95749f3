"""The description of a sweep in its file: model, variants, settings and what is kept. Functions are named, with a fingerprint, not stored."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from poinsot.errors import FileError, SettingsError
from poinsot.files.models.functions import fingerprint, function_references
from poinsot.files.models.read_write import read_text
from poinsot.files.runs.writer import versions
from poinsot.model.snapshot import snapshot
from poinsot.model.system import System
from poinsot.sweeps.figures import FIGURES
from poinsot.sweeps.reductions import Kept, Reduction, read_records
from poinsot.sweeps.task import Spec, Task
from poinsot.sweeps.variants import ABSENT, Variants

MISSING = {"absent": True}  # in place of a value that a change of a list does not give


def header_of(task: Task) -> dict[str, Any]:
    """Everything that is needed to continue a sweep, but functions."""
    model = task.source.to_yaml() if isinstance(task.source, System) else None
    columns = [[MISSING if value is ABSENT else value for value in task.variants.values(name)] for name in task.variants.names]
    return {
        "model": model,
        "build": None if model is not None else fingerprint(task.source),
        "built": list(task.built),
        "count": len(task.variants),
        "variants": {"names": list(task.variants.names), "columns": columns, "grid": task.variants.grid},
        "duration": float(task.duration),
        "options": task.options,
        "running": {name: value for name, value in task.running.items() if name != "until"},
        "until": fingerprint(task.running["until"]) if task.running["until"] is not None else None,
        "records": [_record(kept) for kept in task.records],
        "specs": [asdict(spec) for spec in task.specs],
        "batch": task.batch,
        "lanes": task.lanes,
        "lanes_words": task.lanes_words,
        "figures": list(FIGURES),
        "versions": versions(),
    }


def _record(kept: Kept) -> dict[str, Any]:
    if isinstance(kept.what, Reduction):
        return {"name": kept.name, "kind": kept.what.kind, "result": kept.what.result}
    if isinstance(kept.what, str):
        return {"name": kept.name, "kind": "result", "result": kept.what}
    return {"name": kept.name, "kind": "function", "sha256": fingerprint(kept.what)}


def task_of(header: dict[str, Any], path: Any, system: Any = None, record: Any = None, until: Any = None, running: bool = False) -> Task:
    """The task of a file; with `running` it must be complete: functions are given again, and are those that it had."""
    given = header["variants"]
    columns = tuple([ABSENT if value == MISSING else value for value in column] for column in given["columns"])
    variants = Variants(tuple(given["names"]), columns, bool(given["grid"]))
    specs = tuple(
        Spec(**spec | {"shape": tuple(spec["shape"]), "dims": tuple(spec["dims"]), "labels": tuple(spec["labels"])}) for spec in header["specs"]
    )
    functions = {kept.name: kept.what for kept in read_records(record) if callable(kept.what)}
    records = tuple(_kept(entry, functions, path, running) for entry in header["records"])
    if running and (None if until is None else fingerprint(until)) != header["until"]:
        what = "with another until=" if until is not None and header["until"] else "with until=" if header["until"] else "without until="
        raise SettingsError(f"{path}: was started {what}; give the same one again")
    return Task(
        _source(header, path, system, running),
        tuple(header["built"]),
        variants,
        float(header["duration"]),
        header["options"],
        header["running"] | {"until": until},
        records,
        specs,
        int(header["batch"]),
        bool(header.get("lanes", False)),
        str(header.get("lanes_words", "")),
    )


def _kept(entry: dict[str, Any], functions: dict[str, Any], path: Any, running: bool) -> Kept:
    name, kind = entry["name"], entry["kind"]
    if kind == "result":
        return Kept(name, entry["result"])
    if kind != "function":
        return Kept(name, Reduction(kind, entry["result"]))
    if name in functions:
        if fingerprint(functions[name]) != entry["sha256"]:
            raise SettingsError(f"{path}: record '{name}' is another function than the one that the sweep was started with")
        return Kept(name, functions[name])
    if running:
        raise SettingsError(f"{path}: files do not contain functions; give record= again, with '{name}'")
    return Kept(name, _Missing(name))


class _Missing:
    """In place of a function that a file does not contain."""

    def __init__(self, name: str):
        self.name = name

    def __call__(self, run: Any) -> Any:
        raise SettingsError(f"files do not contain functions: '{self.name}' is not known")


def _source(header: dict[str, Any], path: Any, given: Any, running: bool) -> Any:
    """The system in the file, or the one given if it is the same."""
    model = header["model"]
    if model is None:
        if given is None or isinstance(given, System):
            if running or given is not None:
                raise SettingsError(f"{path}: its systems were built by a function, not in the file: give it again, po.resume(path, build)")
            return _Missing("the function that builds the systems")
        if fingerprint(given) != header["build"]:
            raise SettingsError(f"{path}: its systems were built by another function than the one given")
        return given
    if given is None:
        system = read_text(model, f"{path}: model")
        missing = [name for name, _ in function_references(system)]
        if missing and running:
            raise SettingsError(
                f"{path}: files do not contain Python functions, but {', '.join(dict.fromkeys(missing))} of '{system.name}' have some; "
                f"give the system again: po.resume({str(path)!r}, system)"
            )
        return snapshot(system)
    if not isinstance(given, System) or given.to_yaml() != model:
        raise FileError(f"{path}: the system given is not the one of the sweep")
    return snapshot(given)
