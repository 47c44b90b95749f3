"""Feedback of the whole state: every formulation, every reading, samples, controller states, limits, targets."""

import numpy as np
import pytest

import poinsot as po
from fed_arms import RUNS, arm, fed, integral, sampled, with_integrals


@pytest.mark.parametrize("formulation, integrator", RUNS)
def test_a_law_on_joints_is_the_same_as_laws_of_the_motors(formulation, integrator):
    run = po.simulate(fed(), 0.5, step=0.005, formulation=formulation, integrator=integrator)
    same = po.simulate(arm(law=lambda t, q, w: -20.0 * q - 2.0 * w)[0], 0.5, step=0.005, formulation=formulation, integrator=integrator)
    assert np.array_equal(run["b"].position, same["b"].position)
    assert np.array_equal(run["pd"].effort[:, 0], same["m1"].effort)
    assert np.array_equal(run["m2"].power, same["m2"].power) and not run["pd"].power.any()
    if formulation == "directors":
        assert run.audit.energy_drift < 1e-12


def mixed():
    """Joints of every kind, so that every reading occurs; torques and forces without a vector as inputs."""
    s = po.System("mixed", gravity=(0, 0, -9.81))
    a = s.body("a", po.Box(0.2, 0.3, 0.5, mass=2.0), position=(0.1, 0.2, 0.3), rotation=("x", 0.4), com=(0.02, 0.01, -0.03))
    b = s.body("b", po.Box(0.3, 0.1, 0.2, mass=1.0), position=(0.9, 0.2, 0.3), rotation=("z", 0.3))
    c = s.body("c", po.Box(0.2, 0.2, 0.2, mass=1.5), position=(2.0, 0.0, 0.0))
    d = s.body("d", po.Box(0.1, 0.2, 0.3, mass=0.5), position=(0.2, 1.0, 0.3))
    s.spherical(s.ground, a, at=(0, 0, 0.1), name="ball")
    s.free(a, d, name="loose").set(position=(0.1, 0.2, -0.1), rotation=("x", 0.5), rate=(0.3, -0.2, 0.1, 0.5, 0.6, -0.4))
    s.cylindrical(a, b, at=(0.5, 0.2, 0.3), axis=(1, 0.2, 0.1), name="cylinder")
    s["ball"].set(rotation=("y", 0.3), rate=(0.4, -0.2, 0.9))
    s["cylinder"].set(angle=0.2, displacement=0.05, angle_rate=1.5, displacement_rate=-0.3)
    c.set(velocity=(0.1, 0.2, 0.3), angular_velocity=(1.0, -0.5, 0.7))
    return s


OUTPUTS = [
    "a.position", "a.com", "b.velocity", "a.com_velocity", "a.rotation", "b.quaternion", "a.angular_velocity",
    "b.angular_velocity_body", "ball.rotation", "ball.quaternion", "ball.rate",
    "cylinder.angle", "cylinder.angle_rate", "cylinder.rate", "c.position", "c.rotation",
    "loose.position", "loose.velocity", "loose.rotation", "loose.angular_velocity_body", "loose.quaternion",
]  # fmt: skip


@pytest.mark.parametrize("formulation", ["tree", "directors", "newton-euler", "rotation-matrix"])
def test_a_law_sees_what_results_say(formulation):
    """Numbers that kernels gather at samples, against results computed from the trajectory by NumPy."""
    s = mixed()
    inputs = [s.add(po.Torque(s["a"], name="torque")), s.add(po.Force(s["b"], frame="body", name="force"))]
    tip, cylinder = s["b"].at((0.1, 0.2, -0.1)), s["cylinder"]

    def law(t, x, p, u):
        for k in range(3):
            u[k] = 0.1 * x[k] + p[0]
            u[3 + k] = x[6 + k]

    outputs = [*OUTPUTS, tip, tip.x, tip.z.rate, cylinder.displacement, cylinder.displacement.rate, s["c"].x]
    target = po.signals.step(0.0, 1.0, to=(1.0, 2.0))
    s.add(po.Feedback(law, inputs, outputs, [0.5], period=0.05, target=target, name="seen"))
    run = po.simulate(s, 0.2, step=0.01, output_step=0.05, formulation=formulation)
    from poinsot.results.feedback_view import seen_values

    view = run["seen"]
    expected = seen_values(run, run.system["seen"])
    assert view.values.shape == expected.shape == (5, len(view.names))
    assert np.abs(view.values - expected).max() < 1e-13 * np.abs(expected).max()
    assert np.allclose(view.effort[:, :3], 0.1 * view.values[:, :3] + 0.5, atol=1e-13)
    assert np.allclose(view.effort[:, 3:], view.values[:, 6:9], atol=1e-13)


