"""Pictures of `peers`: time against error, all programs in one picture, and one of each mechanism with velocities and gaps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from peers_points import front

FOLDER = Path(__file__).resolve().parent.parent / "out"
STYLES = {  # program: colour and mark
    "Poinsot": ("#0b5fa5", "o"),
    "MuJoCo": ("#c8501e", "s"),
    "MuJoCo, stiff": ("#c8501e", "s"),
    "MuJoCo, default": ("#e8a87c", "s"),
    "Exudyn": ("#3b8c3b", "^"),
    "Pinocchio, DOP853 in Python": ("#8a4fa0", "D"),
    "Drake": ("#7a7a7a", "v"),
}
WHAT = {"error": "error of the configuration (m, rad)", "velocity": "error of velocities (m/s, rad/s)", "gap": "largest gap of a joint (m, rad)"}
LARGEST, LEAST = 1.0, 1e-16  # errors that are drawn


def panel(axes: Any, found: Any, what: str, title: str) -> None:
    """The best points of every program, for their time."""
    for program in found.programs:
        best = front([point for point in found.of(program) if point.error < LARGEST], "error")
        if not best:
            continue
        colour, mark = STYLES.get(program, ("black", "x"))
        values = [max(getattr(point, what), LEAST) for point in best]
        width = 2.0 if program == "Poinsot" else 1.2
        axes.loglog(values, [1e3 * point.seconds for point in best], color=colour, marker=mark, ms=3, lw=width, label=program)
    axes.set_title(title, fontsize=9)
    axes.invert_xaxis()
    axes.minorticks_off()
    axes.grid(alpha=0.25)
    axes.tick_params(labelsize=7)


def draw(everything: Sequence[Any], folder: Path = FOLDER) -> list[str]:
    """Write the pictures; the lines that name them."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return ["No pictures: matplotlib is not installed (make bench installs it)."]
    columns = min(3, len(everything))
    lines = -(-len(everything) // columns)
    whole = Figure(figsize=(3.4 * columns, 2.9 * lines + 0.5), layout="constrained")
    grid = whole.subplots(lines, columns, squeeze=False).ravel()
    for axes, found in zip(grid, everything):
        panel(axes, found, "error", f"{found.mechanism.name}, {found.mechanism.duration:g} s")
    for axes in grid[len(everything) :]:
        axes.set_visible(False)
    whole.supxlabel(f"{WHAT['error']}, smaller to the right", fontsize=9)
    whole.supylabel("processor time of a run (ms)", fontsize=9)
    named = {label: line for axes in grid for line, label in zip(*axes.get_legend_handles_labels())}
    if "MuJoCo, stiff" in named:
        named.pop("MuJoCo", None)  # of open systems, which have no constraints: the same colour
    whole.legend(named.values(), named.keys(), loc="outside upper center", ncols=4, fontsize=8, frameon=False)
    written = [folder / "peers.png"]
    whole.savefig(written[0], dpi=100)
    for found in everything:
        figure = Figure(figsize=(11, 4), layout="constrained")
        for axes, (what, words) in zip(figure.subplots(1, 3), WHAT.items()):
            panel(axes, found, what, found.mechanism.name)
            axes.set_xlabel(words, fontsize=8)
            axes.set_ylabel("processor time of a run (ms)", fontsize=8)
        axes.legend(fontsize=7)
        written.append(folder / f"peers_{found.key}.png")
        figure.savefig(written[-1], dpi=110)
    return [f"Pictures: {', '.join(path.name for path in written)} in {folder.name}/."]
