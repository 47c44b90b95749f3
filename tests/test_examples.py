"""Every example runs, small."""

import importlib.util
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
SMALL = {
    "chain": {"duration": 2.0},
    "coil_drop": {"duration": 0.5, "links": 8},
    "crane": {"duration": 3.0, "step": 0.05},
    "delta_robot": {"duration": 0.6, "step": 0.02},
    "five_bar": {"duration": 2.0, "step": 0.05},
    "flyball_governor": {"duration": 0.5},
    "four_bar": {"duration": 2.0},
    "gimbals": {"duration": 6.0},
    "gymnast": {"duration": 1.5},
    "humanoid_arm": {"duration": 1.0, "step": 0.05},
    "rpr_manipulator": {"duration": 1.0, "step": 0.05},
    "scissor_lift": {"duration": 1.0},
    "six_bar": {"duration": 1.5},
    "slider_crank": {"duration": 0.2},
    "spring_chain": {"duration": 1.0},
    "top": {"duration": 1.5},
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
    assert str(tmp_path) in capsys.readouterr().out
    assert list(tmp_path.iterdir())