def test_planar_readings_and_inputs():
    s = po.System("flat", plane="xz", gravity=(0, -9.81))
    a = s.body("a", mass=1.0, inertia=0.2, position=(0.3, 0.0))
    force, torque = s.add(po.Force(a, name="f")), s.add(po.Torque(a, name="n"))
    a.set(velocity=(1.0, 2.0), angular_velocity=0.7)

    def law(t, x, p, u):
        u[0], u[1], u[2] = -x[0], 9.81 - x[1], -2.0 * x[4]

    s.add(po.Feedback(law, [force, torque], ["a.position", "a.velocity", "a.angular_velocity"], name="c"))
    run = po.simulate(s, 1.0, step=0.01)
    assert np.allclose(run["a"].position[:, 1], 2.0 * np.sin(run.t), atol=1e-9)
    assert np.allclose(run["a"].angular_velocity, 0.7 * np.exp(-10.0 * run.t), atol=1e-9)


@pytest.mark.parametrize("formulation, integrator", RUNS)
def test_states_of_controllers_are_integrated_with_the_system(formulation, integrator):
    step = 5e-4 if integrator == "energy-momentum" else 0.005
    run = po.simulate(with_integrals(), 1.0, step=step, formulation=formulation, integrator=integrator)
    fine = po.simulate(with_integrals(), 1.0, rtol=1e-12, atol=1e-12)
    bound = {"gauss3": 1e-10, "energy-momentum": 1e-5}.get(integrator, 1e-6)
    assert np.abs(run["pid"].states[-1] - fine["pid"].states[-1]).max() < bound
    assert np.abs(run["j1"].angle[-1] - fine["j1"].angle[-1]) < bound
    if formulation == "directors":
        assert run.audit.energy_drift < 1e-11


@pytest.mark.parametrize("integrator, order", [("energy-momentum", 2), ("energy-momentum-4", 4), ("energy-momentum-6", 6)])
def test_states_of_controllers_keep_the_order(integrator, order):
    exact = po.simulate(with_integrals(), 0.64, step=0.002, integrator="gauss4")["pid"].states[-1]
    errors = []
    for step in (0.02, 0.01):
        run = po.simulate(with_integrals(), 0.64, step=step, formulation="directors", integrator=integrator)
        errors.append(np.abs(run["pid"].states[-1] - exact).max())
    assert abs(np.log2(errors[0] / errors[1]) - order) < 0.35


def test_states_settle_the_arm_against_gravity():
    run = po.simulate(with_integrals(), 20.0, step=0.01, output_step=0.1)
    assert np.abs(run["j1"].angle[-1]) < 1e-6
    assert run["m1"].effort[-1] == pytest.approx(-9.81 * (0.5 + 1.5), rel=1e-5)


@pytest.mark.parametrize("formulation, integrator", [*RUNS, ("newton-euler", "gauss2"), ("directors", "energy-momentum-6")])
def test_samples_hold_their_efforts(formulation, integrator):
    """Against motors whose efforts are functions of time; of methods whose stages all lie inside their steps."""
    run = po.simulate(sampled(), 0.1, step=0.01, formulation=formulation, integrator=integrator)
    seen, effort = run["pd"].values, run["pd"].effort
    assert np.allclose(effort, np.stack([-20.0 * seen[:, k] - 2.0 * seen[:, k + 1] for k in (0, 2)], axis=-1), rtol=1e-13, atol=1e-13)
    assert np.array_equal(seen[::2][:-1], seen[1::2])
    assert np.allclose(seen[::2, 0], run["j1"].angle[::2], atol=1e-15) and np.allclose(seen[::2, 3], run["j2"].rate[::2], atol=1e-13)
    if integrator == "rk4":
        return
    s = po.System("arm", gravity=(0, 0, -9.81))
    a = s.body("a", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    b = s.body("b", po.Rod(radius=0.02, mass=1.0), between=((1, 0, 0), (2, 0, 0)))
    first = s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="j1")
    for k, joint in enumerate((first, s.revolute(a, b, at=(1, 0, 0), axis="y", name="j2"))):
        s.add(po.Motor(joint, lambda t, k=k: float(effort[::2, k][min(int(t / 0.02 + 1e-9), 5)])))
    same = po.simulate(s, 0.1, step=0.01, formulation=formulation, integrator=integrator)
    assert np.abs(same["j1"].angle - run["j1"].angle).max() < 1e-14


@pytest.mark.parametrize("formulation", ["moving-frame", "newton-euler", "rotation-matrix"])
def test_samples_agree_between_formulations(formulation):
    one = po.simulate(sampled(), 0.4, step=0.005, formulation=formulation, integrator="rk4")
    other = po.simulate(sampled(), 0.4, step=0.005, formulation="tree", integrator="rk4")
    assert np.abs(one["j2"].angle - other["j2"].angle).max() < 1e-8


