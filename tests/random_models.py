"""Seeded random models for tests against the oracle: every joint and load, branches, loops, floating parts.

All generators take a numpy.random.Generator; the same seed gives the same model. SI units, frames as in oracle/.
"""

from collections import Counter

import numpy as np

from oracle import (
    FREEDOMS,
    GROUND,
    KINDS,
    LOADS,
    QUATERNIONS,
    OBody,
    OJoint,
    OModel,
    OTorsionSpring,
    Poses,
    joint_motion,
    kinematics,
    quaternion_matrix,
    random_place,
    relative,
)

LAWS = ("rotation-vector", "euler-angles")


def unit_vector(rng):
    """A random direction."""
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def quaternion_exp(v):
    """Quaternion wxyz of a rotation vector."""
    half = 0.5 * np.linalg.norm(v)
    return np.r_[np.cos(half), 0.5 * np.sinc(half / np.pi) * np.asarray(v)]


def quaternion_product(a, b):
    """Product of two quaternions wxyz."""
    return np.r_[a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])]


def moved(model, coordinates, steps):
    """Coordinates after steps (seconds times rates): quaternions are multiplied from the right by exp(step/2)."""
    result = []
    for joint, q, d in zip(model.joints, coordinates, steps):
        k = QUATERNIONS.get(joint.kind)
        if k is None:
            result.append(q + d)
        else:
            result.append(np.r_[q[:k] + d[:k], quaternion_product(q[k : k + 4], quaternion_exp(d[k : k + 3])), q[k + 4 :] + d[k + 3 :]])
    return result


def drawn_coordinates(model):
    """The coordinates of every joint in the drawing: zeros and identity quaternions."""
    found = [np.zeros(FREEDOMS[j.kind] + (j.kind in QUATERNIONS)) for j in model.joints]
    for joint, q in zip(model.joints, found):
        if joint.kind in QUATERNIONS:
            q[QUATERNIONS[joint.kind]] = 1.0
    return found


def drawn_poses(model):
    """Poses of the bodies in the drawing, as kinematics gives them."""
    return Poses(np.array([b.position for b in model.bodies]), np.array([b.rotation for b in model.bodies]))


def random_body(rng, name, position, thin=1.0):
    """A body made of ten mass points: its inertia is physical, full, and its centre of mass off the origin.

    thin < 1 squeezes the points towards a line, so that the least moment of inertia goes with thin squared.
    """
    directions = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    points = rng.normal(scale=0.3, size=(10, 3)) * [1.0, thin, thin] @ directions + rng.uniform(-0.3, 0.3, 3)
    masses = rng.uniform(0.05, 0.5, 10)
    com = masses @ points / masses.sum()
    arms = points - com
    inertia = np.einsum("k,kij->ij", masses, [(r @ r) * np.eye(3) - np.outer(r, r) for r in arms])
    return OBody(name, masses.sum(), com, inertia, position, quaternion_matrix(rng.normal(size=4)))


def random_joint(rng, name, kind, first, second, at, normal=None):
    """A joint with random axes (two are orthogonal) and pitch, of which it uses what its kind has.

    normal: it turns about this direction, one way or the other, and slides perpendicular to it.
    """
    axis = unit_vector(rng)
    if normal is not None:
        axis = rng.choice([-1.0, 1.0]) * normal if kind != "prismatic" else np.cross(normal, axis)
        axis /= np.linalg.norm(axis)
    axis2 = np.cross(axis, unit_vector(rng))
    axis2 /= np.linalg.norm(axis2)
    pitch = rng.choice([-1.0, 1.0]) * rng.uniform(0.1, 1.0)
    return OJoint(name, kind, first, second, at, axis, axis2, pitch)


def random_steps(rng, model, angle, distance):
    """Uniform random numbers for every rate: within +-angle for turning, +-distance for sliding."""
    steps = []
    for joint, q in zip(model.joints, drawn_coordinates(model)):
        motions = joint_motion(joint, q, np.zeros(FREEDOMS[joint.kind]))[2]
        scale = np.where(motions[3:].any(axis=0), angle, distance)
        steps.append(rng.uniform(-1.0, 1.0, scale.size) * scale)
    return steps


def _deck(rng, items):
    """Endless draw without favourites: shuffled rounds of the items."""
    while True:
        yield from (items[k] for k in rng.permutation(len(items)))


