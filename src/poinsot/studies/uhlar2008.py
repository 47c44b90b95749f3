"""Uhlar and Betsch (2008), Conserving integrators for parallel manipulators: its cases compared with ours."""

from __future__ import annotations

from pathlib import Path

from poinsot.studies import uhlar2008_manipulator, uhlar2008_notes, uhlar2008_pairs, uhlar2008_space
from poinsot.studies.table import Study
from poinsot.studies.uhlar2008_runs import Runs


def run(quick: bool = False, folder: Path | None = None) -> Study:
    """Run all cases and compare every number; with a folder, draw the figures and write pages of the main runs there.

    A quick study leaves out the shortest steps of the manipulator.
    """
    runs = Runs(quick)
    study = Study("uhlar2008", "Uhlar and Betsch (2008): conserving integrators for parallel manipulators")
    study.sections = [
        *uhlar2008_pairs.sections(runs),
        *uhlar2008_manipulator.sections(runs),
        *uhlar2008_space.sections(runs),
    ]
    study.corrections = uhlar2008_notes.CORRECTIONS
    study.notes = {**uhlar2008_notes.NOTES, **(uhlar2008_notes.NOTES_QUICK if quick else {})}
    if folder is not None:
        from poinsot.studies import uhlar2008_figures

        study.figures = uhlar2008_figures.draw(runs, folder)
        study.pages = uhlar2008_figures.pages(runs, folder)
    return study
