"""Reduction: against full equations, an independent null space, and the example of hemami2002."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import null_space
from scipy.spatial.transform import Rotation

import bridge
import poinsot as po
import random_models
from oracle.description import OModel
from oracle.dynamics import accelerations
from oracle.kinematics import kinematics

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "hemami2002.json").read_text())["002_hemami"]["axis_example"]
G = 9.81


def law(t, x, params, out):
    """The feedback of the paper's Euler angles: torque -B' K Theta - L Omega in body axes, turned into the world."""
    w, a, b, c = x[0, 3], x[0, 4], x[0, 5], x[0, 6]
    A = np.array([[1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)],
                  [2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
                  [2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)]])  # fmt: skip
    th1, th2, th3 = np.arctan2(-A[1, 2], A[2, 2]), np.arcsin(A[0, 2]), np.arctan2(-A[0, 1], A[0, 0])
    c2, s2, c3, s3 = np.cos(th2), np.sin(th2), np.cos(th3), np.sin(th3)
    B = np.array([[c3 / c2, -s3 / c2, 0.0], [s3, c3, 0.0], [-s2 * c3 / c2, s2 * s3 / c2, 1.0]])
    omega = A.T @ np.array([x[0, 10], x[0, 11], x[0, 12]])
    out[0, 3:6] = A @ (-params[0] * (B.T @ np.array([th1, th2, th3])) - params[1] * omega)


def axis_example():
    given = REFERENCE["params"]
    s = po.System("axis", gravity=None)
    body = s.body("body", mass=1.0, inertia=given["J"])
    for k, direction in enumerate(given["C_cols"]):
        s.add(po.AxisConstraint(s.ground, body, direction, name=f"c{k}"))
    s.spherical(s.ground, body, at=(0, 0, 0), name="pin").set(rate=given["w0"] * np.array(given["tau"]))
    s.add(po.UserForce(law, [body], params=[given["K"], given["L"]]))
    return s


def test_the_example_of_the_paper():
    """One speed w about the axis; Theta(Xi) has a closed form, and Omega = A' tau w (hemami2002, eq. 20 corrected)."""
    tau = np.array(REFERENCE["params"]["tau"])
    reduced = po.reduce(axis_example(), basis=[0, 0, 0, *tau])
    assert reduced.freedoms == 1 and reduced.mass_matrix == pytest.approx(np.array([[REFERENCE["J_tau"]]]), abs=1e-14)
    assert reduced.speeds == pytest.approx([16.0], abs=1e-13)
    run = reduced.run(1.0, 0.05, rtol=1e-12, atol=1e-13)
    full = po.simulate(axis_example(), 1.0, formulation="newton-euler", rtol=1e-12, atol=1e-13, output_step=0.05, progress=False)
    metres, turns = run.difference(full)
    w = np.array([tau @ omega for omega in full["body"].angular_velocity])
    print(f"full and reduced: rotation {turns:.1e}, w {np.abs(run.speeds[:, 0] - w).max():.1e} rad/s")
    assert turns < 3e-12 and np.abs(run.speeds[:, 0] - w).max() < 5e-11
    for t, xi, speed in zip(REFERENCE["t_s"], REFERENCE["Xi"], REFERENCE["w"]):
        if t in (0.05, 0.1, 0.5, 1.0):
            k = round(t / 0.05)
            assert run.speeds[k, 0] == pytest.approx(speed, abs=1e-8)
            assert run.rotation("body")[k] == pytest.approx(Rotation.from_rotvec(xi * tau).as_matrix(), abs=1e-9)
    C = np.array(REFERENCE["params"]["C_cols"])
    assert reduced.constraint_forces[3:] @ tau == pytest.approx(0.0, abs=1e-11)
    assert C @ reduced.constraint_forces[3:] == pytest.approx(REFERENCE["Mc"][0], abs=1e-8)


def loop():
    """A four-bar of revolutes in space: three redundant rows."""
    s = po.System("four-bar", gravity=(0, 0, -G))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    base = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y", name="knee")
    s.revolute(rocker, s.ground, at=(2, 0, 0), axis="y")
    s.add(po.TorsionSpring(base, stiffness=5.0))
    base.set(rate=2.0)
    return s


def rolling():
    s = po.System("disc", gravity=(0, 0, -G))
    up = np.array([0.0, np.cos(1.2), np.sin(1.2)])
    axes = np.array([[1.0, 0.0, 0.0], up, np.cross([1.0, 0.0, 0.0], up)]).T
    body = s.body("disc", mass=2.0, inertia=(0.045, 0.045, 0.09), position=0.3 * up, rotation=axes)
    s.add(po.Rolling(s.ground, body, at=0.3 * up, radius=0.3, axis=axes[:, 2], name="rim"))
    spin = axes @ np.array([0.5, 1.5, -8.0])
    body.set(velocity=np.cross(spin, 0.3 * up), angular_velocity=spin)
    return s


