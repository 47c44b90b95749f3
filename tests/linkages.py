"""Random overconstrained linkages that can move: drawn at regular positions, tilted at random."""

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as po


def turn(rng):
    """A random rotation matrix."""
    return Rotation.from_quat(rng.normal(size=4)).as_matrix()


def about(axis, angle):
    """Matrix of a rotation about x, y or z."""
    return Rotation.from_euler(axis, angle).as_matrix()


def _link(s, name, points, rng):
    """A body of some inertia between the given points."""
    inertia = np.diag(rng.uniform(0.03, 0.05, 3))
    return s.body(name, mass=rng.uniform(0.5, 2.0), inertia=inertia, position=tuple(np.mean(points, axis=0)))


def equal_cranks(rng, cranks=3):
    """A beam on equal, parallel cranks in a tilted plane; two cranks would suffice. 1 degree of freedom."""
    A = turn(rng)
    s = po.System("equal cranks", gravity=tuple(9.81 * A @ (0.4, 0.8, 0.3)))
    angle, length = rng.uniform(0.3, 2.8), rng.uniform(0.5, 1.5)
    arm = length * np.array([np.cos(angle), np.sin(angle), 0.0])
    feet = [np.array([x, 0.0, 0.0]) for x in np.cumsum(rng.uniform(0.5, 1.5, cranks))]
    feet = [foot + (0.0, rng.uniform(-0.3, 0.3), 0.0) for foot in feet]
    beam = _link(s, "beam", [A @ (foot + arm) for foot in feet], rng)
    for k, foot in enumerate(feet):
        crank = _link(s, f"crank{k}", [A @ foot, A @ (foot + arm)], rng)
        s.revolute(s.ground, crank, at=tuple(A @ foot), axis=tuple(A[:, 2]), name=f"low{k}")
        s.revolute(crank, beam, at=tuple(A @ (foot + arm)), axis=tuple(A[:, 2]), name=f"high{k}")
    s["low0"].set(rate=rng.uniform(1.0, 3.0))
    return s


def bennett(rng):
    """Bennett's linkage: four hinges, neither parallel nor intersecting, with 1 degree of freedom.

    Equal opposite links of lengths a, b and twists alpha, beta with a / sin alpha = b / sin beta.
    """
    alpha, beta = rng.uniform(0.4, 1.2), rng.uniform(1.4, 2.6)
    a = rng.uniform(0.5, 1.0)
    b = a * np.sin(beta) / np.sin(alpha)
    theta = rng.uniform(0.5, 2.5)
    other = 2 * np.arctan2(np.sin((beta + alpha) / 2), np.sin((beta - alpha) / 2) * np.tan(theta / 2))
    angles, lengths, twists = (theta, other, -theta, -other), (a, b, a, b), (alpha, beta, alpha, beta)
    A, p = turn(rng), rng.normal(size=3)
    places = []
    for angle, length, twist in zip(angles, lengths, twists):
        places.append((p, A[:, 2]))
        A = A @ about("z", angle)
        p = p + length * A[:, 0]
        A = A @ about("x", twist)
    assert np.allclose(p, places[0][0], atol=1e-12) and np.allclose(A[:, 2], places[0][1], atol=1e-12)
    s = po.System("Bennett", gravity=(0, 0, -9.81))
    bodies = [s.ground] + [_link(s, f"link{k}", [places[k][0], places[(k + 1) % 4][0]], rng) for k in range(3)]
    for k in range(4):
        at, axis = places[k]
        s.revolute(bodies[k], bodies[(k + 1) % 4], at=tuple(at), axis=tuple(axis), name=f"hinge{k}")
    s["hinge0"].set(rate=rng.uniform(1.0, 3.0))
    return s


def sarrus(rng):
    """Sarrus's linkage: two or three folding legs of three parallel hinges each guide a platform along a line. 1 degree of freedom."""
    legs = int(rng.integers(2, 4))
    A = turn(rng)
    s = po.System("Sarrus", gravity=tuple(9.81 * A @ (0.2, 0.1, -0.9)))
    low, high = rng.uniform(0.6, 1.0), rng.uniform(0.6, 1.0)
    top = rng.uniform(0.5, 0.9) * (low + high)
    bend = (low**2 - high**2 + top**2) / (2 * top)
    out = np.sqrt(low**2 - bend**2)
    platform = _link(s, "platform", [A @ (0.0, 0.0, top)], rng)
    directions = np.cumsum(rng.uniform(0.8, 2.2, legs))
    for k, direction in enumerate(directions):
        e, n = np.array([np.cos(direction), np.sin(direction), 0.0]), np.array([-np.sin(direction), np.cos(direction), 0.0])
        points = [A @ (0.7 * e), A @ ((0.7 + out) * e + (0, 0, bend)), A @ (0.7 * e + (0, 0, top))]
        below, above = _link(s, f"low{k}", points[:2], rng), _link(s, f"high{k}", points[1:], rng)
        for name, pair, at in zip("abc", ((s.ground, below), (below, above), (above, platform)), points):
            s.revolute(*pair, at=tuple(at), axis=tuple(A @ n), name=f"{name}{k}")
    s["a0"].set(rate=rng.uniform(0.3, 0.8))
    return s


def spherical_loop(rng):
    """Four hinges (or five) whose axes meet in one point: 1 degree of freedom (or 2)."""
    count = int(rng.integers(4, 6))
    around = np.cumsum(rng.uniform(0.7, 1.4, count))
    around *= 2 * np.pi / (around[-1] + 0.7)
    A, centre = turn(rng), rng.normal(size=3)
    axes = [A @ (np.cos(x) * np.sin(y), np.sin(x) * np.sin(y), np.cos(y)) for x, y in zip(around, rng.uniform(0.5, 1.0, count))]
    points = [centre + rng.uniform(0.5, 1.5) * axis for axis in axes]
    s = po.System("spherical loop", gravity=(0, 0, -9.81))
    bodies = [s.ground] + [_link(s, f"link{k}", [points[k], points[k + 1]], rng) for k in range(count - 1)]
    for k in range(count):
        s.revolute(bodies[k], bodies[(k + 1) % count], at=tuple(points[k]), axis=tuple(axes[k]), name=f"hinge{k}")
    s["hinge0"].set(rate=rng.uniform(0.5, 1.5))
    return s


KINDS = {"equal cranks": equal_cranks, "Bennett": bennett, "Sarrus": sarrus, "spherical loop": spherical_loop}
