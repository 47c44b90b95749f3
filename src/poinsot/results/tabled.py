"""Tables of a run: names of its results, summaries, files for spreadsheets. `Trajectory` has these methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from poinsot.model.guard import PATH, TRUTH, settings_door

if TYPE_CHECKING:
    from poinsot.results.naming import Names
    from poinsot.results.summary import Summary


class Tabled:
    """What a run offers as tables. Names may have patterns: "knee.*"."""

    @settings_door()
    def names(self) -> Names:
        """All results by name, with unit and shape: a list, printed as a table. `run.names()["crank"]` are those of one element."""
        from poinsot.results.naming import named_results

        return named_results(self)  # type: ignore[arg-type]

    @settings_door(degrees=TRUTH, keep_residue=TRUTH)
    def summary(self, *names: str, degrees: bool = False, keep_residue: bool = False) -> Summary:
        """Smallest and largest value and when, mean and root mean square over time of results by name: "knee.force", "knee.force.norm".

        Without names: joint coordinates and rates, magnitudes of reactions, efforts, powers, energies. Numbers below 1e-12 of the magnitude of
        their result are taken as 0, unless `keep_residue`.
        """
        from poinsot.results.summary import summarise

        return summarise(self, names, degrees, keep_residue)  # type: ignore[arg-type]

    @settings_door(path=PATH, degrees=TRUTH, keep_residue=TRUTH)
    def to_csv(self, path: Any, *names: str, degrees: bool = False, keep_residue: bool = False) -> Any:
        """Write results by name over time to a .csv file, with units in its header; returns its path.

        Without names: joint coordinates and rates, positions of bodies, energies. Numbers below 1e-12 of the magnitude of their result (of a
        component: of its vector) are written as 0, unless `keep_residue`; all others with all their digits.
        """
        from poinsot.files.runs.spreadsheets import to_csv

        return to_csv(self, path, names, degrees, keep_residue)  # type: ignore[arg-type]

    @settings_door(path=PATH, degrees=TRUTH, keep_residue=TRUTH)
    def to_excel(self, path: Any, *names: str, degrees: bool = False, keep_residue: bool = False) -> Any:
        """Write results by name to an .xlsx file: values over time as in `to_csv` (16 digits), their summary, and the audit. Needs openpyxl."""
        from poinsot.files.runs.spreadsheets import to_excel

        return to_excel(self, path, names, degrees, keep_residue)  # type: ignore[arg-type]