def chain():
    s = po.System("chain", gravity=(0, 0, -G))
    parent = s.ground
    for k in range(3):
        link = s.body(f"link{k}", po.Box(0.1, 0.2, 1.0, mass=1.0 + k), position=(0, 0, -k - 0.5))
        s.spherical(parent, link, at=(0, 0, -k), name=f"joint{k}").set(rate=(0.3, -0.5 * k, 0.2))
        parent = link
    return s


def spun(t, x, params, out):
    out[0, 5], out[0, 6] = 1.0, 2.0 + np.sin(3.0 * t)


def asked():
    s = chain()
    s.add(po.VelocityRows(spun, [s["link2"]], name="rows"))
    s.initial.clear()
    s.given_values.clear()
    return s


@pytest.mark.parametrize("make, freedoms", [(loop, 1), (rolling, 3), (chain, 9)])
def test_full_and_reduced_equations_agree(make, freedoms):
    s = make()
    reduced = po.reduce(s)
    assert reduced.freedoms == freedoms == s.check().degrees_of_freedom
    assert np.abs(reduced.rows @ reduced.basis).max() < 1e-13
    N, rows = reduced.basis, reduced.rows
    assert np.linalg.norm(null_space(rows).T @ N) == pytest.approx(np.sqrt(freedoms), abs=1e-12)  # the same space
    assert reduced.mass_matrix @ reduced.acceleration == pytest.approx(reduced.force, abs=1e-10 * np.abs(reduced.force).max() + 1e-12)
    assert N.T @ reduced.constraint_forces == pytest.approx(np.zeros(freedoms), abs=1e-9)
    run = po.simulate(s, 0.01, step=0.005, formulation="newton-euler", integrator="rk4", progress=False)
    for k, body in enumerate(s.bodies):
        assert reduced.accelerations[6 * k + 3 : 6 * k + 6] == pytest.approx(run[body].angular_acceleration[0], abs=1e-9)
    assert 0.5 * reduced.speeds @ reduced.mass_matrix @ reduced.speeds == pytest.approx(run.kinetic[0], rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_random_loops_against_the_oracle(seed):
    """Accelerations and freedoms of random closed systems, from the null space of the oracle's own rows."""
    model, q, u = random_models.random_loop(np.random.default_rng(seed), 5, 1 + seed % 2)
    n = len(model.bodies)
    poses, twists = kinematics(OModel(model.bodies, model.joints[:n], [], model.gravity), q[:n], u[:n])
    wanted = accelerations(model, poses, twists, q, u)
    reduced = po.reduce(bridge.to_system(model, q, u))
    found = reduced.accelerations.reshape(n, 6)
    size = np.abs(wanted.com).max() + np.abs(wanted.angular).max()
    assert found[:, :3] == pytest.approx(wanted.com, abs=1e-9 * size) and found[:, 3:] == pytest.approx(wanted.angular, abs=1e-9 * size)
    assert reduced.basis @ reduced.speeds == pytest.approx(reduced.velocities, abs=1e-9)
    assert reduced.mass_matrix @ reduced.acceleration == pytest.approx(reduced.force, abs=1e-8 * np.abs(reduced.force).max())


@pytest.mark.parametrize("make", [loop, rolling, chain, asked])
def test_full_and_reduced_runs_agree(make):
    s = make()
    run = po.reduce(s).run(0.5, 0.1)
    full = po.simulate(s, 0.5, formulation="newton-euler", rtol=1e-11, atol=1e-12, output_step=0.1, progress=False)
    metres, turns = run.difference(full)
    print(f"{s.name}: {metres:.1e} m, {turns:.1e}")
    assert metres < 1e-9 and turns < 1e-9


def test_what_is_refused():
    with pytest.raises(po.ModelError, match="basis must be of shape \\(6, 1\\)"):
        po.reduce(axis_example(), basis=[1.0, 2.0])
    with pytest.raises(po.ModelError, match="velocities that the constraints allow"):
        po.reduce(axis_example(), basis=[0, 0, 0, 1, 0, 0])
    with pytest.raises(po.ModelError, match="multiple of output_step"):
        po.reduce(axis_example()).run(1.0, 0.3)
    s = chain()
    hinge = s.revolute(s["link2"], s.body("more", po.Sphere(0.1, mass=1.0), position=(0, 0, -4)), at=(0, 0, -3), axis="y", name="hinge")
    s.add(po.Motion(hinge.angle, po.Signal(lambda t: t), name="drive"))
    with pytest.raises(po.FormulationError, match="motion 'drive' prescribes accelerations"):
        po.reduce(s)
