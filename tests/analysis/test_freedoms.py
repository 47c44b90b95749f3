"""Freedoms of drawings, computed without kernels: against the oracle, against check(), and by hand."""

import numpy as np
import pytest

import linkages
import poinsot as po
from bridge import to_system
from loops import four_bar, parallelogram, slider_crank
from mechanisms import cardan_shaft, geared_pair, screw_press, skater
from oracle import FREEDOMS, Twists, joint_motion, joint_position, joint_state, quaternion_matrix, relative
from poinsot.analysis.freedoms import freedoms
from poinsot.view.preview import moved
from random_models import drawn_coordinates, drawn_poses, random_loop, random_tree

CLOSED = 1e-11  # m/s, rad/s: what joints prevent at unit rates of freedoms


def models(count=3):
    """Random models of the oracle, open, closed once and closed twice."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        yield random_tree(rng, 7, loads=False)[0]
        yield random_loop(rng, 6, 1, loads=False)[0]
        yield random_loop(rng, 7, 2, closing=("revolute", "spherical", "universal", "prismatic", "planar"), loads=False)[0]


MODELS = list(models())


def prevented(model, twists):
    """Relative twists of all joints that the oracle's joints do not allow, for motions of the bodies (n, 6) of their centres of mass."""
    found = []
    poses = drawn_poses(model)
    for joint, q in zip(model.joints, drawn_coordinates(model)):
        s = joint_motion(joint, q, np.zeros(FREEDOMS[joint.kind]))[2]
        twist = relative(model, joint, poses, Twists(twists[:, :3], twists[:, 3:])).twist
        found.append(twist - s @ np.linalg.pinv(s) @ twist)
    return np.concatenate(found)


def at_coms(model, twists):
    """Twists (bodies + 1, 6) of origins as twists (bodies, 6) of centres of mass."""
    arms = np.array([b.rotation @ b.com for b in model.bodies])
    own = twists[1:].copy()
    own[:, :3] += np.cross(own[:, 3:], arms)
    return own


@pytest.mark.parametrize("model", MODELS, ids=range(len(MODELS)))
def test_freedoms_of_random_models_are_all_that_the_oracle_allows(model):
    found = freedoms(to_system(model))
    n = len(model.bodies)
    columns = [prevented(model, e.reshape(n, 6)) for e in np.eye(6 * n)]
    assert len(found.found) == 6 * n - np.linalg.matrix_rank(np.array(columns).T, tol=1e-9)
    twists = found.twists(len(found.found))
    for own in twists:
        assert np.abs(prevented(model, at_coms(model, own))).max() < CLOSED * np.abs(own).max()
    assert np.linalg.matrix_rank(twists.reshape(len(twists), -1), tol=1e-9) == len(twists)
    assert not found.notes


@pytest.mark.parametrize("model", MODELS, ids=range(len(MODELS)))
def test_rates_of_all_joints_are_those_of_the_oracle(model):
    """Those that close loops too, with the signs of their coordinates."""
    found = freedoms(to_system(model))
    for freedom, own in zip(found.found, found.twists(len(found.found))):
        twists = at_coms(model, own)
        _, expected = joint_state(model, drawn_poses(model), Twists(twists[:, :3], twists[:, 3:]))
        for joint, rates in zip(model.joints, expected):
            mine = np.zeros(len(rates))
            names = [(m.name, m.axis) for m, _ in found.moved(freedom, own) if m.joint.name == joint.name]
            values = [rate for m, rate in found.moved(freedom, own) if m.joint.name == joint.name]
            order = [(n, a) for n, motion in zip(*_named(found.system[joint.name])) for a in ("xyz" if motion.rates == 3 else ("",))]
            for key, value in zip(names, values):
                mine[order.index(key)] = value
            assert mine == pytest.approx(rates, abs=1e-8 * np.abs(own).max())
        assert found.moved(freedom, own)[0] == (freedom.lead, pytest.approx(1.0))


def _named(joint):
    return joint.names, joint.motions()


