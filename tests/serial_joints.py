"""Joints made of motions in series that the package does not have: gimbals, slides after turns, screws among slides and turns.

Every family gives motions and rows for a random choice of axes; rows leave as many freedoms as there are rates.
"""

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as po
from poinsot.model.joint import POINT, Ball, Dot, Helical, Joint, Slide, Translation, perpendicular


def unit(rng):
    v = rng.normal(size=3)
    return tuple(v / np.linalg.norm(v))


def turn(axis, lin=0.0, rot=1.0):
    return Helical(tuple(axis), rot, lin)


def slide(axis, lin=1.0):
    return Helical(tuple(axis), 0.0, lin)


def apart(rng, count, least=0.5):
    """Directions that are well independent."""
    while True:
        axes = np.array([unit(rng) for _ in range(count)])
        if np.linalg.svd(axes)[1][-1] > least:
            return axes


def _in_plane(axis, angle):
    u, v = perpendicular(tuple(axis))
    return np.cos(angle) * np.array(u) + np.sin(angle) * np.array(v)


def _planar_rows(n):
    u, v = perpendicular(n)
    return (Slide(n), Dot(u, n), Dot(v, n))


def _line_rows(n):
    u, v = perpendicular(n)
    return (Slide(u), Slide(v), Dot(u, n), Dot(v, n))


def gimbal(rng):
    return [turn(a) for a in apart(rng, 3)], POINT


def cardan(rng):
    return [turn(a) for a in np.eye(3)[rng.permutation(3)]], POINT


def slide_gimbal(rng):
    n = unit(rng)
    u, v = perpendicular(n)
    return [slide(n), *[turn(a) for a in apart(rng, 3)]], (Slide(u), Slide(v))


def plane_gimbal(rng):
    n = unit(rng)
    return [slide(_in_plane(n, 0.2)), slide(_in_plane(n, 1.2)), *[turn(a) for a in apart(rng, 3)]], (Slide(n),)


def translation_gimbal(rng):
    return [Translation(), *[turn(a) for a in apart(rng, 3)]], ()


def gimbal_translation(rng):
    return [*[turn(a) for a in apart(rng, 3)], Translation()], ()


def gimbal_slides(rng):
    return [*[turn(a) for a in apart(rng, 3)], *[slide(a, 0.7) for a in apart(rng, 3)]], ()


def ball_translation(rng):
    return [Ball(), Translation()], ()


def ball_slides(rng):
    return [slide(unit(rng), 2.0), Ball(), *[slide(a) for a in apart(rng, 2)]], ()


def turn_slide(rng):
    n = unit(rng)
    return [turn(n), slide(n)], _line_rows(n)


def screw_slide(rng):
    n = unit(rng)
    return [turn(n, 0.3), slide(n, -1.5)], _line_rows(n)


def turn_slides(rng):
    n = unit(rng)
    return [turn(n), slide(_in_plane(n, 0.1)), slide(_in_plane(n, 1.1))], _planar_rows(n)


def slide_turn_slide(rng):
    n = unit(rng)
    return [slide(_in_plane(n, 0.1)), turn(n), slide(_in_plane(n, 1.4))], _planar_rows(n)


def polar(rng):
    """Place by an angle and a distance: the turns cannot be told from the attitude alone."""
    n = unit(rng)
    u = _in_plane(n, 0.4)
    return [slide(u), turn(n), slide(_in_plane(n, 1.2), 0.5)], _planar_rows(n)


def skew_slides(rng):
    n = unit(rng)
    return [slide(_in_plane(n, 0.1), 0.5), slide(_in_plane(n, 0.9), 2.0), turn(n)], _planar_rows(n)


def three_slides(rng):
    x, y, z = np.eye(3)
    return [slide(a) for a in apart(rng, 3)], (Dot(tuple(x), tuple(y)), Dot(tuple(y), tuple(z)), Dot(tuple(z), tuple(x)))


def slides_universal(rng):
    n, (a, b) = unit(rng), apart(rng, 2)
    return [slide(_in_plane(n, 0.0)), slide(_in_plane(n, 0.8)), turn(a), turn(b)], (Slide(n), Dot(tuple(a), tuple(b), float(a @ b)))


def six(rng):
    """Six turns, screws and slides in any order, such that the drawing is no singular position."""
    while True:
        motions = []
        for _ in range(6):
            what = rng.integers(3)
            motions.append(slide(unit(rng)) if what == 0 else turn(unit(rng), 0.0 if what == 1 else rng.uniform(0.2, 1.0)))
        if np.linalg.svd(_columns(motions))[1][-1] > 0.15:
            return motions, ()


def _columns(motions):
    return np.array([np.r_[np.multiply(m.axis, m.lin), np.multiply(m.axis, m.rot)] for m in motions])


FAMILIES = (
    gimbal, cardan, slide_gimbal, plane_gimbal, translation_gimbal, gimbal_translation, gimbal_slides, ball_translation, ball_slides,
    turn_slide, screw_slide, turn_slides, slide_turn_slide, polar, skew_slides, three_slides, slides_universal, six,
)  # fmt: skip


def joint_class(motions, rows):
    """A class of joints with these motions and rows, as a user would write it."""

    members = {
        "kind": "serial",
        "names": tuple(f"q{k + 1}" for k in range(len(motions))),
        "motions": lambda self: tuple(motions),
        "rows": lambda self: tuple(rows),
    }
    return type("Serial", (Joint,), members)


def join(system, motions, rows, first, second, at, name):
    """Add such a joint to a system."""
    return system._joint(joint_class(motions, rows), first, second, at, name)


def placed(motions, q):
    """Place and rotation of the second frame in the first at scalar coordinates q."""
    p, R = np.zeros(3), np.eye(3)
    for motion, x in zip(motions, q):
        p = p + R @ np.multiply(motion.axis, motion.lin * x)
        R = R @ Rotation.from_rotvec(np.multiply(motion.axis, motion.rot * x)).as_matrix()
    return p, R


def random_values(rng, motions, size=0.4):
    """Coordinates and rates by name, and all rates at once."""
    values, rates = {}, []
    for k, motion in enumerate(motions):
        if isinstance(motion, Ball):
            values[f"q{k + 1}"] = rng.normal(size=3) * size
        else:
            x = rng.uniform(-size, size, motion.rates)
            values[f"q{k + 1}"] = x if motion.rates > 1 else float(x[0])
        rates += list(rng.uniform(-1.0, 1.0, motion.rates))
    return values, rates


def chain(rng, family, links=2, backwards=False):
    """An open chain with one joint of a family in it, moved and moving, with gravity."""
    s = po.System("serial", gravity=(0.3, -0.2, -9.81))
    parent, joints = s.ground, []
    for k in range(links):
        place = np.array([0.7 * (k + 1), 0.1, -0.2 * k])
        body = s.body(f"b{k}", po.Box(0.3, 0.4, 0.6, mass=1.0 + k), position=place, rotation=rng.normal(size=3), com=rng.uniform(-0.1, 0.1, 3))
        at = place - rng.uniform(0.2, 0.4, 3)
        if k == links - 1:
            motions, rows = family(rng)
            ends = (body, parent) if backwards else (parent, body)
            joint = join(s, motions, rows, *ends, at, "serial")
            values, rates = random_values(rng, motions)
            joint.set(**values, rate=rates)
        else:
            joint = s.revolute(parent, body, at=at, axis=unit(rng), name=f"r{k}")
            joint.set(angle=rng.uniform(-1, 1), rate=rng.uniform(-1, 1))
        joints.append(joint)
        parent = body
    return s, joints[-1]
