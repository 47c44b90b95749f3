"""Control laws: against closed forms, the oracle of linear equations, and from random starts."""

import numpy as np
import pytest

import poinsot as po
from poinsot.results.quantities import names, quantity


def arm(kinds="rrp", flip=False, gravity=(0.3, -0.4, -9.81)):
    """A spatial arm of revolutes and prismatics with skew axes and offset centres of mass; `flip` swaps the bodies of some joints."""
    s, parent = po.System("arm", gravity=gravity), None
    rng = np.random.default_rng(5)
    joints = []
    for k, kind in enumerate(kinds):
        body = s.body(
            f"b{k}", mass=1.0 + 0.3 * k, inertia=(0.05 + 0.01 * k, 0.04, 0.06), com=0.1 * rng.normal(size=3), position=(0.4 * k + 0.2, 0.1 * k, 0)
        )
        pair = (parent or s.ground, body)
        pair = pair[::-1] if flip and k % 2 else pair
        make = s.revolute if kind == "r" else s.prismatic
        more = {"at": (0.4 * k, 0.1 * k, 0)} if kind == "r" else {}
        joints.append(make(*pair, axis=rng.normal(size=3), name=f"j{k}", **more))
        parent = body
    return s, joints


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("kinds", ["r", "rr", "rrp", "prr"])
def test_gravity_is_compensated_exactly(kinds, flip):
    s, joints = arm(kinds, flip)
    po.control.pd(joints, 30.0, 5.0, name="hold")
    run = po.simulate(s, 1.0, step=0.01)
    assert max(np.abs(run[j].rate).max() for j in joints) < 1e-12


LONG = pytest.param("rrrr", True, marks=pytest.mark.long)


@pytest.mark.parametrize("kinds, flip", [("r", True), ("rr", False), ("rrp", True), ("prr", False), LONG])
def test_errors_under_computed_torque_obey_linear_equations(kinds, flip):
    s, joints = arm(kinds, flip)
    n = len(joints)
    target = po.Signal(lambda t: [0.3 * np.sin((1.0 + k) * t) for k in range(n)])
    for k, joint in enumerate(joints):
        joint.set(**{joint.names[0]: 0.2 - 0.1 * k, "rate": 0.3 * k})
    po.control.computed_torque(joints, 4.0, 4.0, target=target)
    run = po.simulate(s, 2.0, step=0.005)
    for k, joint in enumerate(joints):
        wanted = np.array([target.at(t)[:, k] for t in run.t])
        error = getattr(run[joint], joint.names[0]) - wanted[:, 0]
        slope = 0.3 * k - wanted[0, 1]
        expected = np.exp(-2.0 * run.t) * (error[0] + (slope + 2.0 * error[0]) * run.t)
        assert np.abs(error - expected).max() < 2e-8, joint.name


@pytest.mark.parametrize("law, flip", [("pd", False), ("computed_torque", True)])
def test_lyapunov_functions_of_joint_laws_fall_at_their_rate(law, flip):
    s, joints = arm("rrp", flip)
    for k, joint in enumerate(joints):
        joint.set(**{joint.names[0]: 0.2 - 0.1 * k, "rate": 0.3 * k})
    gains = [[30.0, 4.0, 0.0], [4.0, 20.0, 1.0], [0.0, 1.0, 25.0]], [[6.0, 1.0, 0.0], [-1.0, 5.0, 0.5], [0.0, 0.5, 4.0]]
    moving = po.Signal(lambda t: [0.3 * np.sin(t), 0.2 * np.cos(2 * t), 0.1 * t])
    getattr(po.control, law)(joints, *gains, target=[0.3, -0.2, 0.1] if law == "pd" else moving, name="law")
    h = 0.0005 if law == "pd" else 0.001  # a signal in Python takes its time
    run = po.simulate(s, 2.0, step=h)
    assert "V of law fell monotonically" in str(run.audit)
    V, rate = run["law"].lyapunov, run["law"].lyapunov_rate
    gained = np.cumsum(h / 3 * (rate[:-2:2] + 4 * rate[1::2] + rate[2::2]))  # Simpson's rule
    assert V[-1] < 0.2 * V[0] and np.abs(V[2::2] - V[0] - gained).max() < 1e-9 * V[0]
    assert np.array_equal(quantity(run, "law.lyapunov").values, V) and "law.lyapunov_rate" in names(run)


@pytest.mark.parametrize(("joints", "kp", "more"), [(2, 1.0, {}), (3, 1.0, {"gravity": False}), (3, [[2, 1.0, 0], [-1, 2, 0], [0, 0, 1]], {})])
def test_laws_without_a_lyapunov_function_claim_none(joints, kp, more):
    s, all_joints = arm("rrr")
    feedback = po.control.pd(all_joints[:joints], kp, 1.0, **more)
    assert feedback.lyapunov is None and feedback.lyapunov_rate is None
    assert "pd.lyapunov" not in names(po.simulate(s, 0.02, step=0.01))


