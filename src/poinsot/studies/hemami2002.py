"""Hemami (2002), compact Newton-Euler equations, constraints and Lyapunov feedback of a rigid body: its cases compared with ours."""

from __future__ import annotations

from pathlib import Path

from poinsot.studies import (
    hemami2002_axis,
    hemami2002_control,
    hemami2002_equations,
    hemami2002_notes,
    hemami2002_pin,
    hemami2002_rolling,
)
from poinsot.studies.hemami2002_runs import Runs
from poinsot.studies.table import Study


def run(quick: bool = False, folder: Path | None = None) -> Study:
    """Run all cases and compare every number; with a folder, draw the figures and write pages of the main runs there.

    A quick study leaves out the shortest interval of impulses, and most of the random attitudes.
    """
    runs = Runs(quick)
    study = compare(runs)
    if folder is not None:
        from poinsot.studies import hemami2002_figures

        study.figures = hemami2002_figures.draw(runs, folder)
        study.pages = hemami2002_figures.pages(runs, folder)
    return study


def compare(runs: Runs) -> Study:
    """All tables, without figures."""
    study = Study("hemami2002", "Hemami (2002): compact Newton-Euler equations, constraints and Lyapunov feedback")
    study.sections = [
        *hemami2002_equations.sections(),
        *hemami2002_pin.sections(runs),
        *hemami2002_axis.sections(runs),
        *hemami2002_control.sections(runs),
        *hemami2002_rolling.sections(runs),
    ]
    study.corrections = hemami2002_notes.CORRECTIONS
    study.notes = {**hemami2002_notes.NOTES, **(hemami2002_notes.NOTES_QUICK if runs.quick else {})}
    return study
