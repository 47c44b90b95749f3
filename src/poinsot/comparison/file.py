"""A comparison in one file: JSON, with the curves and the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.comparison.candidates import LeftOut
from poinsot.comparison.lyapunov import Growth
from poinsot.comparison.reference import Reference
from poinsot.comparison.row import Row
from poinsot.errors import FileError, ModelError, SettingsError
from poinsot.files.appearing import write_whole
from poinsot.files.models.read_write import read_text
from poinsot.files.runs.writer import versions

if TYPE_CHECKING:
    from poinsot.comparison.comparison import Comparison

KIND, VERSION = "poinsot comparison", 1


def save(comparison: Comparison, path: Any) -> Path:
    """Write a comparison; a file of that name is replaced when all is written."""
    if Path(path).suffix.lower() != ".json":
        raise SettingsError(f"save: a comparison is written to a file that ends in .json, not {str(path)!r}")
    found = comparison.to_dict() | {
        "kind": KIND,
        "version": VERSION,
        "rows": [row.to_dict(curves=True) for row in comparison.rows],
        "t": comparison.t.tolist(),
        "events": comparison.had_events,
        "model": comparison.system.to_yaml(),
        "versions": versions(),
    }
    return write_whole(path, json.dumps(found, indent=1, allow_nan=False))


def load(path: Any) -> Comparison:
    """Read a comparison; raises a FileError for a file that is missing, damaged or of another kind."""
    from poinsot.comparison.comparison import Comparison

    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or 'it is not a text file'})") from None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise FileError(f"{path}: is not a comparison, or is damaged; write one with comparison.save") from None
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise FileError(f"{path}: is not a comparison; write one with comparison.save" + (" (po.load reads runs)" if isinstance(found, dict) else ""))
    if found.get("version") != VERSION:
        raise FileError(f"{path}: has version {found.get('version')!r} of its format, and this program reads version {VERSION}; use a newer one")
    try:
        reference, growth = found["reference"], found["growth"]
        methods = tuple(str(words) for words in reference["methods"])
        agreement = None if reference["agreement"] is None else float(reference["agreement"])
        return Comparison(
            system=read_text(found["model"], str(path)),
            rows=tuple(Row.from_dict(row) for row in found["rows"]),
            left_out=tuple(LeftOut(str(one["name"]), str(one["reason"])) for one in found["left_out"]),
            reference=Reference(str(reference["words"]), agreement, float(reference["until"]), methods, float(reference["size"])),
            growth=Growth(**growth | {"t": tuple(growth["t"]), "logs": tuple(growth["logs"])}),
            t=np.array(found["t"], float),
            timing=str(found["timing"]),
            complete=bool(found["complete"]),
            with_events=bool(found["events"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, ModelError) as error:
        raise FileError(f"{path}: is damaged ({type(error).__name__}: {error}); compare again") from None