@pytest.mark.parametrize("model", MODELS[1::3] + MODELS[2::3], ids=range(len(MODELS) // 3 * 2))
def test_loops_open_at_second_order_along_a_freedom(model):
    found = freedoms(to_system(model))
    rest = np.array([[*b.position, *b.rotation] for b in (found.system.ground, *found.system.bodies)])

    def gaps(twists, eps):
        poses = moved(rest, eps * twists / np.abs(twists).max())[1:]
        own = type(drawn_poses(model))(poses[:, :3], np.array([quaternion_matrix(q) for q in poses[:, 3:]]))
        still, most = Twists(np.zeros((len(poses), 3)), np.zeros((len(poses), 3))), 0.0
        for joint in model.joints:
            rel = relative(model, joint, own, still)
            p, r = joint_motion(joint, joint_position(joint, rel.p, rel.r), np.zeros(FREEDOMS[joint.kind]))[:2]
            most = max(most, np.abs(p - rel.p).max(), np.abs(r - rel.r).max())
        return most

    for twists in found.twists(len(found.found)):
        for eps in (1e-3, 1e-4):
            assert gaps(twists, eps) < 20.0 * eps**2


def check_cases():
    """Systems by name: overconstrained linkages, gears, screws, blades, wheels, locks, distances."""
    for make in (linkages.equal_cranks, linkages.bennett, linkages.sarrus, linkages.spherical_loop):
        yield make.__name__, make(np.random.default_rng(1))
    for make in (four_bar, slider_crank, parallelogram, cardan_shaft, screw_press, geared_pair, skater, wheel, held, five_bar):
        yield make.__name__, make()
    yield "gap", four_bar(gap=0.2)


def wheel():
    """A disc that rolls on the plane, beside a ball that rolls on it."""
    s = po.System("wheel", gravity=(0, 0, -9.81))
    disc = s.body("disc", po.Disc(0.5, mass=1.0, axis="y"), position=(0, 0, 0.4), rotation=("x", np.arccos(0.8)))
    axis = tuple(disc.world((0, 1, 0)) - disc.world((0, 0, 0)))
    s.add(po.Rolling(s.ground, disc, at=(0, 0, 0.4), radius=0.5, axis=axis, name="rolling"))
    ball = s.body("ball", po.Sphere(0.2, mass=1.0), position=(2, 0, 0.2))
    s.add(po.Rolling(s.ground, ball, at=(2, 0, 0.2), radius=0.2, name="ball_rolling"))
    return s


def held():
    """A chain with a distance, a lock, an axis constraint and rows of a user's function."""
    s = po.System("held", gravity=None)
    a = s.body("a", po.Box(1, 0.2, 0.2, mass=1.0), position=(0.5, 0, 0))
    b = s.body("b", po.Box(1, 0.2, 0.2, mass=1.0), position=(1.5, 0.2, 0))
    c = s.body("c", po.Box(1, 0.2, 0.2, mass=1.0), position=(2.5, 0, 0.4), com=(0.1, 0.2, 0.3))
    s.spherical(s.ground, a, at=(0, 0, 0), name="hip")
    s.universal(a, b, at=(1, 0, 0), axis="y", axis2="z", name="knee")
    s.cylindrical(b, c, at=(2, 0, 0), axis=(1, 0, 1), name="foot")
    s.add(po.Distance(s.ground, c, at=((1, 2, 3), (2.5, 0, 0.4)), name="rod"))
    s.add(po.Lock(s["foot"].displacement, name="lock"))
    s.add(po.AxisConstraint(a, c, axis=(0, 1, 2), name="still"))
    s.add(po.VelocityRows(user_row, bodies=[a, c], name="rows"))
    return s


def user_row(t, x, params, out):
    """Velocity of the centre of mass of the first along z, and half the spin of the second about x."""
    out[0, 2] = 1.0
    out[0, 9] = 0.5


def five_bar():
    """A planar loop of four links: two freedoms in the plane."""
    s = po.System("five-bar", plane="xy", gravity=None)
    places = [(0, 0), (-0.5, 1), (0.5, 1.8), (1.5, 1), (1, 0)]
    parent = s.ground
    for k, (p, q) in enumerate(zip(places[:-1], places[1:])):
        link = s.body(f"link{k}", po.Rod(0.01, mass=1.0), between=(p, q))
        s.revolute(parent, link, at=p, name=f"pin{k}")
        parent = link
    s.revolute(parent, s.ground, at=places[-1], name="last")
    s.body("loose", mass=1.0, inertia=0.1, position=(3, 0))
    return s


@pytest.mark.parametrize("name, system", list(check_cases()), ids=lambda x: x if isinstance(x, str) else "")
def test_as_many_freedoms_as_check_finds_with_kernels(name, system):
    found = freedoms(system)
    assert len(found.found) == system.check().degrees_of_freedom
    assert not found.notes


def test_rates_of_a_four_bar_by_hand():
    """Crank and rocker are perpendicular to the velocities of their ends, which are both along x: the coupler does not turn."""
    found = freedoms(four_bar())
    (freedom,) = found.found
    (twists,) = found.twists(1)
    rates = {movement.joint.name: rate for movement, rate in found.moved(freedom, twists)}
    assert freedom.lead.joint.name == "base" and freedom.lead.words() == "base turns"
    assert rates == pytest.approx({"base": 1.0, "elbow": -1.0, "knee": 1 / 1.5, "foot": -1 / 1.5})
    assert twists[2] == pytest.approx([1.0, 0, 0, 0, 0, 0])  # the coupler
    assert twists[3] == pytest.approx([0.5, 0, 0, 0, 1 / 1.5, 0])


def velocity(system, twists, name, point):
    """Velocity of the point of a body that is at a world point."""
    k = system.bodies.index(system[name]) + 1
    return twists[k, :3] + np.cross(twists[k, 3:], np.subtract(point, system[name].position))


def test_wheels_and_balls_roll():
    s = wheel()
    found = freedoms(s)
    assert len(found.found) == 3 + 3
    for twists in found.twists(6):
        assert np.abs(velocity(s, twists, "ball", (2, 0, 0))).max() < 1e-12
        assert np.abs(velocity(s, twists, "disc", (0, 0.3, 0.0))).max() < 1e-12  # its lowest point: 0.5 m down the disc


def test_rows_of_further_constraints_hold():
    s = held()
    found = freedoms(s)
    for own in found.twists(len(found.found)):
        assert abs(velocity(s, own, "c", (2.5, 0, 0.4)) @ np.subtract((2.5, 0, 0.4), (1, 2, 3))) < 1e-12 * np.abs(own).max()
        assert abs((own[3, 3:] - own[1, 3:]) @ (0, 1, 2)) < 1e-12 * np.abs(own).max()
        assert abs(velocity(s, own, "a", (0.5, 0, 0))[2] + 0.5 * own[3, 3]) < 1e-12 * np.abs(own).max()
    g = geared_pair()
    gear = next(c for c in g.constraints if isinstance(c, po.Gear))
    result = freedoms(g)
    for k, freedom in enumerate(result.found):
        pairs = {(m.joint.name, m.name): rate for m, rate in result.moved(freedom, result.twists(k + 1)[k])}
        one, other = (pairs.get((c.owner.name, c.name), 0.0) for c in (gear.first, gear.second))
        assert one == pytest.approx(gear.ratio * other)


def test_motors_lead_and_planar_systems_move_in_their_plane():
    s = five_bar()
    s.add(po.Motor(s["last"], 1.0, name="motor"))
    s.add(po.Motor(s["pin1"], 1.0, name="other"))
    found = freedoms(s)
    assert [f.lead.joint.name for f in found.found] == ["pin0", "pin1", "free:loose", "free:loose", "free:loose"]
    twists = found.twists(5)
    assert not twists[:, :, 2:5].any()  # no velocity along z, no rotation about x and y


def test_nothing_out_of_the_plane_counts():
    """Joints that leave the plane are faults of a planar system; its drawing is shown with what stays in it."""
    s = po.System("flat", plane="zx", gravity=None)
    a = s.body("a", po.Rod(0.01, mass=1.0), between=((0, 0), (1, 0)))
    s.spherical(s.ground, a, at=(0, 0), name="ball")
    b = s.body("b", po.Rod(0.01, mass=1.0), between=((1, 0), (2, 0)))
    s.free(a, b, name="loose")
    found = freedoms(s)
    words = [freedom.lead.words() for freedom in found.found]
    assert words == ["ball turns about y", "loose moves along x", "loose moves along z", "loose turns about y"]


def test_what_cannot_be_considered_is_said():
    s = four_bar()

    def broken(t, x, params, out):
        raise KeyError("nothing")

    def endless(t, x, params, out):
        out[:] = np.nan

    s.add(po.VelocityRows(broken, bodies=[s["crank"]], name="broken"))
    s.add(po.VelocityRows(endless, bodies=[s["crank"]], name="endless"))
    s.add(po.Distance(s["crank"], s["rocker"], at=((0, 0, 0.5), (2, 0, 0.5)), active=False, name="later"))
    s.add(po.Distance(s["crank"], s["rocker"], at=((1, 0, 0.5), (1, 0, 0.5)), length=1.0, name="point"))
    found = freedoms(s)
    assert len(found.found) == 1
    words = "\n".join(found.notes)
    assert "'broken': is not considered; its function failed at the drawing: KeyError" in words
    assert "'endless': is not considered; its function gave numbers that are not finite" in words
    assert "'later': does not act at the start" in words and "'point': is not considered; its two points coincide" in words


def test_nearly_dependent_rows_are_doubted():
    s = po.System("nearly", gravity=None)
    a = s.body("a", po.Box(1, 1, 1, mass=1.0), position=(0.5, 0, 0))
    s.revolute(s.ground, a, at=(0, 0, 0), axis="z")
    s.revolute(s.ground, a, at=(0, 0, 1), axis=(0, 1e-7, 1), name="tilted")
    found = freedoms(s)
    assert len(found.found) == s.check().degrees_of_freedom == 0 and any("nearly dependent" in note for note in found.notes)
    exact = po.System("exact", gravity=None)
    a = exact.body("a", po.Box(1, 1, 1, mass=1.0), position=(0.5, 0, 0))
    exact.revolute(exact.ground, a, at=(0, 0, 0), axis="z")
    exact.revolute(exact.ground, a, at=(0, 0, 1), axis=(0, 1e-11, 1), name="tilted")
    found = freedoms(exact)
    assert len(found.found) == exact.check().degrees_of_freedom == 1 and not found.notes
