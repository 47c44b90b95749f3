"""`change=`: a prepared run with other values is, to the bit, the run of a system written with them."""

import numpy as np
import pytest

import poinsot as po
from change_models import MODELS, built, keys, other_value
from systems import chain, oscillator, pendulum

SETTINGS = {
    "open": {"step": 0.02, "integrator": "gauss3"},
    "closed": {"step": 0.01},
    "planar": {"step": 0.01},
}
READY = {}


def ready(model):
    if model not in READY:
        READY[model] = po.prepare(built(model, {}), **SETTINGS[model])
    return READY[model]


@pytest.mark.filterwarnings("ignore::poinsot.errors.AssemblyWarning", "ignore::poinsot.errors.DriveWarning")
def same_as_written(model, change):
    run = ready(model).run(0.1, change=change)
    wanted = po.simulate(built(model, change), 0.1, **SETTINGS[model])
    assert np.array_equal(run.raw, wanted.raw) and np.array_equal(run.t, wanted.t), change
    assert np.array_equal(run.motion, wanted.motion) and np.array_equal(run.loads, wanted.loads), change
    numbers, others = ({k: n for k, n in r.audit.to_dict().items() if k != "seconds"} for r in (run, wanted))
    assert numbers == others
    assert run.system.to_yaml() == wanted.system.to_yaml()
    return run


@pytest.mark.parametrize(("model", "key"), [(model, key) for model in MODELS for key in keys(model)])
def test_every_change_is_the_system_written_with_it(model, key):
    rng = np.random.default_rng([len(key), ord(key[0])])
    run = same_as_written(model, {key: other_value(model, key, rng)})
    assert not np.array_equal(run.raw, ready(model).run(0.1).raw) or key in ("hinge.rate",), "nothing changed"


def several(seed):
    rng = np.random.default_rng(seed)
    model = list(MODELS)[seed % 3]
    known = keys(model)
    chosen = rng.choice(len(known), size=rng.integers(2, 6), replace=False)
    same_as_written(model, {known[k]: other_value(model, known[k], rng) for k in chosen})


@pytest.mark.parametrize("seed", range(6))
def test_several_changes_at_once(seed):
    several(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6, 306))
def test_many_changes_at_once(seed):
    several(seed)
