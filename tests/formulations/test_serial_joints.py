"""Joints made of motions in series: coordinates, rates, accelerations and reactions in every formulation."""

import numpy as np
import pytest

import poinsot as po
from poinsot.model.joint import POINT, Helical
from poinsot.model.rotation import matrix
from serial_joints import (
    FAMILIES,
    ball_slides,
    chain,
    gimbal,
    gimbal_slides,
    gimbal_translation,
    join,
    placed,
    six,
    slide_turn_slide,
    turn,
    turn_slides,
)

SEEDS = range(3)


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
def test_directors_agree_with_the_tree_at_a_state(family, backwards):
    for seed in SEEDS:
        s, joint = chain(np.random.default_rng(seed), family, backwards=backwards)
        s.add(po.JointDamper(joint, 0.7))
        tree, directors = po.dynamics(s, "tree"), po.dynamics(s, "directors")
        q, v = directors.formulation.unpack(directors._raw(None)[1])
        assert np.abs(q - tree.start.coordinates).max() < 1e-12, seed
        assert np.abs(v - tree.start.rates).max() < 1e-11, seed
        wanted, found = tree.acceleration(), directors.acceleration()
        assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max(), seed
        effort = np.random.default_rng(seed).normal(size=len(wanted))
        wanted, found = tree.acceleration(effort=effort), directors.acceleration(effort=effort)
        assert np.abs(found - wanted).max() < 1e-9 * np.abs(wanted).max(), seed
        for name, wrench in tree.reactions().items():
            for wanted, found in zip(wrench, directors.reactions()[name]):
                assert np.abs(found - wanted).max() < 1e-8, (seed, name, wanted, found)


def loaded(seed, family):
    """A chain with a spring, a damper and a motor on coordinates of a joint in series."""
    rng = np.random.default_rng(seed)
    s, joint = chain(rng, family)
    scalars = [n for n, m in zip(joint.names, joint.motions()) if isinstance(m, Helical)]
    for name in scalars:
        s.add(po.JointSpring(joint.coordinate(name), stiffness=30.0, rest=0.1, name=f"spring_{name}"))
    if scalars:
        s.add(po.Motor(joint.coordinate(scalars[0]), lambda t: 2.0 * np.sin(5.0 * t), name="motor"))
    return s, joint


@pytest.mark.parametrize("family", [gimbal, slide_turn_slide, gimbal_translation, six], ids=lambda f: f.__name__)
def test_runs_agree_with_the_tree(family):
    """Springs and a motor on the coordinates: positions, coordinates, rates, efforts and reactions along a run."""
    s, joint = loaded(1, family)
    tree = po.simulate(s, 0.2, step=0.0025, formulation="tree", integrator="gauss4")
    run = po.simulate(s, 0.2, step=0.0025, formulation="directors", integrator="energy-momentum-6")
    assert np.abs(tree.coordinates - run.coordinates).max() < 1e-7
    assert np.abs(tree.rates - run.rates).max() < 1e-6
    assert np.abs(tree.loads - run.loads).max() < 1e-5 * np.abs(tree.loads).max()


@pytest.mark.parametrize("integrator", ["energy-momentum", "energy-momentum-4", "energy-momentum-6"])
@pytest.mark.parametrize("family", [gimbal, turn_slides, gimbal_slides], ids=lambda f: f.__name__)
def test_energy_of_springs_on_them_is_exact(family, integrator):
    s, joint = chain(np.random.default_rng(2), family)
    for name in joint.names:
        s.add(po.JointSpring(joint.coordinate(name), stiffness=30.0, rest=0.1))
    run = po.simulate(s, 2.0, step=0.01, formulation="directors", integrator=integrator)
    assert np.abs(run.energy - run.energy[0]).max() < 1e-11 * np.abs(run.energy).max()


def relative_pose(run, joint, k):
    """Place and rotation of a joint's second frame in its first at sample k."""
    frames = []
    for body, at in ((joint.first, joint.first_at), (joint.second, joint.second_at)):
        if body.name == "ground":
            frames.append((np.array(at), np.eye(3)))
            continue
        turned = run[body.name].rotation[k].reshape(3, 3) @ matrix(body.rotation).T
        frames.append((run[body.name].position[k] + turned @ (np.array(at) - body.position), turned))
    (a, A), (b, B) = frames
    return A.T @ (b - a), A.T @ B


