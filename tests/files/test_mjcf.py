"""Models of MuJoCo: the same accelerations as MuJoCo, what is not taken listed, and every fault of a file with its line."""

import warnings

import numpy as np
import pytest

import poinsot as po

mujoco = pytest.importorskip("mujoco")

from mujoco_models import CLOSED, OPEN, accelerations, compiled, random_state, with_keyframe  # noqa: E402


def written(folder, text, name="model.xml"):
    path = folder / name
    path.write_text(text)
    return path


def read(folder, text, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.ModelWarning)
        return po.read(written(folder, text), **options)


def expected(model, data, qacc):
    """By joint of the system: its accelerations, from those of MuJoCo."""
    mujoco.mj_resetData(model, data)
    mujoco.mj_kinematics(model, data)
    found = {}
    for k in range(model.njnt):
        kind, i, turn = model.jnt_type[k], model.jnt_dofadr[k], data.xmat[model.jnt_bodyid[k]].reshape(3, 3)
        name = model.joint(k).name or None
        rates = 6 if kind == 0 else 3 if kind == 1 else 1
        own = qacc[i : i + rates].copy()
        if kind < 2:
            own[-3:] = turn @ own[-3:]  # from the axes of the body to those of the world, in the drawing
        found[k] = (name, own)
    return found


@pytest.mark.parametrize("name", [*OPEN, *CLOSED])
def test_accelerations_of_mujoco(name, tmp_path):
    text = {**OPEN, **CLOSED}[name]
    model, data = compiled(text)
    rng = np.random.default_rng(7)
    worst = 0.0
    for trial in range(3):
        qpos, qvel, ctrl = random_state(model, data, rng, 0.15 if name in CLOSED else 0.8)
        qacc = accelerations(model, data, qpos, qvel, ctrl)
        system = read(tmp_path, with_keyframe(text, qpos, qvel, ctrl), merge=trial != 1)
        dynamics = po.dynamics(system)
        got = dict(zip(dynamics.rates, dynamics.acceleration()))
        seen = 0
        for joint, wanted in expected(model, data, qacc).values():
            values = [value for label, value in got.items() if label.startswith(f"{joint}.")]
            if joint is None or not values:
                continue
            seen += len(values)
            worst = max(worst, np.abs(np.array(values) - wanted).max() / np.abs(qacc).max())
        assert seen >= 1
    print(f"{name}: {worst:.1e}")
    assert worst < 1e-10
