"""All rows at given poses: their Jacobian against differences along motions of the tree, and joint coordinates read from poses."""

import numpy as np
import pytest

import oracle
import poinsot as po
from bridge import to_system
from poinsot.analysis.closing import Closing, Held
from poinsot.analysis.constraints import Geometry
from poinsot.analysis.held import drawn_coordinates
from poinsot.layout.freeze import freeze
from poinsot.layout.initial import initial_values
from poinsot.tables.records import COINCIDE, DISTANCE, DOT, GEAR, LINKED, N_R, SLIDE
from random_models import random_joint, random_place, random_tree

CLOSING = tuple(kind for kind in oracle.KINDS if kind != "free")


def random_closed(seed, n=5):
    """A random tree, moved, with a loop joint of every kind in turn, a distance, and gears between its scalar coordinates."""
    rng = np.random.default_rng(seed)
    model, coordinates, rates = random_tree(rng, n, loads=False)
    first, second = (int(b) for b in rng.choice(np.arange(-1, n), 2, replace=False))
    closing = random_joint(rng, "closing", CLOSING[seed % len(CLOSING)], first, second, random_place(rng, model, second))
    s = to_system(model, coordinates, rates)
    other = to_system(oracle.OModel(model.bodies, [*model.joints, closing], [], model.gravity))
    for joint, values in s.initial.items():
        other[joint.name].set(**values)
    a, b = other.bodies[0], other.bodies[1]
    other.add(po.Distance(a, b, at=(rng.normal(size=3), rng.normal(size=3)), length=1.3))
    scalars = [j.coordinate(n) for j in other.joints for n, m in zip(j.names, j.motions()) if m.rates == 1]
    for k in range(0, len(scalars) - 1, 2):
        other.add(po.Gear(scalars[k], scalars[k + 1], rng.uniform(-2, 2)))
    return other


@pytest.mark.parametrize("seed", range(24))
def test_jacobians_against_differences(seed):
    frozen = freeze(random_closed(seed))
    g = Geometry(frozen)
    q, v = initial_values(frozen.system, frozen.topology)
    nothing = np.zeros(len(frozen.layout.motions), bool)
    closing = Closing(g, Held(nothing, nothing))
    poses, twists = g.states(q, v)
    now, blocks = g.joints(poses, q)
    in_tree = np.isin(np.arange(g.layout.sizes[N_R]), np.nonzero(frozen.layout.motions["link"][g.rate_motion] >= 0)[0])
    assert np.abs(closing.difference(now, q)[in_tree]).max() < 1e-13  # the coordinates read are those by which the tree was moved
    assert np.abs((g.rates(blocks, twists) - v)[in_tree]).max() < 1e-13
    J = g.jacobian(g.rows(poses, now)[1], g.row_bodies)

    def values(t):
        moved = g.poses(closing.moved(q, t * v))
        return g.rows(moved, now)[0], closing.difference(g.joints(moved, now)[0], now)

    h = 1e-3
    f = [values(k * h) for k in range(-3, 4)]
    for k, mine in ((0, J @ twists[1:].ravel()), (1, g.rates(blocks, twists))):
        slope = (45 * (f[4][k] - f[2][k]) - 9 * (f[5][k] - f[1][k]) + f[6][k] - f[0][k]) / (60 * h)
        assert mine == pytest.approx(slope, rel=1e-7, abs=1e-7)
    assert J.shape == (len(frozen.layout.rows), 6 * len(frozen.system.bodies))


def test_every_kind_of_row_was_tried():
    kinds = np.concatenate([freeze(random_closed(seed)).layout.rows["kind"] for seed in range(24)])
    print({kind: int((kinds == kind).sum()) for kind in np.unique(kinds)})
    assert set(kinds.tolist()) == {COINCIDE, SLIDE, DOT, DISTANCE, LINKED, GEAR}


def test_residuals_by_element():
    s = po.System("pair", gravity=None)
    a, b = (s.body(n, po.Sphere(0.1, mass=1), position=(k, 0, 0)) for k, n in enumerate("ab"))
    s.add(po.Distance(a, b, at=((0, 0, 0), (1, 0, 0)), length=0.999, name="rod"))
    frozen = freeze(s)
    g = Geometry(frozen)
    q = drawn_coordinates(frozen)
    metres, radians = g.residuals(g.rows(g.poses(q), q)[0])["rod"]
    assert metres == pytest.approx(0.001, rel=1e-3) and radians == 0
