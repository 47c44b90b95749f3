"""Bai, Ge and Xia (2022), Hamilton and Lagrange models of a double pendulum over long times: its eight models compared with ours."""

from __future__ import annotations

from pathlib import Path

from poinsot.studies import bai2022_claims, bai2022_drift, bai2022_equations, bai2022_notes
from poinsot.studies.bai2022_runs import Runs
from poinsot.studies.table import Study


def run(quick: bool = False, folder: Path | None = None) -> Study:
    """Run all cases and compare every number; with a folder, draw the figures and write pages of the main runs there.

    A quick study tries fewer values of rtol.
    """
    runs = Runs(quick)
    study = compare(runs)
    if folder is not None:
        from poinsot.studies import bai2022_figures

        study.figures = bai2022_figures.draw(runs, folder)
        study.pages = bai2022_figures.pages(runs, folder)
    return study


def compare(runs: Runs) -> Study:
    """All tables, without figures."""
    study = Study("bai2022", "Bai, Ge and Xia (2022): eight attitude models of a double pendulum over long times")
    study.sections = [bai2022_equations.section(), *bai2022_drift.sections(runs), *bai2022_claims.sections(runs)]
    study.corrections = bai2022_notes.CORRECTIONS
    study.notes = {**bai2022_notes.NOTES, **(bai2022_notes.NOTES_QUICK if runs.quick else {})}
    return study
