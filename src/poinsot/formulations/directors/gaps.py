"""Gaps of constraint rows that a step closes."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.openings import POSITION_ROUNDING, farthest, set_row_gaps


@helper
def gaps_to_close(y, layout, work):
    """Gaps that the step from a state closes, in `row_gaps`.

    Those at the end of the last step are used as they are when that is where the state is. Rounding is left alone when all
    rows are in use: where some were left out, they follow from rounding of the others, amplified.
    """
    at = layout.places[0]
    end = work[places.end(at)]
    known = True
    for k in range(at.angles + at.n_angles):
        if (k < at.velocities or k >= at.angles) and end[k] != y[k]:
            known = False
            break
    if not known:
        set_row_gaps(y, layout, work)
    if at.n_left_out > 0:
        return
    gaps = work[places.row_gaps(at)]
    far = farthest(y, layout)
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        for i in range(3 if term.point == 1 else 1):
            if term.unit * abs(gaps[term.row + i]) < POSITION_ROUNDING * (1.0 + term.unit * far):
                gaps[term.row + i] = 0.0
