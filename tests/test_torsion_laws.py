"""The two laws of a torsion spring on a ball: the Euler-angle law of saetran2018 against the oracle, an independent program, and itself."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import bridge
import oracle
import poinsot as po
import random_models
from fitting import for_open_systems
from systems import chain

STIFFNESS = (4000.0, 3000.0, 2000.0, 1000.0)
LAW = "euler-angles"


def sprung(angle=np.pi / 8, law=LAW, springs=STIFFNESS):
    """saetran2018: four links with torsion springs, all joints turned about x and y, at rest."""
    s = chain(4)
    for k, stiffness in enumerate(springs, 1):
        s[f"joint{k}"].set(rotation=[("x", angle), ("y", angle)])
        s.add(po.TorsionSpring(s[f"joint{k}"], stiffness=stiffness, law=law, name=f"spring{k}"))
    return s


def angles(run):
    """(phi, theta, psi) of all joints at all outputs, (3, joints, n), rad."""
    R = np.stack([run[f"joint{k}"].rotation for k in range(1, 5)])
    cosine = np.hypot(R[..., 2, 1], R[..., 2, 2])
    return np.stack([np.arctan2(R[..., 2, 1], R[..., 2, 2]), np.arctan2(-R[..., 2, 0], cosine), np.arctan2(R[..., 1, 0], R[..., 0, 0])])


@pytest.mark.parametrize("seed", range(12))
def test_every_formulation_against_the_oracle(seed):
    """Random trees on balls with an Euler-angle spring at every joint, drawn either way round."""
    rng = np.random.default_rng(seed)
    model, q, u = random_models.random_tree(rng, 1 + seed % 6, ("spherical",), loads=False)
    model.loads = [oracle.OTorsionSpring(k, rng.uniform(1.0, 20.0), law=LAW) for k in range(len(model.joints))]
    poses, twists = oracle.kinematics(model, q, u)
    solution = oracle.accelerations(model, poses, twists, q, u)
    expected = np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))
    for formulation in for_open_systems():
        error = np.abs(po.dynamics(bridge.to_system(model, q, u), formulation).acceleration() - expected).max()
        print(f"{formulation}, {len(q)} bodies: {error / np.abs(expected).max():.2g}")
        assert error < 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize("law", ["rotation-vector", LAW])
def test_effort_and_power_from_a_rest_position(law):
    """A body on a ball, against rotations of scipy: moment in the axes of the second body, potential and power."""
    s = po.System("ball", gravity=None)
    body = s.body("body", po.Sphere(0.1, mass=1.0))
    ball = s.spherical(s.ground, body, at=(0, 0, 0), name="ball")
    s.add(po.TorsionSpring(ball, stiffness=7.0, rest=("x", 0.3), law=law, name="spring"))
    turn, rate = Rotation.from_rotvec([0.5, -0.7, 0.9]), np.array([0.3, 0.2, -0.4])
    ball.set(rotation=turn.as_quat(scalar_first=True), rate=rate)
    run = po.simulate(s, 1e-3, step=1e-3)
    left = Rotation.from_rotvec([-0.3, 0, 0]) * turn
    measured = left.as_rotvec() if law != LAW else left.inv().apply(left.as_euler("ZYX")[::-1])
    assert run["spring"].effort[0] == pytest.approx(-7.0 * measured, rel=1e-13)
    assert run.potential[0] == pytest.approx(0.0 if law == LAW else 3.5 * measured @ measured, rel=1e-13)
    assert run["spring"].power[0] == pytest.approx(-7.0 * measured @ rate if law == LAW else 0.0, rel=1e-13)


# An independent program, whose two runs differ by 3e-11 m: start angle, time, tip of link 4, energy + k angles^2 / 2.
REFERENCE = [
    (np.pi / 8, 0.5, (-4.8036813942120755, 3.9462204702618147, -4.232886615771445), -2026.821037610927),
    (np.pi / 8, 1.0, (-0.6870881421145899, 0.40208002595424625, -7.792945188411118), -2045.7247520379874),
    (0.1, 5.0, (-0.5292232244431505, 0.5253325194108023, -7.953170395355689), -7409.576186090938),
]


@pytest.mark.parametrize("formulation", for_open_systems())
@pytest.mark.parametrize("angle, time, tip, energy", REFERENCE)
def test_four_links_against_another_program(formulation, angle, time, tip, energy):
    step = 0.001 if formulation == "directors" else 0.0025  # order 6 there, 8 elsewhere
    run = po.simulate(sprung(angle), time, step=step, formulation=formulation)
    assert run["link4"].point((0, 0, -1.0))[-1] == pytest.approx(tip, abs=5e-11)
    measured = angles(run)[..., -1]
    assert run.energy[-1] + 0.5 * np.array(STIFFNESS) @ (measured**2).sum(axis=0) == pytest.approx(energy, abs=2e-8)


@pytest.mark.parametrize("formulation", for_open_systems())
def test_energy_minus_work_is_constant(formulation):
    """The energy alone is not conserved: the law is non-conservative. A damped spring between points does work as well."""
    s = sprung()
    s.add(po.Spring(s.ground, s["link4"], at=((3, 0, -6), s["link4"].at((0, 0, -1.0))), stiffness=50.0, damping=20.0))
    run = po.simulate(s, 3.0, step=0.002, formulation=formulation)
    print(f"{formulation}: {run.audit.energy_drift / run.audit.energy_scale:.2g}, work {np.ptp(run.work):.3g} J")
    assert np.ptp(run.work) > 100.0 and not run.audit.conservative
    assert run.audit.energy_drift < 1e-12 * run.audit.energy_scale
    assert "energy - work" in str(run.audit)


def test_only_the_log_law_has_a_potential():
    """Half the stiffness times the squared angles is not a potential of the Euler-angle law: its change is not the work of the law."""
    run = po.simulate(sprung(law="rotation-vector"), 1.0, step=0.005)
    assert run.audit.conservative and np.ptp(run.work) == 0.0
    run = po.simulate(sprung(), 1.0, step=0.005)
    assert np.ptp(run.work + 0.5 * np.einsum("k,ikt->t", STIFFNESS, angles(run) ** 2)) > 10.0


def test_four_links_come_to_gimbal_lock():
    """Joint 4 gets within 2 degrees of it at t = 7.208 s, where phi passes half a turn; psi does, and again at 7.22 s.

    Until then the law is smooth and runs agree; at each passage its moment jumps.
    """
    run = po.simulate(sprung(), 7.25, rtol=1e-11, atol=1e-11, output_step=2e-4)
    phi, theta, psi = angles(run)
    jumps = [(run.t[k + 1], joint + 1) for a in (phi, psi) for joint, k in zip(*np.nonzero(np.abs(np.diff(a)) > np.pi))]
    print(sorted(jumps), np.degrees(np.abs(theta).max()))
    assert {joint for _, joint in jumps} == {4}
    assert sorted(t for t, _ in jumps) == pytest.approx([7.2078, 7.2087, 7.2200, 7.2214], abs=3e-4)
    nearest = np.abs(theta[3]).argmax()
    assert run.t[nearest] == pytest.approx(7.2078, abs=3e-4)
    assert np.degrees(np.abs(theta[3, nearest])) == pytest.approx(88.19, abs=0.01)
    fixed = po.simulate(sprung(), 7.2, step=0.001, output_step=0.2)
    assert fixed["link4"].position[-1] == pytest.approx(run["link4"].position[36000], abs=1e-6)


def test_stiff_springs_of_either_law_need_newton():
    """The matrix of the stages takes the Euler-angle law for the log law, and converges where fixed-point iteration does not."""

    def build():
        s = chain(2)
        for k in (1, 2):
            s[f"joint{k}"].set(rotation=[("x", 0.2), ("y", 0.1)])
            s.add(po.TorsionSpring(s[f"joint{k}"], stiffness=1e5, law=LAW))
        return s

    run = po.simulate(build(), 0.5, step=0.01, integrator="gauss3")
    print(run.audit)
    assert run.audit.newton_steps > 0 and run.audit.halvings == 0


def test_faults_name_the_spring_and_what_is_allowed():
    s = sprung(law="euler")
    with pytest.raises(po.ModelError, match="torsion spring 'spring1': law must be 'rotation-vector' or 'euler-angles', not 'euler'"):
        po.dynamics(s)
    assert len(s.check().faults) == 4
    s = po.System("hinge", gravity=None)
    s.revolute(s.ground, s.body("a", po.Sphere(0.1, mass=1.0)), at=(1, 0, 0), axis="z", name="pin")
    s.add(po.TorsionSpring(s["pin"], stiffness=1.0, law=LAW, name="coil"))
    assert s.check().faults == [
        "torsion spring 'coil': law 'euler-angles' applies to ball joints only, not to revolute 'pin'; leave the law out"
    ]


def test_stiffness_changes_between_runs_and_the_law_does_not():
    ready = po.prepare(sprung(), step=0.005)
    changed = ready.run(0.2, change={"spring4.stiffness": 100.0})
    assert np.array_equal(changed.raw, po.simulate(sprung(springs=(*STIFFNESS[:3], 100.0)), 0.2, step=0.005).raw)
    assert not np.array_equal(changed.raw, ready.run(0.2).raw)
    with pytest.raises(po.ModelError, match="torsion spring 'spring4' has no parameter 'law' to change; it has stiffness"):
        ready.run(0.2, change={"spring4.law": "rotation-vector"})
