"""Jacobians, inverse kinematics and workspaces of robots and of mechanisms with loops."""

import json
from pathlib import Path

import numpy as np
import pytest

import poinsot as po
from loops import four_bar, slider_crank

ROOT = Path(__file__).parents[2]
FRAMES = json.loads((ROOT / "tests" / "reference" / "robot_jacobians.json").read_text())
FILES = {"robot_ur5": "examples/models/ur5.urdf", "robot_panda": "tests/data/panda.urdf"}
UR5 = "examples/models/ur5.urdf"


@pytest.mark.parametrize("name", FILES)
def test_frames_and_jacobians_of_pinocchio(name):
    system = po.read(ROOT / FILES[name], merge=False, mimic=False)
    dynamics, case = po.dynamics(system), FRAMES[name]
    q = np.array([case["q"][case["joint_order"].index(rate.rpartition(".")[0])] for rate in dynamics.rates])
    columns = [case["joint_order"].index(rate.rpartition(".")[0]) for rate in dynamics.rates]
    state = dynamics.state(q, np.zeros(len(q)))
    for frame, wanted in case["frames"].items():
        J = po.jacobian(system, frame, state)
        assert np.abs(J - np.array(wanted["J"])[:, columns]).max() < 1e-13
        for same in (system[frame], system[frame].at((0, 0, 0))):
            assert np.array_equal(J, po.jacobian(system, same, state))
        run = po.simulate(system, 1e-9, step=1e-9, state=state, formulation="tree", integrator="rk4")
        assert np.abs(run[frame].position[0] - wanted["position"]).max() < 1e-13


def test_energies_of_pinocchio():
    reference = json.loads((ROOT / "tests" / "reference" / "robot_ur5.json").read_text())["reference"]
    d = po.dynamics(po.read(ROOT / UR5))
    state = d.state(np.array(reference["q"]), np.array(reference["v"]))
    assert d.kinetic(state) == pytest.approx(reference["kinetic_energy"], rel=1e-13)
    assert d.potential(state) == pytest.approx(reference["potential_energy"], rel=1e-12)
    assert d.energy(state) == d.kinetic(state) + d.potential(state)
    with pytest.raises(po.ModelError, match="6 coordinates"):
        d.energy(po.State(0, np.zeros(2), np.zeros(2)))


def test_momenta_at_a_state():
    s = po.System("two", gravity=None)
    a = s.body("a", po.Box(1, 2, 3, mass=2.0), position=(1, 0, 0))
    b = s.body("b", mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.25), position=(0, 2, 0))
    a.set(velocity=(0, 3, 0), angular_velocity=(0, 0, 1))
    b.set(velocity=(1, 0, 0))
    d, run = po.dynamics(s), po.simulate(s, 0.1, step=0.1)
    assert np.allclose(d.momentum(), (1, 6, 0), atol=1e-14) and np.allclose(d.angular_momentum(), run.angular_momentum[0], rtol=1e-14)
    assert d.angular_momentum()[2] == pytest.approx(2 * 3 * 1 + 2 / 12 * 5 - 2 * 1)
    p = po.System("flat", plane="xz", gravity=None)
    rod = p.body("rod", po.Rod(radius=0.01, mass=3.0), between=((0, 0), (2, 0)))
    pin = p.revolute(p.ground, rod, at=(0, 0), name="pin")
    pin.set(rate=2.0)
    assert po.dynamics(p).angular_momentum() == pytest.approx(po.simulate(p, 0.1, step=0.1).angular_momentum[0], rel=1e-14)
    assert po.dynamics(p).momentum().shape == (2,)


def difference(system, point, dynamics, state, k, h=1e-6):
    """Change of a point per change of rate k: by runs of two small steps, forth and back."""
    unit = np.eye(len(state.rates))[k]
    ends = []
    for sign in (1.0, -1.0):
        run = po.simulate(system, h, step=h, state=po.State(0.0, state.coordinates, sign * unit), formulation="tree", integrator="rk4")
        view = run[point.body]
        ends.append((view.point(point.position)[-1], view.rotation[-1]))
    spin = (ends[0][1] @ ends[1][1].T - ends[1][1] @ ends[0][1].T) / (4 * h)
    return np.concatenate([(ends[0][0] - ends[1][0]) / (2 * h), [spin[2, 1], spin[0, 2], spin[1, 0]]])


