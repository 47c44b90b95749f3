"""A picture of a workspace: its points seen along the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from poinsot.model.system import PLANES
from poinsot.view.figure import Picture

if TYPE_CHECKING:
    from poinsot.analysis.workspace import Workspace

VIEWS = ((0, 1), (0, 2), (1, 2))  # axes to the right and upward


def workspace_figure(found: Workspace) -> Any:
    """Points of a workspace in the three coordinate planes, or in the plane of a planar system."""
    views = VIEWS if found.plane is None else (PLANES[found.plane][:2],)
    figure = Picture(figsize=(4.2 * len(views), 4.2))
    for k, (right, up) in enumerate(views, 1):
        axes = figure.add_subplot(1, len(views), k)
        axes.plot(found.points[:, right], found.points[:, up], ".", markersize=2, alpha=0.5)
        axes.set_xlabel(f"{'xyz'[right]} in m")
        axes.set_ylabel(f"{'xyz'[up]} in m")
        axes.set_aspect("equal", adjustable="datalim")
    figure.suptitle(found.name)
    figure.tight_layout()
    return figure
