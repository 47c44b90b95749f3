"""What the time line of the page marks: contacts of stops, and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MOST = 400  # marks of a run; of more, those spread evenly over them


def happenings(run: Trajectory) -> list[dict[str, Any]]:
    """Times (s) and words of all that happened in a run, in order."""
    found = [(contact.t, str(contact)) for contact in run.contacts]
    found += [(jump.t, f"{jump.event}: {jump.what}, at {jump.t:.6g} s") for jump in run.record.impulses]
    found.sort()
    if len(found) > MOST:
        found = [found[k * (len(found) - 1) // (MOST - 1)] for k in range(MOST)]
    return [{"t": t, "words": words} for t, words in found]
