"""`poinsot schema`: the JSON Schema of model files, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from poinsot.cli.options import check_writable
from poinsot.files.models.schema import schema as made

FILE = "poinsot.schema.json"


def schema(
    output: Annotated[Path | None, typer.Option("--output", "-o", help=f"Write it to a file, such as {FILE}, instead of printing it.")] = None,
) -> None:
    """Print the JSON Schema of model files.

    Editors that know YAML schemas use it to complete and check models: write `# yaml-language-server: $schema=poinsot.schema.json` in the
    first line of a model.
    """
    check_writable(output)
    if output is None:
        typer.echo(_text(), nl=False)
    else:
        write_schema(output)
        typer.echo(f"Schema: {output}")


def write_schema(path: Path) -> None:
    """Write the schema to a file."""
    path.write_text(_text(), "utf-8")


def _text() -> str:
    return json.dumps(made(), indent=1) + "\n"
