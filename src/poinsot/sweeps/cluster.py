"""The engine "dask": batches of a sweep on the workers of a cluster.

Models travel as text, and are read there to the bit; systems with functions, functions that build systems, and functions of runs are
pickled. A batch whose worker is lost is given to another. Workers keep what they have prepared; kernels are compiled once per machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from threading import Lock
from typing import Any

from poinsot.errors import PoinsotError, SettingsError
from poinsot.files.models.functions import function_references
from poinsot.files.models.read_write import read_text
from poinsot.model.snapshot import snapshot
from poinsot.model.system import System
from poinsot.model.words import short_repr
from poinsot.remembered import Remembered
from poinsot.sweeps.task import ELSEWHERE, Part, Task
from poinsot.sweeps.work import Bench, empty_part

AHEAD = 3  # batches per worker that are given out in advance
PATIENCE = 20  # s until a scheduler must have answered
_benches: Remembered[Bench] = Remembered(2)  # of a worker, by the digest of the task
_opening = Lock()


def by_dask(task: Task, batches: Sequence[int], workers: int, scheduler: Any) -> Generator[Part]:
    """The workers of a cluster: of a `Client`, of the scheduler at an address, or new ones on this machine."""
    distributed = _needed()
    packed = pack(task)
    with ExitStack() as stack:
        client = _client(distributed, workers, scheduler, stack)
        name = f"sweep-{hashlib.sha256(packed).hexdigest()[:8]}"
        (sent,) = client.scatter([packed], broadcast=False, hash=True)
        todo, numbers = iter(batches), {}
        coming = distributed.as_completed(with_results=True, raise_errors=False)

        def give(count: int) -> None:
            for batch in islice(todo, count):
                future = client.submit(part_there, sent, batch, key=f"{name}-batch-{batch}", pure=False, retries=0)
                numbers[future.key] = batch
                coming.add(future)

        give(AHEAD * max(1, len(client.nthreads())))
        for future, result in coming:
            batch = numbers.pop(future.key)
            if future.status == "error":
                yield _lost(task, batch, future)
            elif future.status == "cancelled":
                raise PoinsotError("sweep: the cluster has ended, or its scheduler has lost the work")
            else:
                yield result
            future.release()
            give(1)


def _lost(task: Task, batch: int, future: Any) -> Part:
    """A batch that no worker could do."""
    error = future.exception()
    killed = type(error).__name__ == "KilledWorker"
    words = ELSEWHERE.replace("twice", "several times") if killed else f"on its worker: {type(error).__name__}: {error}"
    part = empty_part(task, batch)
    part.failures = dict.fromkeys(task.members(batch), f"Crash: {words}"[:500])
    return part


def _client(distributed: Any, workers: int, scheduler: Any, stack: ExitStack) -> Any:
    if isinstance(scheduler, distributed.Client):
        return scheduler
    if scheduler is None:
        cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=50)
        stack.enter_context(cluster)
        return stack.enter_context(distributed.Client(cluster))
    if not isinstance(scheduler, str):
        raise SettingsError(f"scheduler must be a distributed.Client or an address such as 'tcp://host:8786', not {short_repr(scheduler)}")
    try:
        return stack.enter_context(distributed.Client(scheduler, timeout=PATIENCE))
    except (OSError, TimeoutError, ValueError) as error:
        raise PoinsotError(f"no scheduler answers at {scheduler} ({error}); start one by `dask scheduler`, or check the address") from None


def _needed() -> Any:
    try:
        import distributed
    except ImportError:
        raise PoinsotError("engine 'dask' needs distributed: pip install 'poinsot[dask]'") from None
    return distributed


def pack(task: Task) -> bytes:
    """A task as bytes; a SettingsError names what cannot travel."""
    from cloudpickle import dumps

    source: Any = task.source
    if isinstance(source, System) and not list(function_references(source)):
        source = source.to_yaml()
    checked = [("the system", source), ("until=", task.running["until"]), *((f"record '{kept.name}'", kept.what) for kept in task.records)]
    for name, what in checked:
        try:
            dumps(what)
        except Exception as error:
            raise SettingsError(
                f"{name} cannot travel to workers ({type(error).__name__}: {error}); it must not hold open files, locks or connections: "
                "create these inside the function, or use engine='threads'"
            ) from None
    return dumps(replace(task, source=source))


def unpack(packed: bytes) -> Task:
    """The task of `pack`."""
    from cloudpickle import loads

    task = loads(packed)
    return replace(task, source=snapshot(read_text(task.source, "model"))) if isinstance(task.source, str) else task


def part_there(packed: bytes, batch: int) -> Part:
    """A batch, on a worker."""
    key = hashlib.sha256(packed).digest()
    with _opening:
        bench = _benches.get(key, lambda: Bench(unpack(packed)))
    return bench.part(batch)
