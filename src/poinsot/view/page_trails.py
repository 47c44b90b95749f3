"""Points of bodies that leave trails in the page, given by the user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from poinsot.errors import ModelError, SettingsError
from poinsot.model.body import Body, Point
from poinsot.model.words import short_repr
from poinsot.view.drawing import followed

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

MOST = 40  # trails of one page


def given_trails(runs: Sequence[Trajectory], trails: Any) -> list[list[dict[str, Any]]]:
    """For every run the points that leave trails: name, index of the body, and position in its frame, m.

    Given are points such as `coupler.end`, or bodies or their names. A point may belong to some of the runs only, but to one at least.
    """
    wanted = list(trails) if isinstance(trails, list | tuple) else [trails]
    if len(wanted) > MOST:
        raise SettingsError(f"write_html: {len(wanted)} trails are too many for one page; give up to {MOST}")
    found: list[list[dict[str, Any]]] = [[] for _ in runs]
    for what in wanted:
        if not isinstance(what, str | Body | Point):
            raise SettingsError(f"write_html: trails must be a list of points such as rod.end, or of bodies, not {short_repr(what)}")
        owners = [k for k, run in enumerate(runs) if _belongs(run, what)]
        if not owners:
            raise ModelError(f"write_html: trails: {_called(what)}; {_remedy(runs)}")
        for k in owners:
            name, body, point = followed(runs[k], what)
            found[k].append({"name": name, "body": body, "point": point.tolist()})
    return found


def _belongs(run: Trajectory, what: Any) -> bool:
    """Whether a body, or the body of a point, is one of the run: the run has a copy of its system, so that names decide."""
    names = {body.name for body in run.system.bodies}
    if isinstance(what, str):
        return what in names
    body = what.body if isinstance(what, Point) else what
    return body.name in names and body.system is not None and body.system.name == run.system.name


def _called(what: Any) -> str:
    if isinstance(what, str):
        return f"no run has a body {short_repr(what)}"
    body = what.body if isinstance(what, Point) else what
    if body.name == "ground":
        return "the ground does not move and leaves no trail"
    owner = f"the system '{body.system.name}'" if body.system is not None else "no system"
    return f"the body '{body.name}' is of {owner}, not of a run of this page"


def _remedy(runs: Sequence[Trajectory]) -> str:
    names = [body.name for body in runs[0].system.bodies]
    return f"give points of {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}"