def test_all_joints_against_finite_differences():
    rng = np.random.default_rng(3)
    s = po.System("arm", gravity=None)
    parent = s.ground
    for k, kind in enumerate(("revolute", "spherical", "prismatic", "universal", "cylindrical")):
        body = s.body(f"b{k}", po.Box(0.2, 0.3, 0.5, mass=1.0), position=(0.3 * k, 0.1, 0.2 * k), rotation=rng.normal(size=3))
        extra = {} if kind == "spherical" else {"axis": rng.normal(size=3)}
        if kind == "universal":
            extra = {"axis": "x", "axis2": "y"}
        getattr(s, kind)(parent, body, at=rng.normal(size=3), name=f"j{k}", **extra)
        parent = body
    d = po.dynamics(s)
    q = np.array(d.start.coordinates)
    for k, one in enumerate(q):
        q[k] = one if one == 1.0 else rng.normal() * 0.3
    q[1:5] = (q[1:5] + (1, 0, 0, 0)) / np.linalg.norm(q[1:5] + (1, 0, 0, 0))
    state, point = d.state(q, np.zeros(len(d.rates))), s["b4"].at((0.1, 0.2, 0.3))
    J = po.jacobian(s, point, state)
    found = np.array([difference(s, point, d, state, k) for k in range(len(d.rates))]).T
    assert J.shape == (6, len(d.rates)) == (6, 9) and np.abs(J - found).max() < 1e-8


@pytest.mark.parametrize("build, drive, body", [(four_bar, "base.angle", "coupler"), (slider_crank, None, None)])
def test_loops_against_finite_differences(build, drive, body):
    s = build()
    drive = drive or next(f"{j.name}.{j.names[0]}" for j in s.joints if j.kind == "revolute")
    point = s[body].at((0.3, 0, 0.1)) if body else s.bodies[-1].at((0, 0, 0))
    h = 1e-5
    at = {k: po.assemble(s, hold={drive: 0.2 + k * h}) for k in (-1, 0, 1)}
    J = po.jacobian(s, point, at[0].state(), by=[drive])
    ends = {k: po.simulate(s, 1e-9, step=1e-9, state=po.State(0, a.coordinates, 0 * a.rates))[point.body] for k, a in at.items()}
    way = (ends[1].point(point.position)[0] - ends[-1].point(point.position)[0]) / (2 * h)
    assert np.abs(J[:3, 0] - way).max() < 1e-7 and J.shape == (6, 1)
    motor = s.add(po.Motor(s[drive.rpartition(".")[0]], 1.0, name="drive"))
    assert np.array_equal(po.jacobian(s, point, at[0].state()), J) and np.array_equal(po.jacobian(s, point, at[0].state(), by=[motor]), J)
    moving = po.simulate(s, 1e-9, step=1e-9, state=po.State(0.0, at[0].coordinates, po.assemble(s, {drive: 0.2}, {drive: 1.0}).rates))[point.body]
    assert np.allclose(J[:3, 0], moving.world_velocity(np.array(point.position))[0], atol=1e-12)
    assert np.allclose(J[3:, 0], moving.angular_velocity[0], atol=1e-12)


def test_a_plane_has_three_rows():
    p = po.System("flat", plane="xy", gravity=None)
    rod = p.body("rod", po.Rod(radius=0.01, mass=1.0), between=((0, 0), (2, 0)))
    p.revolute(p.ground, rod, at=(0, 0), name="pin")
    assert np.allclose(po.jacobian(p, rod.end), [[0], [2], [1]], atol=1e-15)
    found = po.follow(p, rod.end, lambda t: (2 * np.cos(t), 2 * np.sin(t)), np.linspace(0, 3, 31), rotation=lambda t: t)
    assert np.allclose(found["pin.angle"], found.t, atol=1e-12)