def test_samples_of_adaptive_steps_fall_on_their_times():
    fine = po.simulate(sampled(), 0.5, step=0.001, integrator="gauss4")
    run = po.simulate(sampled(), 0.5, rtol=1e-11, atol=1e-11, output_step=0.005)
    assert np.abs(run["j1"].angle - fine["j1"].angle[::5]).max() < 1e-9
    assert np.abs(run["pd"].effort - fine["pd"].effort[::5]).max() < 1e-7


def counter(t, x, p, u, z, after):
    u[0] = -10.0 * x[0] - z[0]
    after[0] = z[0] + 1.0
    after[1] = t


@pytest.mark.parametrize("formulation", ["tree", "directors", "newton-euler"])
def test_states_of_sampled_laws_change_at_samples(formulation):
    s, (j1, _), motors = arm()
    s.add(po.Feedback(counter, motors[:1], [j1.angle], states={"count": 0.0, "last": -1.0}, period=0.03, name="c"))
    s.add(po.Feedback(lambda t, x, p, u: None, motors[1:], [j1.angle], period=0.02, name="idle"))
    run = po.simulate(s, 0.1, step=0.01, formulation=formulation)
    assert run["c"].states[:, 0].tolist() == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]
    assert np.allclose(run["c"].states[:, 1], 0.03 * np.floor(run.t / 0.03 + 1e-9))


@pytest.mark.parametrize("formulation", ["tree", "directors", "newton-euler"])
@pytest.mark.parametrize("make", [sampled, with_integrals, lambda: with_integrals(period=0.02)], ids=["held", "integrals", "both"])
def test_a_resumed_run_gives_the_same_bits(tmp_path, make, formulation):
    options = {"step": 0.01, "formulation": formulation}
    whole = po.simulate(make(), 0.1, **options)
    first = po.simulate(make(), 0.05, **options)
    second = po.simulate(make(), 0.05, state=first.state(), **options)
    assert np.array_equal(second.raw[-1, :-1], whole.raw[-1, :-1])
    first.save(tmp_path / "first.h5")
    again = po.simulate(make(), 0.05, state=po.load(tmp_path / "first.h5").state(), **options)
    assert np.array_equal(again.raw, second.raw)


def test_a_controller_goes_on_in_another_formulation():
    first = po.simulate(with_integrals(), 0.05, step=0.01)
    second = po.simulate(with_integrals(), 0.05, step=0.01, state=first.state(), formulation="newton-euler", integrator="rk4")
    assert np.array_equal(second["pid"].states[0], first["pid"].states[-1])


def test_limits():
    run = po.simulate(fed(limits=[5.0, (-1.0, 0.5)]), 1.0, step=0.01)
    effort = run["pd"].effort
    assert np.abs(effort[:, 0]).max() == 5.0
    assert effort[:, 1].min() == -1.0 and effort[:, 1].max() <= 0.5
    assert np.array_equal(run["m1"].effort, effort[:, 0])
    free = po.simulate(fed(limits=1e3), 1.0, step=0.01)
    assert np.array_equal(free["j1"].angle, po.simulate(fed(), 1.0, step=0.01)["j1"].angle)


@pytest.mark.parametrize("target", [po.signals.step(0.0, 0.5, to=0.8), po.Signal(lambda t: 0.8 * np.sin(t))], ids=["numbers", "function"])
@pytest.mark.parametrize("formulation", ["tree", "directors"])
def test_a_moving_target(target, formulation):
    """One link with an exact inverse: the error decays as that of a linear oscillator."""
    s = po.System("link", gravity=None)
    a = s.body("a", mass=1.0, inertia=(0.1, 0.1, 0.1))
    j = s.revolute(s.ground, a, at=(0, 0, 0), axis="z", name="j")
    j.set(angle=0.1)

    def law(t, x, p, u):
        u[0] = 0.1 * (x[4] - 4.0 * (x[1] - x[3]) - 4.0 * (x[0] - x[2]))

    s.add(po.Feedback(law, [s.add(po.Motor(j, name="m"))], [j.angle, j.rate], target=target, name="c"))
    run = po.simulate(s, 1.0, step=0.01, formulation=formulation, integrator="gauss4" if formulation == "tree" else "auto")
    wanted = np.array([target.at(t).ravel() for t in run.t])
    c = (0.1 - wanted[0, 0], -wanted[0, 1])
    error = np.exp(-2.0 * run.t) * (c[0] + (c[1] + 2.0 * c[0]) * run.t)
    assert np.abs(run["j"].angle - wanted[:, 0] - error).max() < 1e-8
    assert run["c"].names[2:] == ["target[0]", "target_rate[0]", "target_acceleration[0]"]


