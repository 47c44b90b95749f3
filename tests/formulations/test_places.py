"""Parts of the work array and of the state: each as long as its name promises, none over another."""

from types import SimpleNamespace

import pytest

import loops
import mechanisms
from poinsot.formulations import directors
from poinsot.formulations.absolute import places
from poinsot.formulations.absolute.work import MAX_STAGES
from poinsot.formulations.directors import stage_places
from poinsot.formulations.directors.plane.places import plane_size
from poinsot.formulations.tree.loops.freedoms import sizes
from poinsot.layout.freeze import freeze
from poinsot.tables.records import PLACES

COUNTS = [name for name in PLACES.names if name.startswith("n_")]
ELSEWHERE = [*COUNTS, "needs_end", "curved", "serial_kernel", "clock", "velocities", "angles", "efforts", "state", "work", "variant", "damping"]
ELSEWHERE += ["reaches", *sizes(2, 1, 2)]  # of closed trees alone
SINGLE = ("step_size", "pivot", "task", "task_stage")
OF_STAGES = ("stage_poses", "stage_forces", "stage_gaps", "unknowns", "changes", "scales")


def record_of(system):
    frozen, formulation = directors.complete(freeze(system), ())
    record = frozen.layout.places[0]
    return frozen.layout, SimpleNamespace(**{name: int(record[name]) for name in PLACES.names}), formulation


def parts(layout, at):
    """Every part of the work array: its name, where it begins, how long it is."""
    for name in [name for name in PLACES.names if name not in ELSEWHERE]:
        if name in SINGLE:
            yield name, getattr(at, name), 1
            continue
        if name in OF_STAGES:
            found = getattr(stage_places, name).py_func(at, MAX_STAGES)
        elif name == "notes":
            loads = range(len(layout.loads))
            found = slice(at.notes, max((places.load_notes.py_func(at, k).stop for k in loads), default=at.notes))
        elif name == "anderson":
            found = stage_places.history.py_func(at)
        else:
            found = getattr(places, {"row_gaps": "all_row_gaps"}.get(name, name)).py_func(at)
        assert found.start == getattr(at, name), name
        yield name, found.start, found.stop - found.start


@pytest.mark.parametrize("name", [*mechanisms.ALL, "bare"])
def test_parts_fill_the_work_array_and_do_not_overlap(name):
    layout, at, formulation = record_of(loops.four_bar() if name == "bare" else mechanisms.ALL[name]())
    position = 0
    for part, start, length in sorted(parts(layout, at), key=lambda entry: (entry[1], entry[2])):
        assert start == position, f"{part} begins at {start}, what is before it ends at {position}"
        position = start + length
    in_plane = plane_size(layout) if formulation.kernels == "in the plane" else 0  # after all others
    assert position == at.work == formulation.work_size - in_plane


def test_velocities_are_where_the_state_has_them():
    layout, at, formulation = record_of(loops.four_bar())
    found = places.velocities.py_func(at)
    assert (found.start, found.stop) == (at.velocities, at.angles)
    assert at.n_velocities == at.n_poses == 12 * len(layout.bodies)
    assert formulation.state_size == at.state
