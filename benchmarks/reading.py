"""How long it takes to read a model file of 1000 bodies: as `poinsot` writes it, and written by hand with repeated elements."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from table import Table, verdict
from timing import shortest

import poinsot as po

BODIES = 1000
LONGEST = 1.0  # s, target
REPEATED = """poinsot: 1
system: chain
gravity: [0, 0, -9.81]
parameters: {{n: {n}}}
bodies:
- {{body: "link{{k}}", repeat: {{k: n}}, box: {{x: 0.1, y: 0.1, z: 1, mass: 2}}, position: [0, 0, -k - 0.5]}}
joints:
- {{spherical: first, first: ground, second: link0, at: [0, 0, 0]}}
- {{spherical: "joint{{k}}", repeat: {{k: [1, n - 1]}}, first: "link{{k - 1}}", second: "link{{k}}", at: [0, 0, -k]}}
"""


def chain(n: int) -> po.System:
    """Links on ball joints."""
    s = po.System("chain", gravity=(0, 0, -9.81))
    parent = s.ground
    for k in range(n):
        link = s.body(f"link{k}", po.Box(0.1, 0.1, 1.0, mass=2.0), position=(0, 0, -k - 0.5))
        s.spherical(parent, link, at=(0, 0, -k), name=f"joint{k}")
        parent = link
    return s


def run(rounds: int = 5, bodies: int = BODIES) -> Table:
    """Processor time of reading."""
    table = Table(f"Seconds to read a model file of {bodies} bodies")
    with tempfile.TemporaryDirectory() as folder:
        written, by_hand = Path(folder) / "written.yaml", Path(folder) / "by_hand.yaml"
        chain(bodies).to_yaml(written)
        by_hand.write_text(REPEATED.format(n=bodies))
        for name, path in (("as written", written), ("with repeat", by_hand)):
            (seconds,) = shortest([partial(po.read, path)], rounds)
            table.add(file=name, kB=path.stat().st_size / 1000, seconds=seconds, verdict=f"{verdict(seconds <= LONGEST)} (<= {LONGEST:g})")
    return table
