"""Sweeps on a real cluster of this machine: the same bits, also when a worker is killed; what cannot travel is told."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from test_sweep import mass_on_spring, same

import poinsot as po

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the cluster's own when its workers die
MASSES = {"mass.mass": np.linspace(1.0, 2.0, 64)}
RECORD = [po.last("slide.displacement"), "energy"]


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def here(record=RECORD, vary=MASSES, **settings):
    return po.sweep(mass_on_spring(), vary, 0.2, step=0.02, record=record, workers=1, **settings)


def on(client, record=RECORD, vary=MASSES, **settings):
    return po.sweep(mass_on_spring(), vary, 0.2, step=0.02, record=record, engine="dask", scheduler=client, **settings)


def test_a_cluster_gives_the_same_bits(client, tmp_path):
    vary = {"mass.mass": np.array([*MASSES["mass.mass"], -1.0])}
    found = on(client, vary=vary, stream=tmp_path / "s.h5")
    assert same(here(vary=vary), found) and [failure.variant for failure in found.failures] == [64]
    assert len(client.who_has()) <= 2  # nothing is left there but what the sweep sent


def test_a_cluster_gives_the_same_bits_in_lanes(client):
    settings = {"formulation": "tree:spatial", "integrator": "dop853", "lanes": True}
    found = on(client, **settings)
    assert same(here(**settings), found) and found.lanes == "64 of 64 variants in 4 lanes"


def test_functions_travel(client):
    factor = 3.0

    def scaled(run):
        return factor * run.energy[-1]

    def law(t):
        return 0.1 * factor

    s = mass_on_spring()
    s.add(po.Motor(s["slide"], law, name="motor"))
    one = po.sweep(s, {"mass.mass": [1.0, 2.0]}, 0.2, step=0.02, record=scaled, engine="dask", scheduler=client)
    assert same(po.sweep(s, {"mass.mass": [1.0, 2.0]}, 0.2, step=0.02, record=scaled, workers=1), one)


def slowly(run):
    time.sleep(0.02)
    return run.energy[-1]


def test_the_variants_of_a_killed_worker_are_done_again(client):
    alone = here(record=slowly)
    process = next(iter(client.run(os.getpid).values()))

    def kill():
        time.sleep(0.4)
        os.kill(process, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    found = on(client, record=slowly)
    killer.join()
    assert same(alone, found) and not found.failures and process not in client.run(os.getpid).values()


def test_what_cannot_travel_is_told(client):
    lock = threading.Lock()

    def locked(run):
        with lock:
            return 1.0

    with pytest.raises(po.SettingsError, match="record 'locked' cannot travel to workers"):
        on(client, record=locked)
    with pytest.raises(po.SettingsError, match="must be a distributed.Client"):
        on(3)


def test_a_scheduler_that_does_not_answer_is_told(monkeypatch, tmp_path):
    monkeypatch.setattr("poinsot.sweeps.cluster.PATIENCE", 0.5)
    with pytest.raises(po.PoinsotError, match="no scheduler answers at tcp://127.0.0.1:9") as caught:
        on("tcp://127.0.0.1:9", stream=tmp_path / "s.h5")
    assert not caught.value.sweep.complete
    assert same(here(), po.resume(tmp_path / "s.h5"))
