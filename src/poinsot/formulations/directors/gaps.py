"""Gaps of constraint rows that a step takes back."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.formulations.absolute import work as at
from poinsot.formulations.absolute.openings import ROUNDING, farthest, set_row_gaps
from poinsot.linear.pattern import GROUPS


@helper
def gaps_to_close(y, layout, work):
    """Gaps that the step from a state takes back, in work[ROW_GAPS].

    Those at the end of the last step are used as they are when that is where the state is. Rounding is left alone when all
    rows are in use: where some were left out, they follow from rounding of the others, amplified.
    """
    p = layout.pattern
    known = True
    for k in range(p[at.ANGLES] + p[at.N_ANGLES]):
        if (k < p[at.VELOCITIES] or k >= p[at.ANGLES]) and work[p[at.END] + k] != y[k]:
            known = False
            break
    if not known:
        set_row_gaps(y, layout, work)
    if p[at.LEFT_OUT] > 0:
        return
    gaps = work[p[at.ROW_GAPS] : p[at.ROW_GAPS] + 3 * p[GROUPS]]
    far = farthest(y, layout)
    for k in range(layout.terms.shape[0]):
        term = layout.terms[k]
        for i in range(3 if term.point == 1 else 1):
            if term.unit * abs(gaps[term.row + i]) < ROUNDING * (1.0 + term.unit * far):
                gaps[term.row + i] = 0.0
