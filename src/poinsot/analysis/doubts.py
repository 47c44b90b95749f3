"""Messages about loops that are probably not as intended: nearly parallel axes, singular positions, loops that cannot move."""

from __future__ import annotations

import numpy as np

from poinsot.analysis.constraints import Geometry
from poinsot.analysis.rank import Part
from poinsot.analysis.singular import Branch, Standing
from poinsot.tables.records import RATES

EXACT = 1e-13  # rad: axes in the drawing that differ by less are parallel
NEARLY = 0.1  # rad: axes that differ by less were perhaps meant to be parallel
NAMED = 3  # pairs of axes, and elements, listed in a message
SHOWN = 6  # rates of joints along a branch listed in a message


def uncertain(geometry: Geometry, standing: Standing) -> str:
    """Rows that are neither redundant nor independent."""
    names = ", ".join(_owners(geometry, standing)[:NAMED])
    size = float(standing.doubtful.min())
    pairs = nearly_parallel(geometry, standing.part)
    return (
        f"the constraints of {names} are neither redundant nor independent: they depend on the others up to a residual of {size:.2g}. "
        f"{pairs or 'The lengths and axes of that loop fit together only approximately.'} Give them to ten digits or more (write "
        "lengths and directions as formulas), or use joints that leave more freedom (spherical, cylindrical) to close the loop"
    )


def motionless(geometry: Geometry, standing: Standing) -> str | None:
    """A part with loops in which nothing can move."""
    if standing.rank < len(standing.part.rates):
        return None
    joints = [element.name for element in _tree_joints(geometry, standing.part)]
    names = ", ".join(joints[:SHOWN]) + (", ..." if len(joints) > SHOWN else "")
    pairs = nearly_parallel(geometry, standing.part)
    return f"Nothing moves in the loops of {names}: their constraints leave no degree of freedom.{' ' + pairs if pairs else ''}"


def singular(geometry: Geometry, standing: Standing) -> str:
    """A singular position, and the branches that leave it."""
    at, away = (len(standing.part.rates) - rank for rank in (standing.judged.rank, standing.rank))
    there = standing.exactly or not standing.branches
    where = "The start is a singular position" if there else "The start is next to a singular position"
    at = at if there else at + len(standing.judged.doubtful)
    freedoms = f"degree{'' if at == 1 else 's'} of freedom"
    if not standing.branches:
        return f"{where}: its loops have {at} {freedoms} at first order, but not all at second order (as a taut string)."
    ways = "; ".join(_rates(geometry, standing, branch) for branch in standing.branches[:4])
    return (
        f"{where}: its loops have {at} {freedoms} there and {away} near it. "
        f"{len(standing.branches)} branch{'' if len(standing.branches) == 1 else 'es'} found, with rates {ways}."
    )


def undecided(geometry: Geometry, standing: Standing) -> str:
    """Why a run cannot start at a singular position."""
    if not standing.branches:
        return singular(geometry, standing) + " Remove constraints that duplicate each other, or move the points of one of them"
    return (
        singular(geometry, standing) + " The initial values do not determine the branch: set rates along one of them, "
        "or draw the mechanism slightly away from that position"
    )


def nearly_parallel(geometry: Geometry, part: Part) -> str:
    """Pairs of axes of the joints of a part that are nearly parallel in the drawing, in words; empty when there are none."""
    axes = [(joint, axis) for joint in _joints(geometry, part) for _, axis in joint.axes()]
    vectors = np.array([axis for _, axis in axes]).reshape(-1, 3)
    sines = np.linalg.norm(np.cross(vectors[:, None], vectors[None]), axis=2)
    found = [
        (sines[i, k], axes[i][0].name, axes[k][0].name)
        for i in range(len(axes))
        for k in range(i)
        if EXACT < sines[i, k] < NEARLY
    ]
    if not found:
        return ""
    pairs = "; ".join(f"{a} and {b} by {size:.3g} rad" for size, b, a in sorted(found)[:NAMED])
    return f"Axes are nearly parallel, but not quite: {pairs}."


def _joints(geometry: Geometry, part: Part) -> list:
    closing = geometry.frozen.owners
    own = {int(row) for row in geometry.layout.rows["joint"][part.rows]}
    joints = geometry.frozen.joints
    return _tree_joints(geometry, part) + [closing[k] for k in sorted(own) if k < len(joints)]


def _tree_joints(geometry: Geometry, part: Part) -> list:
    owner = geometry.layout.motions["joint"][geometry.rate_motion]
    return [geometry.frozen.joints[k] for k in dict.fromkeys(owner[part.rates].tolist())]


def _owners(geometry: Geometry, standing: Standing) -> list[str]:
    """Elements of the doubtful rows, those with the largest share first."""
    judged = standing.judged
    first = int(np.count_nonzero(judged.values > judged.doubtful.max()))
    weight = np.abs(judged.combinations(first)[:, : len(judged.doubtful)]).max(axis=1)
    owner = geometry.layout.rows["joint"][standing.part.rows]
    names = [geometry.frozen.owners[owner[k]].name for k in np.argsort(-weight) if weight[k] > 0.1]
    return list(dict.fromkeys(names))


def _rates(geometry: Geometry, standing: Standing, branch: Branch) -> str:
    """Rates of the joints along a branch, scaled so that the largest is 1."""
    rates = np.linalg.solve(standing.judged.triangle, branch.direction)
    rates = rates / rates[np.argmax(np.abs(rates))]
    motions = geometry.layout.motions
    first = np.cumsum(RATES[motions["kind"]]) - RATES[motions["kind"]]
    words = []
    for rate, k in zip(rates, standing.part.rates):
        m = geometry.rate_motion[k]
        joint = geometry.frozen.joints[motions["joint"][m]]
        name = joint.names[m - geometry.layout.joints["motion"][motions["joint"][m]]]
        part = "" if RATES[motions["kind"][m]] == 1 else f"[{k - first[m]}]"
        words.append(f"{joint.name}.{name}{part} {rate:.3g}")
    return "(" + ", ".join(words[:SHOWN]) + (", ..." if len(words) > SHOWN else "") + ")"