def test_pid_removes_a_constant_disturbance():
    s, joints = arm("rr")
    s.add(po.Force(s["b1"], (3.0, 1.0, -2.0), name="weight"))
    po.control.pid(joints, 40.0, 60.0, 12.0, target=[0.4, -0.3], name="pid")
    run = po.simulate(s, 20.0, step=0.01, output_step=0.1)
    assert abs(run["j0"].angle[-1] - 0.4) < 1e-6 and abs(run["j1"].angle[-1] + 0.3) < 1e-6
    loose = po.prepare(s, step=0.01, formulation="directors").run(2.0)
    assert np.abs(loose["pid"].states[-1] - run["pid"].states[20]).max() < 1e-6
    assert np.array_equal(quantity(run, "pid.states").values, run["pid"].states)


@pytest.mark.parametrize("seed", range(10))
def test_attitudes_settle_with_a_falling_lyapunov_function(seed):
    """Ten times ten random attitudes and spins."""
    rng = np.random.default_rng(seed)
    s = po.System("bodies", gravity=None)
    laws = []
    for k in range(10):
        body = s.body(f"b{k}", mass=1.0, inertia=(0.5, 0.4, 0.3), position=(3.0 * k, 0, 0))
        q = rng.normal(size=4)
        body.set(rotation=q / np.linalg.norm(q), angular_velocity_body=rng.normal(scale=3.0, size=3))
        laws.append(po.control.attitude(body, 20.0, 2.0, (1.0, 1.2, 1.4)))
    run = po.simulate(s, 12.0, step=0.005, output_step=0.02, integrator="gauss3")
    for law in laws:
        V = run[law].lyapunov
        assert np.diff(V).max() <= 1e-13 * V[0], law.name
        assert V[-1] < 1e-6 * V[0]
        rate = run[law].lyapunov_rate
        assert np.abs(np.diff(V[::2]) / 0.04 - rate[1::2]).max() < 0.05 * np.abs(rate).max()
    assert str(run.audit).count("fell monotonically") == 10


def test_the_attitude_law_goes_to_its_target():
    s = po.System("body", gravity=None)
    body = s.body("b", mass=1.0, inertia=(0.5, 0.4, 0.3))
    body.set(angular_velocity=(1.0, 2.0, 3.0))
    po.control.attitude(body, 10.0, 3.0, target=("y", 2.0))
    run = po.simulate(s, 20.0, rtol=1e-9, atol=1e-9)
    c, d = np.cos(2.0), np.sin(2.0)
    assert np.abs(run["b"].rotation[-1] - [[c, 0, d], [0, 1, 0], [-d, 0, c]]).max() < 1e-6


def axis_example():
    s = po.System("axis", gravity=None)
    body = s.body("b", mass=1.0, inertia=(0.5, 0.4, 0.3))
    for name, axis in (("c1", (3, -6, 2)), ("c2", (6, 2, -3))):
        s.add(po.AxisConstraint(s.ground, body, axis, name=name))
    s.spherical(s.ground, body, at=(0, 0, 0), name="pin").set(rate=16 * np.array([2, 3, 6]) / 7)
    return s, po.control.euler_attitude(body, 20.0, 2.0, name="law")


@pytest.mark.parametrize("formulation", ["newton-euler", "newton-euler:euler", "rotation-matrix", "directors"])
def test_the_law_of_hemami(formulation):
    """hemami2002 (17) on a body with two axis constraints: the Lyapunov function of the note."""
    s, law = axis_example()
    options = {"step": 0.001} if formulation == "directors" else {"rtol": 1e-12, "atol": 1e-12, "output_step": 0.1}
    run = po.simulate(s, 1.0, formulation=formulation, **options)
    every = 100 if formulation == "directors" else 1
    V = run[law].lyapunov[::every]
    assert V[0] == pytest.approx(42.84081632653061, rel=1e-14)
    assert V[1] == pytest.approx(17.253204421916877, rel=1e-9)
    assert V[10] == pytest.approx(0.08551188793059378, rel=1e-8)
    assert np.diff(run[law].lyapunov).max() < 0
    assert run[law].lyapunov_rate[0] == pytest.approx(-512.0, rel=1e-13)


def test_the_singular_law_fails_in_words():
    s = po.System("body", gravity=None)
    body = s.body("b", mass=1.0, inertia=(0.5, 0.4, 0.3))
    body.set(rotation=("y", np.pi / 2))
    po.control.euler_attitude(body, 20.0, 2.0)
    with pytest.raises(ValueError, match="singular where theta2 is 90 degrees"):
        po.simulate(s, 1.0, step=0.01)