def random_tree(
    rng, n_bodies, kinds=KINDS, loads=True, chain=False, thin=1.0, gravity=True, swap=0.5, relative_free=True, normal=None, smooth=False
):
    """A random open tree with a random state: (OModel, coordinates, rates).

    kinds: joints to draw from, evenly; loads: about one load per body, of every kind; chain: no branches;
    thin: see random_body; swap: share of joints whose second body is the inner one;
    relative_free: free joints also between bodies, otherwise only to the ground (floating parts); normal: see random_joint;
    smooth: no loads whose laws have kinks.
    Nothing is fixed to the ground unless nothing else is allowed. Order of joints and of bodies is shuffled.
    Angles are within +-1 rad, displacements +-0.5 m, rates of order 1.
    """
    bodies, joints = [], []
    deck = _deck(rng, kinds)
    for k in range(n_bodies):
        inner = k - 1 if chain or k == 0 or rng.random() < 0.4 else int(rng.integers(-1, k))
        kind = next(deck)
        if kind == "free" and not chain and (not relative_free or rng.random() < 0.5):
            inner = GROUND
        unwanted = {"fixed"} if inner == GROUND else set() if relative_free else {"free"}
        for _ in range(50):
            kind = next(deck) if kind in unwanted else kind
        base = np.zeros(3) if inner == GROUND else bodies[inner].position
        position = base + rng.uniform(0.5, 1.2) * unit_vector(rng)
        bodies.append(random_body(rng, f"body{k}", position, thin))
        at = base + rng.uniform(0.0, 1.0) * (position - base) + rng.uniform(-0.3, 0.3, 3)
        ends = (k, inner) if rng.random() < swap else (inner, k)
        joints.append(random_joint(rng, f"joint{k}", kind, *ends, at, normal))
    order = rng.permutation(n_bodies)
    index = {GROUND: GROUND, **{int(old): new for new, old in enumerate(order)}}
    for joint in joints:
        joint.first, joint.second = index[joint.first], index[joint.second]
    fall = rng.normal(size=3) + [0.0, 0.0, -9.81] if gravity else np.zeros(3)
    model = OModel([bodies[k] for k in order], [joints[k] for k in rng.permutation(n_bodies)], [], fall)
    coordinates = moved(model, drawn_coordinates(model), random_steps(rng, model, 1.0, 0.5))
    rates = random_steps(rng, model, 1.5, 1.5)
    if loads:
        add_loads(rng, model, kinematics(model, coordinates, rates)[0], smooth)
    return model, coordinates, rates


def add_loads(rng, model, poses, smooth=False):
    """Append about one load per body to a model (at least three), evenly of every kind it has a joint for, or of the smooth ones."""
    deck = _deck(rng, [load for load in LOADS if load.SMOOTH or not smooth])
    for _ in range(max(3, len(model.bodies))):
        load = next(deck).draw(rng, model, poses)
        if load is not None:
            model.loads.append(load)


def random_loop(rng, n_bodies, n_loops=1, kinds=KINDS, closing=("spherical", "universal", "cylindrical"), loads=True, normal=None):
    """A random tree closed by further joints, in its drawing: (OModel, coordinates, rates).

    The coordinates are those of the drawing, where all joints fit; the rates are a random member of the consistent
    ones, and the last n_loops joints are the closing ones. ValueError after 50 trees that had no freedom left.
    """
    for _ in range(50):
        model = random_tree(rng, n_bodies, kinds, loads=False, normal=normal)[0]
        tree = OModel(model.bodies, list(model.joints), [], model.gravity)
        for k in range(n_loops):
            first, second = (int(b) for b in rng.choice(np.arange(-1, n_bodies), 2, replace=False))
            at, kind = random_place(rng, model, second), str(rng.choice(closing))
            model.joints.append(random_joint(rng, f"closing{k}", kind, first, second, at, normal))
        coordinates = drawn_coordinates(model)
        free = np.concatenate(random_steps(rng, tree, 1.5, 1.5))
        parts = np.cumsum([FREEDOMS[j.kind] for j in tree.joints])[:-1]

        def closing_twists(rates, model=model, tree=tree, coordinates=coordinates, parts=parts):
            motion = kinematics(tree, coordinates[:n_bodies], np.split(rates, parts))
            return [relative(model, j, *motion).twist for j in model.joints[n_bodies:]]

        motions = [joint_motion(j, q, np.ones(6))[2] for j, q in zip(model.joints, coordinates)][n_bodies:]
        allowed = [s @ np.linalg.pinv(s) for s in motions]
        columns = [
            np.concatenate([t - a @ t for a, t in zip(allowed, closing_twists(e))]) for e in np.eye(free.size)
        ]
        matrix = np.array(columns).T
        free -= np.linalg.pinv(matrix, rcond=1e-9) @ (matrix @ free)
        if np.linalg.norm(free) > 0.3:
            rates = np.split(free, parts)
            rates += [np.linalg.pinv(s) @ t for s, t in zip(motions, closing_twists(free))]
            if loads:
                add_loads(rng, model, kinematics(tree, coordinates, rates)[0])
            return model, coordinates, rates
    raise ValueError("found no loop that can move: ask for more bodies or freer joints")


def count_kinds(models):
    """How often each joint kind, kind of load and law of a ball spring occurs in OModels: a dict with zeros for what is missing."""
    models = list(models)
    counts = Counter(j.kind for m in models for j in m.joints)
    counts.update(type(load).__name__ for m in models for load in m.loads)
    springs = [(m.joints[x.joint].kind, x.law) for m in models for x in m.loads if isinstance(x, OTorsionSpring)]
    counts.update(law for kind, law in springs if kind == "spherical")
    return {name: counts[name] for name in (*KINDS, *(load.__name__ for load in LOADS), *LAWS)}