def test_jacobians_that_are_not_defined_are_refused():
    s = four_bar()
    wrong = {"no motors": None, "cannot move": ["base.angle", "knee.angle"], "did you mean": ["base.angl"], "twice": [s["base"].angle] * 2}
    for words, by in wrong.items():
        with pytest.raises(po.ModelError, match=words):
            po.jacobian(s, "coupler", by=by)
    with pytest.raises(po.ModelError, match="not closed"):
        po.jacobian(s, "coupler", po.State(0, np.array([0.3, 0, 0, 0]), np.zeros(4)), by=["base.angle"])
    with pytest.raises(po.ModelError, match="is not a body"):
        po.jacobian(s, "couplr", by=["base.angle"])
    with pytest.raises(po.ModelError, match="is not a body"):
        po.jacobian(s, four_bar()["coupler"], by=["base.angle"])
    with pytest.raises(po.ModelError, match="point must be"):
        po.jacobian(s, 3)
    p = po.System("free end", gravity=None)
    a = p.body("a", po.Rod(radius=0.01, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    b = p.body("b", po.Rod(radius=0.01, mass=1.0), between=((1, 0, 0), (2, 0, 0)))
    p.revolute(p.ground, a, at=(0, 0, 0), axis="z", name="j")
    p.revolute(a, b, at=(1, 0, 0), axis="z", name="k")
    with pytest.raises(po.ModelError, match="do not determine"):
        po.jacobian(p, b.end, by=["j.angle"])
    assert po.jacobian(p, a.end, by=["j.angle"]).shape == (6, 1)


def test_the_ur5_follows_a_circle_and_holds_its_attitude():
    s = po.read(ROOT / UR5, merge=False)
    s["shoulder_lift_joint"].set(angle=-1.2)
    s["elbow_joint"].set(angle=1.5)
    s["wrist_2_joint"].set(angle=-1.2)  # at 0 the wrist is singular
    at = po.simulate(s, 1e-9, step=1e-9)["tool0"]
    t, centre, turn = np.linspace(0, 2, 81), at.position[0], at.quaternion[0]

    def circle(t):
        return centre + np.array([0.0, 0.1 * np.sin(np.pi * t), 0.1 * (np.cos(np.pi * t) - 1)])

    found = po.follow(s, "tool0", circle, t, rotation=turn)
    assert found.position_error.max() < 1e-9 and found.rotation_error.max() < 1e-9 and found.reached.all()
    assert np.abs(np.diff(found.coordinates, axis=0)).max() < 0.1  # no jump to another branch
    assert np.abs(found.coordinates[-1] - found.coordinates[0]).max() < 1e-8
    run = po.simulate(s, 1e-9, step=1e-9, state=found.state(17))
    assert np.abs(run["tool0"].position[0] - circle(t[17])).max() < 1e-9
    assert np.allclose(found.signal("elbow_joint.angle")(t[5]), found["elbow_joint.angle"][5])
    with pytest.raises(po.AssemblyError, match=r"place 2 .* cannot be reached: it is missed by"):
        po.follow(s, "tool0", [centre, centre + (0.01, 0, 0), (3.0, 0, 0)], [0, 1, 2])
    marked = po.follow(s, "tool0", [centre, (3.0, 0, 0), centre], [0, 1, 2], unreachable="mark")
    assert marked.reached.tolist() == [True, False, True] and 1.5 < marked.position_error[1] < 2.6 and np.isfinite(marked.coordinates).all()
    assert "1 not reached, the first at t = 1 s" in str(marked)


def test_a_loop_follows_a_path():
    p = po.System("five-bar", plane="xy", gravity=None)
    points = ((0, 0), (-0.5, 1), (0.5, 2), (1.5, 1), (1, 0))
    bars = [p.body(f"bar{k}", po.Rod(radius=0.02, mass=1.0), between=pair) for k, pair in enumerate(zip(points[:-1], points[1:]))]
    for k, (a, b) in enumerate(zip([p.ground, *bars], [*bars, p.ground])):
        p.revolute(a, b, at=points[k], name=f"j{k}")
    found = po.follow(p, bars[1].end, lambda t: (0.5 + 0.2 * np.sin(t), 1.8 + 0.2 * np.cos(t)), np.linspace(0, 6, 61))
    assert found.position_error.max() < 1e-12 and found.reached.all()
    for k in (0, 33):
        assembly = po.assemble(p, hold={"j0.angle": found["j0.angle"][k], "j4.angle": found["j4.angle"][k]})
        end = po.simulate(p, 1e-9, step=1e-9, state=assembly.state())[bars[1]].point(bars[1].end.position)[0]
        assert np.abs(end - (0.5 + 0.2 * np.sin(found.t[k]), 1.8 + 0.2 * np.cos(found.t[k]))).max() < 1e-9


def test_paths_that_cannot_be_read():
    s = po.read(ROOT / UR5)
    for path, times, words in (([(0, 0, 0)], [0, 1], "3 finite numbers"), (lambda t: (0, 0), [0], "3 finite"), ([(0, 0, np.nan)], [0], "finite"),
                               ([(0, 0, 0)] * 2, [1, 0], "increasing"), ("abc", [0], "path must be")):  # fmt: skip
        with pytest.raises(po.ModelError, match=words):
            po.follow(s, "wrist_3_link", path, times)
    with pytest.raises(po.ModelError, match="'error' or 'mark'"):
        po.follow(s, "wrist_3_link", [(0, 0, 0)], [0], unreachable="skip")


def two_bars():
    s = po.System("two bars", plane="xy", gravity=None)
    a = s.body("a", po.Rod(radius=0.01, mass=1.0), between=((0, 0), (2, 0)))
    b = s.body("b", po.Rod(radius=0.01, mass=1.0), between=((2, 0), (3, 0)))
    s.revolute(s.ground, a, at=(0, 0), name="j")
    k = s.revolute(a, b, at=(2, 0), name="k")
    s.add(po.Stop(k, -1.0, 1.0, stiffness=1e4, name="end"))
    return s, b


def test_the_workspace_of_two_bars_is_a_ring():
    s, b = two_bars()
    found = po.workspace(s, b.end, {"j.angle": (-np.pi, np.pi)}, samples=2000)
    radius = np.linalg.norm(found.points, axis=1)
    nearest = np.sqrt(4 + 1 + 4 * np.cos(1.0))  # at the stop
    assert found.names == ["j.angle", "k.angle"] and nearest <= radius.min() < nearest + 0.01 and 2.999 < radius.max() <= 3.0
    again = po.workspace(s, b.end, {"j.angle": (-np.pi, np.pi)}, samples=2000)
    assert np.array_equal(found.points, again.points)
    grid = po.workspace(s, b.end, {"k.angle": (0, np.pi)}, grid=3)
    assert np.allclose(grid.points[:, :2], [(3, 0), (2, 1), (1, 0)], atol=1e-12)
    assert len(found.plot().axes) == 1
    beyond = po.follow(s, b.end, [(2 + np.cos(1.2), np.sin(1.2))], [0.0], state=po.State(0, np.array([0.0, 1.1]), np.zeros(2)))
    assert beyond.beyond == {"end": 0.0} and "beyond the limits of end" in str(beyond)


def test_the_workspace_of_a_loop_ends_where_it_locks():
    s = four_bar()
    rocker = s.joints[-1].angle
    found = po.workspace(s, "coupler", {rocker: (-3.0, 3.0)}, grid=13)
    assert 0 < (~found.reached).sum() < 61 and len(found.points) == found.reached.sum()
    for ranges, words in (({}, "say which"), ({"base.angle": (1, 0)}, "lower < upper"), ({"bse.angle": (0, 1)}, "did you mean")):
        with pytest.raises(po.ModelError, match=words):
            po.workspace(s, "coupler", ranges)


def test_motors_need_no_law_and_other_faults_are_told():
    s = po.System("arm", gravity=None)
    arm = s.body("arm", po.Rod(0.02, mass=1.0), between=((0, 0, 0), (2, 0, 0)))
    pin = s.revolute(s.ground, arm, at=(0, 0, 0), axis="z", name="pin")
    s.add(po.Motor(pin, name="motor"))
    assert np.allclose(po.jacobian(s, arm.end), [[0], [2], [0], [0], [0], [1]], atol=1e-15)
    with pytest.raises(po.ModelError, match="motor 'motor': has no law"):
        po.simulate(s, 0.1, step=0.01)
    wrong = s.add(po.Motor(pin, force=1.0, name="wrong"))
    with pytest.raises(po.ModelError, match="wrong.*turns there; give torque=") as error:
        po.jacobian(s, arm.end)
    assert "has no law" not in str(error.value) and wrong.name == "wrong"