@pytest.mark.parametrize("limits", [None, 0.8])
def test_swing_up(limits):
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    bar = s.body("bar", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0.3, 0, -0.9)))
    j = s.revolute(s.ground, bar, at=(0, 0, 0), axis="y", name="j")
    j.set(rate=0.05)
    law = po.control.swing_up(j, 0.3, limits=limits)
    run = po.simulate(s, 30.0, step=0.005)
    V = run[law].lyapunov
    assert np.diff(V).max() < 1e-12 * V[0] and V[-1] < 1e-6 * V[0]
    top = np.linalg.norm([0.15, 0.45]) * 9.81
    assert run.energy[-1] == pytest.approx(top, abs=1e-2)
    rate = run[law].lyapunov_rate
    assert limits or np.abs(np.gradient(V, run.t) - rate)[1:-1].max() < 0.01 * np.abs(rate).max()


def cart_pole(angle=0.1):
    s = po.System("cart-pole", gravity=(0, 0, -9.81))
    cart = s.body("cart", po.Box(0.4, 0.2, 0.1, mass=1.0))
    pole = s.body("pole", po.Rod(radius=0.02, mass=0.2), between=((0, 0, 0), (0, 0, 1.0)))
    rail = s.prismatic(s.ground, cart, axis="x", name="rail")
    pin = s.revolute(cart, pole, at=(0, 0, 0), axis="y", name="pin")
    pin.set(angle=angle)
    return s, s.add(po.Motor(rail, name="push"))


def test_linearisation_of_the_cart_pole():
    """Against the textbook equations with m = 0.2, M = 1, half length 0.5, J = m L^2 / 12 (1 + 3 r^2 / L^2)."""
    s, push = cart_pole(0.0)
    linear = po.control.linearise(s, [push])
    J = s["pole"].inertia_matrix()[1, 1]
    m, M, a, g = 0.2, 1.0, 0.5, 9.81
    mass = np.array([[M + m, m * a], [m * a, J + m * a * a]])
    lower = np.linalg.solve(mass, [[0, 0], [0, m * g * a]])
    assert np.allclose(linear.A[2:, :2], lower, atol=1e-9) and np.allclose(linear.A[2:, 2:], 0, atol=1e-9)
    assert np.allclose(linear.B[2:], np.linalg.solve(mass, [[1.0], [0.0]]), atol=1e-12)
    assert linear.names == ["rail.displacement", "pin.angle"]


@pytest.mark.parametrize("period", [None, 0.02])
@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_lqr_holds_the_pole(formulation, period):
    s, push = cart_pole(0.3)
    law = po.control.lqr(s, [push], Q=(1.0, 10.0, 1.0, 1.0), R=0.1, state={"pin": 0.0}, period=period)
    run = po.simulate(s, 10.0, step=0.01, formulation=formulation)
    assert abs(run["pin"].angle[-1]) < 1e-4 and abs(run["rail"].displacement[-1]) < 1e-2
    if period is None:
        small = po.prepare(s, step=0.01).run(10.0, change={"pin.angle": 0.01})
        assert "fell monotonically" in str(small.audit)
        K, P = np.array(law.params["K"]), np.array(law.params["P"])
        plain, motor = cart_pole(0.0)
        again = po.control.linearise(plain, [motor])
        Q = np.diag([1.0, 10.0, 1.0, 1.0])
        assert np.abs(again.A.T @ P + P @ again.A - P @ again.B @ again.B.T @ P / 0.1 + Q).max() < 1e-6 * np.abs(P).max()
        assert np.linalg.eigvals(again.A - again.B @ K).real.max() < -0.5


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda s, j: po.control.pd(j, -1.0, 1.0), "positive definite; its eigenvalues are -1, -1"),
        (lambda s, j: po.control.pd(j, [1.0, 2.0, 3.0], 1.0), "must be a number, 2 numbers or a 2 x 2 matrix"),
        (lambda s, j: po.control.pd(j, 1.0, 1.0, target=[1.0, 2.0, 3.0]), "target must be 2 numbers"),
        (lambda s, j: po.control.pd([], 1.0, 1.0), "give at least one joint"),
        (lambda s, j: po.control.computed_torque(j[:1], 1.0, 1.0), "j1 can move and is not controlled"),
        (lambda s, j: po.control.attitude(s["b0"], 0.0, 1.0), "k_R must be a positive number"),
        (lambda s, j: po.control.attitude(s["b0"], 1.0, 1.0, [[1, 2, 0], [2, 1, 0], [0, 0, 1]]), "P must be positive definite"),
        (lambda s, j: po.control.euler_attitude(s["b0"], 1.0, 1.0, [[1, 1, 0], [0, 1, 0], [0, 0, 1]]), "K R_a must be symmetric"),
        (lambda s, j: po.control.swing_up(j[0], 1.0), "carries others"),
        (lambda s, j: po.control.lqr(s, [s.add(po.Motor(j[0], name="m"))], 1.0, 1.0), "not an equilibrium"),
        (lambda s, j: po.control.pid(j, 1.0, 1.0, 1.0, period=0.1), "integrals of this law are continuous"),
    ],
)
def test_errors(call, words):
    s, joints = arm("rr")
    with pytest.raises(po.ModelError, match=words):
        call(s, joints)