def test_turns_of_a_gimbal_are_counted():
    s = po.System("rotor", gravity=None)
    rotor = s.body("rotor", po.Box(0.6, 0.6, 0.6, mass=2.0))
    joint = join(s, [turn((0, 0, 1)), turn((0, 1, 0)), turn((1, 0, 0))], POINT, s.ground, rotor, (0, 0, 0), "gimbal")
    joint.set(q1=0.3, q2=0.4, q3=0.5, rate=(9.0, 0.1, 0.2))
    tree = po.simulate(s, 3.0, step=0.005, formulation="tree", integrator="gauss4")
    run = po.simulate(s, 3.0, step=0.005, formulation="directors", integrator="energy-momentum-6")
    assert np.abs(run.coordinates[0] - (0.3, 0.4, 0.5)).max() < 1e-15
    assert np.ptp(tree.coordinates, axis=0).max() > 4 * np.pi
    assert np.abs(tree.coordinates - run.coordinates).max() < 1e-6


@pytest.mark.parametrize("integrator", ["energy-momentum", "energy-momentum-6"])
def test_motions_drive_coordinates_of_a_gimbal(integrator):
    s, joint = chain(np.random.default_rng(5), gimbal, links=1)
    start = np.array([s.initial[joint][name][0] for name in joint.names])
    s.initial.clear()
    s.given_values.clear()
    for k, name in enumerate(joint.names):
        signal = po.Signal(lambda t, a=start[k], b=0.3 * (k + 1): a + b * np.sin(3.0 * t))
        s.add(po.Motion(joint.coordinate(name), signal, name=f"drive{k}"))
    run = po.simulate(s, 1.0, step=0.005, formulation="directors", integrator=integrator)
    t = run.t[:, None]
    wanted = start + 0.3 * np.arange(1, 4) * np.sin(3.0 * t)
    assert np.abs(run.coordinates - wanted).max() < 1e-10
    rates = 0.9 * np.arange(1, 4) * np.cos(3.0 * t)
    assert np.abs(run.rates - rates).max() < 1e-9
    d = po.dynamics(undriven(s), "tree")
    for k in (40, 150):
        state = d.state(run.coordinates[k], run.rates[k])
        efforts = d.inverse(state, -2.7 * np.arange(1, 4) * np.sin(3.0 * run.t[k]))
        found = [run[f"drive{n}"].effort[k] for n in range(3)]
        assert np.abs(efforts - found).max() < 1e-6 * np.abs(efforts).max()


def undriven(system):
    other = system.copy()
    other.drives.clear()
    return other


def test_a_gear_couples_coordinates_of_a_gimbal():
    rng = np.random.default_rng(3)
    s, joint = chain(rng, gimbal, links=1)
    joint.set(q1=0.2, q2=0.3, q3=0.1, rate=(1.0, 0.5, 0.5))
    s.add(po.Gear(joint.coordinate("q1"), joint.coordinate("q3"), ratio=2.0, name="gear"))
    run = po.simulate(s, 2.0, step=0.005, formulation="directors", integrator="energy-momentum-4")
    q = run.coordinates
    assert np.abs(q[:, 0] - 2.0 * q[:, 2]).max() < 1e-12
    assert np.ptp(q[:, 0]) > 0.1
    assert np.abs(run.energy - run.energy[0]).max() < 1e-11 * np.abs(run.energy).max()


@pytest.mark.parametrize("family", [gimbal, turn_slides], ids=lambda f: f.__name__)
def test_in_a_loop(family):
    """Coordinates are those of the two frames, and energy is kept."""
    s, joint = chain(np.random.default_rng(4), family, links=3)
    s.initial.clear()
    s.given_values.clear()
    tip = s["b2"]
    s.add(po.Distance(s.ground, tip, at=((1.0, 1.0, 0.5), tip.world((0.1, 0.2, 0.3))), name="rod"))
    agrees_with_frames(s, joint)