def test_parameters_change_without_compiling_again(monkeypatch):
    s, (j1, j2), motors = arm()
    gains = {"K": [[20.0, 2.0, 0.0, 0.0], [0.0, 0.0, 20.0, 2.0]], "scale": 1.0}

    def law(t, x, p, u):
        for i in range(2):
            for k in range(4):
                u[i] -= p.scale * p.K[i, k] * x[k]

    s.add(po.Feedback(law, motors, [j1.angle, j1.rate, j2.angle, j2.rate], gains, name="c"))
    ready = po.prepare(s, step=0.01)
    assert ready.frozen.loads.callbacks[0].compiled
    expected = po.simulate(fed(), 0.2, step=0.01)["j1"].angle
    monkeypatch.setattr("poinsot.layout.loads.wrap", lambda *a: pytest.fail("compiled again"))
    plain = ready.run(0.2)
    assert np.array_equal(plain["j1"].angle, expected)
    other = ready.run(0.2, change={"c.scale": 2.0})
    whole = ready.run(0.2, change={"c.K": [[40.0, 4.0, 0.0, 0.0], [0.0, 0.0, 40.0, 4.0]]})
    assert np.array_equal(other["j1"].angle, whole["j1"].angle)
    assert not np.array_equal(other["j1"].angle, plain["j1"].angle)
    assert np.array_equal(ready.run(0.2)["j1"].angle, plain["j1"].angle)


def test_python_laws_run_like_compiled_ones():
    s, (j1, j2), motors = arm()

    def law(t, x, p, u):
        gains = {"kp": p.kp, "kd": p["kd"]}  # dicts are not compiled
        u[0] = -gains["kp"] * x[0] - gains["kd"] * x[1]
        u[1] = -gains["kp"] * x[2] - gains["kd"] * x[3]

    s.add(po.Feedback(law, motors, [j1.angle, j1.rate, j2.angle, j2.rate], {"kp": 20.0, "kd": 2.0}, name="pd"))
    assert not po.prepare(s, step=0.01).frozen.loads.callbacks[0].compiled
    run = po.simulate(s, 0.2, step=0.01)
    assert np.array_equal(run["j1"].angle, po.simulate(fed(), 0.2, step=0.01)["j1"].angle)


def test_audit_judges_the_lyapunov_function():
    energy = lambda t, x, p: 0.5 * x[1] ** 2 + 0.5 * p.k * x[0] ** 2  # noqa: E731
    s = po.System("link", gravity=None)
    a = s.body("a", mass=1.0, inertia=(1.0, 1.0, 1.0))
    j = s.revolute(s.ground, a, at=(0, 0, 0), axis="z", name="j")
    j.set(angle=0.5)
    motor = s.add(po.Motor(j, name="m"))

    def law(t, x, p, u):
        u[0] = -p.k * x[0] - p.c * x[1]

    s.add(
        po.Feedback(
            law, [motor], [j.angle, j.rate], {"k": 2.0, "c": 1.0}, lyapunov=energy,
            lyapunov_rate=lambda t, x, p: -p.c * x[1] ** 2, name="c",
        )
    )  # fmt: skip
    ready = po.prepare(s, step=0.01)
    run = ready.run(5.0)
    assert "V of c fell monotonically" in str(run.audit)
    assert np.allclose(np.gradient(run["c"].lyapunov, run.t)[1:-1], run["c"].lyapunov_rate[1:-1], atol=1e-4)
    rising = ready.run(5.0, change={"c.c": -1.0})
    assert "V of c rose" in str(rising.audit)


def test_a_file_has_the_feedback(tmp_path):
    s, (j1, j2), motors = arm()
    tip = s["b"].at((0.5, 0, 0))
    s.add(po.Torque(s["b"], name="n"))
    outputs = [j1.angle, j1.rate, "j2.angle", tip, tip.x.rate]
    limits = [1.0, (-2.0, 3.0), 4.0, 4.0, 4.0]
    gains, states = {"kp": 1.0, "kd": 0.5, "ki": 0.1}, {"a": 1.0, "b": 2.0}
    s.add(po.Feedback(integral, [*motors, s["n"]], outputs, gains, states=states, period=0.02, limits=limits, name="c"))
    s.to_yaml(tmp_path / "model.yaml")
    again = po.read(tmp_path / "model.yaml", functions={"integral": integral})
    assert again.to_yaml() == s.to_yaml()
    one, two = (po.simulate(one, 0.1, step=0.01) for one in (s, again))
    assert np.array_equal(one.raw, two.raw)


def test_a_copy_of_a_system_has_its_own_feedback():
    s = fed()
    copy = s.copy()
    assert copy["pd"].by[0] is copy["m1"] and copy["pd"].readings[0].joint is copy["j1"]
    assert np.array_equal(po.simulate(copy, 0.1, step=0.01).raw, po.simulate(s, 0.1, step=0.01).raw)
