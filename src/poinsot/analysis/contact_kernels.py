"""The kernel of contacts, for analysis: compiled only for systems that have some."""

from __future__ import annotations

from numba import int64, void

from poinsot.algebra.compile import compiled
from poinsot.elements.contacts import contact_solution
from poinsot.tables.types import FLOATS


@compiled(void(int64, FLOATS, FLOATS, FLOATS))
def contact_at(kind, poses, data, out):
    """Value and gradient of a contact at poses (POSE numbers per body); see `elements/contacts.py`."""
    contact_solution(kind, poses, data, out)
