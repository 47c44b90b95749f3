"""The page of promises is true: its tests exist, and runs in threads give the same bits."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from mechanisms import spring_chain

ROOT = Path(__file__).parents[1]


def test_every_promise_names_tests_that_exist():
    text = (ROOT / "docs" / "promises.md").read_text()
    promised, _ = text.split("## What is not promised")
    for line in (line for line in promised.splitlines() if line.startswith("- ")):
        tests = re.findall(r"(tests/[\w/]+\.py)(?:::(\w+))?", line)
        assert tests, line
        for path, name in tests:
            assert (ROOT / path).exists(), path
            source = (ROOT / path).read_text()
            assert not name or f"def {name}(" in source, (path, name)
            starred = f"{name} *" in line
            assert not name or starred == bool(re.search(rf"@pytest\.mark\.long\n(?:@.*\n|    .*\n|\)\n)*def {name}\(", source)), name


@pytest.mark.parametrize("closed", [False, True])
def test_threads(closed):
    system = four_bar() if closed else spring_chain()
    key = "base.rate" if closed else "hinge.rate"
    ready = po.prepare(system, step=0.01)
    changes = [{key: 0.5 + 0.25 * k} for k in range(8)]
    alone = [ready.run(1.0, change=change) for change in changes]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda change: ready.run(1.0, change=change, progress=False), changes))
    for one, other in zip(alone, together):
        assert np.array_equal(one.raw, other.raw) and np.array_equal(one.energy, other.energy)
