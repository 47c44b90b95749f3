"""Dumitriu and Margaritescu (2016), rotation matrix elements as dependent parameters: the double pendulum, and on to the Stewart platform."""

from __future__ import annotations

from pathlib import Path

from poinsot.studies import (
    dumitriu2016_equations,
    dumitriu2016_methods,
    dumitriu2016_notes,
    dumitriu2016_pendulum,
    dumitriu2016_platform,
)
from poinsot.studies.dumitriu2016_runs import Runs
from poinsot.studies.table import Study


def run(quick: bool = False, folder: Path | None = None) -> Study:
    """Run all cases and compare every number; with a folder, draw the figures and write pages of the main runs there.

    A quick study leaves out the shortest steps of the comparison of multipliers and stabilisations, and runs of 1e5 steps.
    """
    runs = Runs(quick)
    study = Study("dumitriu2016", "Dumitriu and Margaritescu (2016): rotation matrices and two-step elimination")
    study.sections = [
        *dumitriu2016_pendulum.sections(runs),
        *dumitriu2016_equations.sections(runs),
        *dumitriu2016_methods.sections(runs),
        *dumitriu2016_platform.sections(runs),
    ]
    study.corrections = dumitriu2016_notes.CORRECTIONS
    study.notes = {**dumitriu2016_notes.NOTES, **(dumitriu2016_notes.NOTES_QUICK if quick else {})}
    if folder is not None:
        from poinsot.studies import dumitriu2016_figures

        study.figures = dumitriu2016_figures.draw(runs, folder)
        study.pages = dumitriu2016_figures.pages(runs, folder)
    return study
