"""Energy in velocities that joints forbid is given back to allowed ones: as much as there was, in parts that are joined with the ground."""

import numpy as np
import pytest
from numba import njit

import poinsot as po
from poinsot.elements.director_scalars import POSE
from poinsot.formulations.absolute import places
from poinsot.formulations.directors import complete
from poinsot.formulations.directors.give_back import energy, give_back
from poinsot.layout.freeze import freeze
from poinsot.layout.initial import initial_values


@njit
def given_back(layout, y, room, work):
    give_back(layout, y, y[places.velocities(layout.places[0])], room, work)


@njit
def energies(layout, y, found):
    for b in range(1, layout.bodies.shape[0]):
        found[b] = energy(layout.frames[b], y[places.velocities(layout.places[0])], POSE * b)


def two_parts():
    """Two links on the ground, and two that are joined with each other alone."""
    s = po.System("two parts", gravity=(0, 0, -9.81))
    links = [s.body(f"link{k}", po.Box(0.2, 0.3, 0.5 + 0.1 * k, mass=1.0 + k), position=(k, 0.1 * k, 0)) for k in range(4)]
    s.revolute(s.ground, links[0], at=(-0.5, 0, 0), axis="y", name="base").set(rate=1.0)
    s.spherical(links[0], links[1], at=(0.5, 0, 0), name="ball").set(rate=(1.0, 0.5, -2.0))
    s.revolute(links[2], links[3], at=(2.5, 0, 0), axis="z", name="floating").set(rate=2.0)
    return s


GROUNDED, FLOATING = slice(1, 3), slice(3, 5)  # bodies


@pytest.fixture(scope="module")
def mechanism():
    """Tables, a state with allowed velocities, where these lie in it, and a function that gives back in it."""
    system = two_parts()
    frozen, equations = complete(freeze(system))
    layout = frozen.layout
    y = equations.pack(*initial_values(system, frozen.topology))

    def give(y):
        """Twice the kinetic energies of the bodies before and after."""
        found = np.zeros((2, len(layout.bodies)))
        energies(layout, y, found[0])
        given_back(layout, y, np.zeros((POSE + 1) * len(layout.bodies)), np.zeros(equations.work_size))
        energies(layout, y, found[1])
        return found

    first, count = (int(layout.places[name][0]) for name in ("velocities", "n_velocities"))
    return y, slice(first, first + count), give


def of_bodies(values, which):
    """Numbers of some bodies."""
    return values.reshape(-1, POSE)[which]


def test_allowed_velocities_stay(mechanism):
    start, at, give = mechanism
    y = start.copy()
    before, _ = give(y)
    assert before[GROUNDED].min() > 0.1 and np.abs(y[at] - start[at]).max() < 1e-14


@pytest.mark.parametrize("size", [1e-4, 1e-2, 0.1])
def test_forbidden_velocities_become_allowed_ones_of_the_same_energy(mechanism, size):
    start, at, give = mechanism
    y = start.copy()
    y[at][POSE:] += size * np.random.default_rng(2).normal(size=POSE * 4)
    disturbed = y.copy()
    before, after = give(y)
    assert after[GROUNDED].sum() == pytest.approx(before[GROUNDED].sum(), rel=1e-14)
    assert np.array_equal(of_bodies(y[at], FLOATING), of_bodies(disturbed[at], FLOATING)), "its momentum would change"
    assert np.abs(of_bodies(y[at] - disturbed[at], GROUNDED)).max() > 0.1 * size
    again = y.copy()
    give(again)  # what is allowed stays
    assert np.abs(of_bodies(again[at] - y[at], GROUNDED)).max() < 1e-13


def test_where_most_of_the_energy_is_forbidden_nothing_is_changed(mechanism):
    start, at, give = mechanism
    y = start.copy()
    of_bodies(y[at], slice(1, 5))[:, 3:] += 20.0 * of_bodies(y[: at.start], slice(1, 5))[:, 3:]  # directors that grow
    disturbed = y.copy()
    give(y)
    assert np.array_equal(y, disturbed)