def test_that_closes_a_loop():
    """A gimbal in place of a ball closes a loop: bodies move the same, and it has coordinates."""
    runs = []
    for closing in ("ball", "gimbal"):
        s = po.System(closing, gravity=(0, 4.0, -9.81))
        a = s.body("a", po.Box(0.1, 0.2, 1.0, mass=2.0), position=(0, 0, 0.5))
        b = s.body("b", po.Box(1.0, 0.2, 0.1, mass=1.0), position=(0.5, 0, 1.0))
        s.spherical(s.ground, a, at=(0, 0, 0), name="base")
        s.universal(a, b, at=(0, 0, 1), axis="x", axis2="y", name="elbow")
        if closing == "ball":
            s.spherical(b, s.ground, at=(1, 0, 1), name="last")
        else:
            joint = join(s, [turn((0, 0, 1)), turn((0, 1, 0.2)), turn((1, 0, 0))], POINT, b, s.ground, (1, 0, 1), "last")
        runs.append(po.simulate(s, 0.5, step=0.005, formulation="directors", integrator="energy-momentum-4"))
    assert np.abs(runs[0]["b"].position - runs[1]["b"].position).max() < 1e-10
    assert np.abs(runs[0]["last"].force - runs[1]["last"].force).max() < 1e-6
    agrees_with_frames(s, joint)


def agrees_with_frames(system, joint):
    run = po.simulate(system, 0.5, step=0.005, formulation="directors", integrator="energy-momentum-4")
    assert np.abs(run.energy - run.energy[0]).max() < 1e-10 * np.abs(run.energy).max()
    assert np.ptp(run.coordinates, axis=0).max() > 0.05
    for k in (0, 50, 100):
        p, R = relative_pose(run, joint, k)
        q, S = placed(joint.motions(), run.coordinates[k][-joint.freedoms :])
        assert np.abs(p - q).max() < 1e-9 and np.abs(R - S).max() < 1e-9


def locked(q2):
    s = po.System("lock", gravity=(0, 0, -9.81))
    body = s.body("body", po.Box(0.3, 0.4, 0.6, mass=2.0), position=(0.5, 0, 0))
    joint = join(s, [turn((0, 0, 1)), turn((0, 1, 0)), turn((0, 0, 1))], POINT, s.ground, body, (0, 0, 0), "gimbal")
    joint.set(q2=q2)
    return s, joint


def test_gimbal_lock_at_the_start_is_refused_in_words():
    with pytest.raises(po.ModelError, match="gimbal.*not independent at this position"):
        po.simulate(locked(0.0)[0], 0.1, step=0.01, formulation="directors")
    run = po.simulate(locked(0.5)[0], 0.1, step=0.01, formulation="directors")
    assert np.abs(run.coordinates[0] - (0.0, 0.5, 0.0)).max() < 1e-14


def test_where_coordinates_end_the_run_says_so():
    s, joint = chain(np.random.default_rng(4), slide_turn_slide, links=3)
    s.initial.clear()
    s.given_values.clear()
    tip = s["b2"]
    s.add(po.Distance(s.ground, tip, at=((1.0, 1.0, 0.5), tip.world((0.1, 0.2, 0.3))), name="rod"))
    with pytest.raises(po.ConvergenceError, match="motions of serial 'serial' are near a position where they are linearly dependent"):
        po.simulate(s, 0.5, step=0.005, formulation="directors", integrator="energy-momentum-4")


def test_what_directors_cannot_do_is_refused_before_the_run():
    s, joint = chain(np.random.default_rng(1), ball_slides)
    s.add(po.JointSpring(joint, stiffness=3.0, name="spring"))
    with pytest.raises(po.FormulationError, match="'spring' acts on a ball among other motions"):
        po.simulate(s, 0.1, step=0.01, formulation="directors")
    po.simulate(s, 0.1, step=0.01, formulation="tree")


def test_motions_that_cannot_be_are_named():
    s = po.System("wrong", gravity=None)
    body = s.body("body", po.Box(1, 1, 1, mass=1.0))
    join(s, [Helical((0, 0, 1), 0.0, 0.0)], (), s.ground, body, (0, 0, 0), "still")
    assert "motion 1 neither turns nor slides" in str(s.check(rank=False).faults)
    axis = turn((0, 0, 5.0)).axis
    assert axis == (0.0, 0.0, 1.0)
