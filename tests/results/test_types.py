"""What editors and type checkers know of results, and what dir() lists."""

import subprocess
import sys

import numpy as np

import poinsot as po
from systems import chain

PROGRAM = """
import poinsot as po

s = po.System("pendulum", gravity=(0, 0, -9.81))
rod = s.body("rod", po.Rod(radius=0.01, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
pin = s.revolute(s.ground, rod, at=(0, 0, 0), axis="y", name="pin")
motor = s.add(po.Motor(pin, 0.5))
run = po.simulate(s, 1.0, step=0.01)
reveal_type(run)
reveal_type(po.prepare(s, step=0.01))
reveal_type(po.prepare(s, step=0.01).run(1.0))
reveal_type(po.load("run.h5"))
reveal_type(po.read("model.yaml"))
reveal_type(run[rod])
reveal_type(run[pin])
reveal_type(run[motor])
reveal_type(run["pin"])
reveal_type(run[rod].position)
reveal_type(run[pin].angle)
reveal_type(run["pin"].rate)
reveal_type(run.energy)
reveal_type(run.audit)
reveal_type(run.system)
po.simulat(s, 1.0)
run[rod].positon
"""
EXPECTED = [
    *("Trajectory", "Ready", "Trajectory", "StoredTrajectory", "System", "BodyView", "JointView", "LoadView", "ElementView"),
    *("ndarray", "ndarray", "ndarray", "ndarray", "Audit", "System"),
]


def test_a_type_checker_knows_what_users_get(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "--follow-imports", "silent", "--config-file", "", "program.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=580, env=_with_sources(),
    )  # fmt: skip
    lines = done.stdout.splitlines()
    revealed = [line.split("Revealed type is")[1] for line in lines if "Revealed type is" in line]
    assert len(revealed) == len(EXPECTED), done.stdout + done.stderr
    for words, name in zip(revealed, EXPECTED):
        assert f".{name}" in words, words
    errors = [line for line in lines if "program.py" in line and "error:" in line]
    assert len(errors) == 2 and "simulat" in errors[0] and "positon" in errors[1], errors


def _with_sources():
    import os
    from pathlib import Path

    return os.environ | {"MYPYPATH": str(Path(po.__file__).parents[1])}


def test_names_for_type_checkers_are_those_that_there_are():
    import ast
    from pathlib import Path

    tree = ast.parse(Path(po.__file__).read_text())
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    named = {alias.name: node.module for node in block.body for alias in node.names}
    assert named == po._LATER | po._LIGHT | po._ROOMS and set(named) < set(po.__all__)


def test_dir_lists_results():
    run = po.simulate(chain(2), 0.02, step=0.01)
    assert {"t", "energy", "momentum", "audit", "plot", "save"} <= set(dir(run))
    body, joint = dir(run["link1"]), dir(run["joint1"])
    assert {"position", "quaternion", "velocity", "acceleration", "point"} <= set(body) and "angle" not in body
    assert {"rotation", "angular_velocity", "quaternion", "rate", "force", "torque", "unique"} <= set(joint) and "angle" not in joint
    for view in (run["link1"], run["joint1"]):
        for name in dir(view):
            if not name.startswith("_") and not callable(getattr(view, name)):
                assert isinstance(getattr(view, name), np.ndarray | bool), name
