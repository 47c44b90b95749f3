"""The application: its commands, and how errors are reported.

Exit codes: 0 done; 1 the answer is no; 2 wrong input; 3 the run failed; 70 unexpected; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import poinsot as po
from poinsot.cli.options import Say

ANSWER_IS_NO, WRONG_INPUT, RUN_FAILED, UNEXPECTED, STOPPED = 1, 2, 3, 70, 130
DEBUG = "POINSOT_DEBUG"
# every command is a function in the module of the same name
COMMANDS = (
    *("run", "check", "compare", "sweep", "view", "plot", "summary", "export"),
    *("reproduce", "examples", "resume", "info", "new", "schema", "fmu"),
)


class Readable(TyperGroup):
    """Commands whose errors are one readable block; with --debug also the traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the requested command."""
        Say.wants_json = False
        try:
            with warnings.catch_warnings():
                warnings.showwarning = show_warning
                return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("stopped by Ctrl-C", err=True)
            raise typer.Exit(STOPPED) from None
        except BrokenPipeError:  # the reader of the pipe has closed it
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Exception as error:
            own = isinstance(error, typer.Abort) or hasattr(error, "exit_code")  # typer's own errors: it reports them itself
            if own or os.environ.get(DEBUG):
                raise
            raise typer.Exit(report(error)) from None


def show_warning(message: Warning | str, category: type[Warning], filename: str, lineno: int, file: Any = None, line: str | None = None) -> None:
    """Print a warning as one line; with the place in a program only where it is not from this package, whose own concern the model."""
    own = category.__module__ == po.PoinsotError.__module__
    typer.echo(f"warning: {message}" if own else warnings.formatwarning(message, category, filename, lineno, line).rstrip(), err=True)


def report(error: Exception) -> int:
    """Print an error as one block; returns the exit code."""
    known = isinstance(error, po.PoinsotError | OSError)
    where = "" if known else " (--debug shows the traceback)"
    lines = [f"{type(error).__name__}: {error}{where}", *getattr(error, "__notes__", [])]
    partial: Any = getattr(error, "trajectory", None)
    if getattr(partial, "path", None) is not None:
        lines.append(f"The results computed so far are in {partial.path}.")
    typer.echo("\n".join(lines), err=True)
    if Say.wants_json:
        typer.echo(json.dumps({"error": type(error).__name__, "message": str(error)}, indent=2))
    if isinstance(error, po.RunError | po.AssemblyError):
        return RUN_FAILED
    if known:
        return WRONG_INPUT
    return RUN_FAILED if partial is not None else UNEXPECTED


app = typer.Typer(
    cls=Readable,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"poinsot {po.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of errors.")] = False,
) -> None:
    """Rigid multibody dynamics that conserves energy over long times."""
    if debug:
        os.environ[DEBUG] = "1"
    if sys.stdout is not None and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # for terminals that cannot show a character


for name in COMMANDS:
    app.command(name)(getattr(import_module(f"poinsot.cli.{name}"), name))
app.command("app")(import_module("poinsot.cli.live").live)  # the module of that name is this one
