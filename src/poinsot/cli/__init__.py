"""The command line: `poinsot run, check, compare, sweep, view, reproduce, examples, resume, info`. Public interface only."""

from poinsot.cli.app import app

__all__ = ["app"]
