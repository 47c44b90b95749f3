"""Engines: who does the batches of a sweep. Whoever does them, and however many they are, the results are the same to the bit."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from poinsot.comparison.workers import Crash, Piece, results
from poinsot.sweeps.task import ELSEWHERE, Part, Task
from poinsot.sweeps.work import Bench, empty_part

AHEAD = 2  # batches per worker that are given out in advance


def by_threads(task: Task, batches: Sequence[int], workers: int) -> Generator[Part]:
    """Threads of this process: kernels run without Python's lock."""
    bench = Bench(task)
    if workers == 1 or len(batches) < 2:
        for batch in batches:
            yield bench.part(batch)
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="sweep")
    todo, running = iter(batches), set[Future[Part]]()
    try:
        while True:
            for batch in islice(todo, AHEAD * workers - len(running)):
                running.add(pool.submit(bench.part, batch))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def by_processes(task: Task, batches: Sequence[int], workers: int) -> Generator[Part]:
    """Processes of this machine, for users' Python functions; the batch of one that ends unexpectedly is done again, once."""
    todo = list(batches)
    for last in (False, True):
        crashed = []
        pieces = [Piece(_part, (batch,), "") for batch in todo]
        if last and pieces:  # a single piece would be done in this process, which it may end as well
            pieces.append(Piece(_nothing, (), ""))
        for k, found in results(_Kept(task), pieces, max(workers, 1 + last)):
            if k == len(todo):
                continue
            if not isinstance(found, Crash):
                yield found
            elif not last:
                crashed.append(todo[k])
            else:
                part = empty_part(task, todo[k])
                part.failures = dict.fromkeys(task.members(todo[k]), f"Crash: {ELSEWHERE}: {found}")
                yield part
        todo = crashed


class _Kept:
    """A task, and the bench of the process in which it is used."""

    def __init__(self, task: Task):
        self.task = task
        self.bench: Bench | None = None

    def __reduce__(self) -> tuple:
        return _Kept, (self.task,)


def _part(kept: _Kept, batch: int) -> Part:
    if kept.bench is None:
        kept.bench = Bench(kept.task)
    return kept.bench.part(batch)


def _nothing(kept: _Kept) -> None:
    return None
