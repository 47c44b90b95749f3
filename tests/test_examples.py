"""Every example runs, small, and leaves pictures, a page and its results."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

import poinsot as po

FOLDER = Path(__file__).parents[1] / "examples"
SMALL = {
    "basin": {"size": 8, "duration": 2.0},
    "bicycle": {"duration": 1.0},
    "cart_pole": {"duration": 3.0},
    "cart_pole_environment": {"duration": 1.0},
    "chain": {"duration": 2.0},
    "clutch": {"duration": 1.5},
    "compare_methods": {"duration": 0.5, "formulations": ("tree", "directors")},
    "coil_drop": {"duration": 0.5, "links": 8},
    "crane": {"duration": 3.0, "step": 0.05},
    "delta_robot": {"duration": 0.6, "step": 0.02},
    "dzhanibekov": {"duration": 6.0},
    "five_bar": {"duration": 2.0, "step": 0.05},
    "flyball_governor": {"duration": 0.5},
    "four_bar": {"duration": 2.0},
    "four_bar_tolerances": {"count": 4, "duration": 0.2},
    "gimbals": {"duration": 6.0},
    "gymnast": {"duration": 1.5},
    "held_axis": {"duration": 0.5},
    "humanoid_arm": {"duration": 1.0, "step": 0.05},
    "live_linkage": {"duration": 1.0, "wait": False},
    "rpr_manipulator": {"duration": 1.0, "step": 0.05},
    "scissor_lift": {"duration": 1.0},
    "six_bar": {"duration": 1.5},
    "sleigh": {"duration": 2.0},
    "slider_crank": {"duration": 0.2},
    "snakeboard": {"duration": 2.0},
    "spring_chain": {"duration": 1.0},
    "stewart_platform": {"duration": 0.5},
    "suspension": {"size": 3, "duration": 1.0},
    "sweep_on_a_cluster": {"size": 4, "duration": 0.2},
    "top": {"duration": 1.5},
    "turntable": {"duration": 1.0},
    "ur5_path": {"duration": 0.5, "step": 0.02},
    "wheeled_pendulum": {"duration": 1.0},
}


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.stem)
def test_example(path, tmp_path, capsys):
    run = load(path).main(folder=tmp_path, **SMALL.get(path.stem, {}))
    assert run.audit.energy_drift < 1e-6 * run.audit.energy_scale
    written, said = sorted(tmp_path.iterdir()), capsys.readouterr().out
    assert written and [path for path in written if str(path) not in said] == []
    pages = [path for path in written if path.suffix == ".html"]
    assert pages and all(path.stat().st_size < 5_000_000 for path in pages)
    stored = [po.load(path) for path in written if path.suffix == ".h5"]
    assert all(each.complete and not each.failures for each in stored if isinstance(each, po.Sweep))
    stored = [each for each in stored if not isinstance(each, po.Sweep)]
    assert any(same_positions(each, run) for each in stored)
    if path.stem in DEMO:
        assert {each.name for each in written} == {name for name in summary() if name.startswith(DEMO[path.stem])}


@pytest.mark.parametrize("path", sorted((FOLDER / "models").glob("*.yaml")), ids=lambda p: p.stem)
def test_model_file(path):
    """Models in files run as they are; those that examples wrote are still the models of the examples."""
    run = po.simulate(po.read(path), 0.2, step=0.01)
    assert max(run.audit.constraint_metres or 0.0, run.audit.constraint_radians or 0.0) < 1e-12  # None: an open system
    assert run.audit.energy_drift < 1e-6 * run.audit.energy_scale
    if f"examples/{path.stem}.py" in path.read_text().partition("\n")[0]:
        built = po.simulate(load(FOLDER / f"{path.stem}.py").build(), 0.2, step=0.01)
        assert [body.name for body in built.system.bodies] == [body.name for body in run.system.bodies]
        for a, b in ((built.motion, run.motion), (built.loads, run.loads)):
            assert np.abs(a - b).max() < 1e-9 * np.abs(a).max()


def test_the_delta_robot_in_a_file_follows_its_path():
    """Its platform stays level and where the path of the example has it; the torques of its motors are results."""
    run = po.simulate(po.read(FOLDER / "models" / "delta_robot.yaml"), 0.6, step=0.02)
    wanted = np.array([load(FOLDER / "delta_robot.py").path()(t) for t in run.t])
    assert np.abs(run["platform"].position - wanted).max() < 1e-12 and np.ptp(wanted, axis=0).max() > 0.2
    assert np.abs(run["platform"].rotation - np.eye(3)).max() < 1e-12
    assert 1.0 < max(np.abs(run[f"motor{k}"].effort).max() for k in (1, 2, 3)) < 10.0


def same_positions(stored, run):
    if [body.name for body in stored.system.bodies] != [body.name for body in run.system.bodies] or len(stored.t) != len(run.t):
        return False
    return all(np.array_equal(stored[body.name].position, run[body.name].position) for body in run.system.bodies)


DEMO = {"coil_drop": "coil", "four_bar": "four_bar", "rpr_manipulator": "rpr"}  # and how the names of their files begin


def summary():
    """Files that `make demo` names at its end."""
    demo = (FOLDER.parent / "Makefile").read_text().partition("All three:")[2].partition("Open out/")[0]
    return re.findall(r"out/(\S+\.\w+)", demo)
