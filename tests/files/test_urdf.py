"""Robots in URDF: the same accelerations as two other programs, and every fault of a file with its line."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from pinocchio_states import translated
from typer.testing import CliRunner

import poinsot as po
from mesh_files import box as mesh_box
from mesh_files import stl
from poinsot.cli import app

DATA = Path(__file__).parents[1] / "data"
REFERENCE = Path(__file__).parents[1] / "reference"
MODELS = Path(__file__).parents[2] / "examples" / "models"
CASES = {"ur5": ("robot_ur5", "fixed"), "panda": ("robot_panda", "fixed"), "solo12": ("robot_solo12_floating", "free")}

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.5" rpy="0.3 0.2 0.1"/><mass value="2"/>
    <inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0.01" ixz="0.02" iyz="0.03"/></inertial>
  </link>
  <link name="lower">
    <inertial><origin xyz="0.1 0 0.3"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.05"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0 0 1" rpy="0 0.5 0"/><axis xyz="0 2 0"/><limit lower="-1" upper="2"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/><origin xyz="0 0 1" rpy="0.4 0 0"/><axis xyz="1 0 0"/><limit lower="-1" upper="2"/>
  </joint>
</robot>
"""


def written(folder, text, name="robot.urdf"):
    path = folder / name
    path.write_text(text)
    return path


def read(folder, text, **options):
    return po.read(written(folder, text), **options)


def offsets(system_order, reference):
    """Where the joints of a reference begin in its vectors."""
    found, iq, iv = {}, 0, 0
    sizes = [(7, 6) if name == "root_joint" else (1, 1) for name in system_order]
    for name, (nq, nv) in zip(system_order, sizes):
        found[name] = (iq, iv, nq)
        iq, iv = iq + nq, iv + nv
    assert (iq, iv) == (reference["nq"], reference["nv"])
    return found


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("name", CASES)
def test_robots_against_pinocchio_and_drake(name, merge):
    case, base = CASES[name]
    reference = json.loads((REFERENCE / f"{case}.json").read_text())["reference"]
    folder = MODELS if name == "ur5" else DATA
    system = po.read(folder / f"{name}.urdf", base=base, mimic=False, merge=merge)
    dynamics = po.dynamics(system)
    q, v, tau, qdd = (np.array(reference[key]) for key in ("q", "v", "tau", "qdd_forward_dynamics"))
    at = offsets(reference["joint_order"], reference)
    state, effort, wanted = translated(dynamics, at.__getitem__, q, v, tau, qdd)
    got = dynamics.acceleration(state, effort=effort)
    error = abs(got - wanted).max() / abs(wanted).max()
    print(f"{name}: {error:.1e}")
    assert error < 1e-12
    back = dynamics.inverse(state, got)
    assert np.allclose(back, effort, rtol=0, atol=1e-10 * abs(effort).max())
    if base == "fixed":
        assert np.allclose(dynamics.mass_matrix(state), reference["M"], rtol=0, atol=1e-12)


def test_links_and_inertias_are_where_the_file_says(tmp_path):
    s = read(tmp_path, ARM)
    assert (s.name, [b.name for b in s.bodies], [j.name for j in s.joints]) == ("arm", ["upper", "lower"], ["shoulder", "elbow"])
    cos, sin = np.cos(0.5), np.sin(0.5)
    assert np.allclose(s["upper"].position, (0, 0, 1)) and np.allclose(s["lower"].position, (sin, 0, 1 + cos))
    assert np.allclose(s["shoulder"].axis, (0, 1, 0)) and np.allclose(s["elbow"].axis, (cos, 0, -sin))
    a, b, c = 0.3, 0.2, 0.1  # roll about x, then pitch about y, then yaw about z, all fixed
    rx = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    ry = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    rz = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    tensor = np.array([[0.2, 0.01, 0.02], [0.01, 0.3, 0.03], [0.02, 0.03, 0.4]])
    turn = rz @ ry @ rx
    assert np.allclose(s["upper"].inertia_matrix(), turn @ tensor @ turn.T, atol=1e-15)
    assert s["upper"].com == (0, 0, 0.5) and s.gravity == (0, 0, -9.81)
    assert read(tmp_path, ARM, gravity=None).gravity == (0, 0, 0)
    run = po.simulate(s, 0.5, step=0.01)
    assert run.audit.energy_drift < 1e-9


def test_a_free_base(tmp_path):
    text = ARM.replace('<link name="base"/>', '<link name="base"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>')
    s = read(tmp_path, text, base="free", gravity=None)
    assert s["root_joint"].kind == "free" and s.check().degrees_of_freedom == 8
    run = po.simulate(s, 0.3, step=0.01)
    assert abs(run.momentum).max() < 1e-12
    assert read(tmp_path, text)["root_joint"].kind == "fixed"


def joint(name, kind, parent, child, inside=""):
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*parts, links="abcd"):
    inertial = '<inertial><origin xyz="0.1 0.2 0.3"/><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>'
    return '<robot name="r">' + "".join(f'<link name="{link}">{inertial}</link>' for link in links) + "".join(parts) + "</robot>"


def test_every_type_of_joint(tmp_path):
    s = read(
        tmp_path,
        robot(
            joint("j1", "continuous", "a", "b", '<axis xyz="0 0 1"/><dynamics damping="0.7"/>'),
            joint("j2", "prismatic", "b", "c", '<axis xyz="0 1 0"/>'),
            joint("j3", "floating", "c", "d"),
            joint("j4", "planar", "d", "e", '<axis xyz="0 0 1"/>'),
            joint("j5", "fixed", "e", "f", '<origin xyz="1 0 0"/>'),
            links="abcdef",
        ),
    )
    assert [j.kind for j in s.joints] == ["fixed", "revolute", "prismatic", "free", "planar"]
    assert s.check().degrees_of_freedom == 1 + 1 + 6 + 3
    assert s["j4"].axis == (0, 0, 1) and s["j4"].direction == (1, 0, 0)
    assert s["j1_damping"].damping == 0.7
    e = s["e"]  # with f, which is 1 m away: inertia by the parallel-axis theorem
    assert e.mass == 2 and np.allclose(e.com, (0.6, 0.2, 0.3)) and np.allclose(e.inertia, (0.2, 0.7, 0.7, 0, 0, 0))
    kept = read(tmp_path, robot(joint("j5", "fixed", "a", "b", '<origin xyz="1 0 0"/>'), links="ab"), merge=False)
    assert [j.kind for j in kept.joints] == ["fixed", "fixed"] and len(kept.bodies) == 2


def test_joints_that_mimic_others(tmp_path):
    moved = '<axis xyz="0 0 1"/>'
    follower = moved + '<mimic joint="j1" multiplier="-2" offset="0.3"/>'
    text = robot(joint("j1", "continuous", "a", "b", moved), joint("j2", "continuous", "b", "c", follower), links="abc")
    with pytest.warns(po.ModelWarning, match=r"drawn at it and count from there: 'j2' \(0.3\)"):
        s = read(tmp_path, text, gravity=(0, -9.81, 0))
    assert s["j2_mimic"].ratio == -2 and s.check().degrees_of_freedom == 1
    s["j1"].set(angle=0.4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.AssemblyWarning)
        run = po.simulate(s, 0.2, step=0.01)
    # the same pose from the file's own words: j2 = -2 j1 + 0.3
    q1 = run["j1"].angle
    turn = q1 + (-2 * q1 + 0.3)
    assert np.ptp(q1) > 0.01 and np.allclose(run["c"].rotation[:, 0, 0], np.cos(turn)) and np.allclose(run["c"].rotation[:, 1, 0], np.sin(turn))
    assert read(tmp_path, text, mimic=False).check().degrees_of_freedom == 2
    stays = joint("j2", "prismatic", "b", "c", moved + '<mimic joint="j1" multiplier="0" offset="2"/>')
    still = robot(joint("j1", "continuous", "a", "b", moved), stays, links="abc")
    with pytest.warns(po.ModelWarning):
        s = read(tmp_path, still)
    assert len(s.bodies) == 2 and np.allclose(s["b"].com, (0.1, 0.2, 1.3))


def test_looks_colours_and_meshes(tmp_path, monkeypatch):
    folder = tmp_path / "share" / "my_robot" / "meshes"
    folder.mkdir(parents=True)
    stl(folder / "a.stl", *mesh_box(1, 1, 1))

    def visual(inside, rest=""):
        return f'<visual><origin xyz="0 0 1"/><geometry>{inside}</geometry>{rest}</visual>'

    looks = visual('<box size="1 2 3"/>', '<material name="red"/>') + visual('<cylinder radius="0.1" length="0.5"/>')
    looks += visual('<sphere radius="0.2"/>', '<material name="x"><color rgba="0 0 1 1"/></material>')
    text = '<robot name="r"><material name="red"><color rgba="1 0 0 1"/></material>' + f'<link name="a">{looks}%s</link></robot>'
    s = read(tmp_path, text % "")
    assert [look.colour for look in s["a"].looks] == ["#ff0000", None, "#0000ff"] and s["a"].looks[0].position == (0, 0, 1)
    assert [type(look.shape) for look in s["a"].looks] == [po.Box, po.Cylinder, po.Sphere]
    s.to_yaml(tmp_path / "m.yaml")
    assert po.read(tmp_path / "m.yaml").to_yaml() == s.to_yaml()
    mesh = text % visual('<mesh filename="package://my_robot/meshes/a.stl"/>')
    with pytest.warns(po.ModelWarning, match="meshes were not found: package://my_robot/meshes/a.stl .link 'a'.; give the folder"):
        read(tmp_path, mesh)
    assert read(tmp_path, mesh, packages=[tmp_path / "share"])["a"].looks[-1].shape == po.Mesh(folder / "a.stl")
    po.read(written(folder.parent, mesh))
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "share"))
    read(tmp_path, mesh)
    read(tmp_path, text % visual('<mesh filename="share/my_robot/meshes/a.stl"/>'))


def test_looks_are_drawn(tmp_path):
    from poinsot.view.scene import describe

    cube = '<visual><geometry><box size="1 2 3"/></geometry><material name="m"><color rgba="0 1 0 1"/></material></visual>'
    s = read(tmp_path, ARM.replace('<link name="upper">', f'<link name="upper">{cube}'))
    parts = describe(po.simulate(s, 0.01, step=0.01))["bodies"][0]["parts"]
    assert parts[0] == {"kind": "box", "size": [1, 2, 3], "colour": "#00ff00"}


def test_limits_become_stops(tmp_path):
    assert not read(tmp_path, ARM).loads
    s = read(tmp_path, ARM, stops={"stiffness": 500.0, "damping": 1.0})
    assert (s["shoulder_stop"].lower, s["shoulder_stop"].upper, s["shoulder_stop"].damping) == (-1, 2, 1)
    s["shoulder"].set(angle=1.9, rate=4.0)
    assert 2.0 < po.simulate(s, 0.5, step=0.002)["shoulder"].angle.max() < 2.4
    away = ARM.replace('lower="-1"', 'lower="0.5"')
    with pytest.warns(po.ModelWarning, match=r"beyond their stops: 'shoulder' \(0.5 to 2\), 'elbow' \(0.5 to 2\); set their coordinates"):
        read(tmp_path, away, stops={"stiffness": 1.0})
    with pytest.raises(po.ModelError, match="stops must be a dictionary of arguments of po.Stop"):
        read(tmp_path, ARM, stops=True)
    with pytest.raises(TypeError, match="has no argument 'stifness'; did you mean stiffness="):
        read(tmp_path, ARM, stops={"stifness": 1.0})
    moved = '<axis xyz="0 0 1"/><limit lower="-1" upper="1"/>'
    follower = moved + '<mimic joint="j1" offset="0.3"/>'
    text = robot(joint("j1", "revolute", "a", "b", moved), joint("j2", "revolute", "b", "c", follower), links="abc")
    with pytest.warns(po.ModelWarning, match="count from there"):
        s = read(tmp_path, text, stops={"stiffness": 1.0})
    assert np.allclose((s["j2_stop"].lower, s["j2_stop"].upper), (-1.3, 0.7))


def test_transmissions_are_motors(tmp_path):
    motor = '<transmission name="drive"><type>t</type><joint name="shoulder"/><actuator name="x"/></transmission>'
    text = ARM.replace("</robot>", motor + "</robot>")
    s = read(tmp_path, text)
    run = po.simulate(s, 0.1, step=0.01)
    assert not run["drive"].effort.any()
    changed = po.prepare(s, step=0.01).run(0.1, change={"drive.torque": 2.0})
    assert (changed["drive"].effort == 2.0).all() and changed["shoulder"].angle[-1] != run["shoulder"].angle[-1]
    fed = read(tmp_path, text, inputs=True)
    assert fed["drive"].law is None and any("has no law" in fault for fault in fed.check().faults)


def link(inside):
    return f'<robot><link name="a">{inside}</link></robot>'


WRONG = {
    "": "r.urdf:1: this is not XML: no element found; look at this line and those before it",
    "<robot>\n<link": "r.urdf:2: this is not XML: unclosed token",
    "<robot>\n<link name='a'>\n</robot>": "r.urdf:3: this is not XML: mismatched tag",
    "<sdf/>": "r.urdf:1: a URDF begins with <robot name=\"...\">, not with <sdf>; SDF is not URDF",
    '<!DOCTYPE r [<!ENTITY a "b">]>\n<robot/>': "r.urdf:1: a document type has no meaning here",
    '<robot name="r">\n</robot>': 'r.urdf:1: the robot has no link; write <link name="..."/>',
    '<robot>\n<link name="a"/>\n<link name="b"/></robot>': "r.urdf:3: links 'a', 'b' have no parent; connect all but one of them by joints",
    '<robot>\n<link name="a"/>\n<link name="a"/></robot>': "r.urdf:3: link 'a': the name is already taken in line 2; names must be unique",
    "<robot>\n<link/></robot>": 'r.urdf:2: link: <link> lacks name="..."',
    robot("\n" + joint("j", "revolut", "a", "b"), links="ab"): "r.urdf:2: joint 'j': has no type 'revolut'; did you mean revolute?",
    robot("\n" + joint("j", "ball", "a", "b"), links="ab"): "r.urdf:2: joint 'j': has no type 'ball'; the types are revolute, continuous, ",
    robot("\n" + joint("j", "fixed", "a", "bb"), links=["a", "bbb"]):
        "r.urdf:2: joint 'j': its child, link 'bb', does not exist; did you mean 'bbb'?",
    robot("\n" + joint("j", "fixed", "a", "b"), "\n" + joint("k", "fixed", "c", "b"), links="abc"):
        "r.urdf:3: joint 'k': link 'b' is already the child of joint 'j' (line 2); a link has one parent",
    robot("\n" + joint("j", "fixed", "a", "b"), joint("k", "fixed", "b", "a"), links="ab"): "so the links form a ring",
    robot("\n" + joint("j", "fixed", "b", "c"), joint("k", "fixed", "c", "b"), links="abc"):
        "r.urdf:2: links b, c form a ring that is not connected",
    robot('\n<joint name="j" type="fixed"><parent link="a"/></joint>', links="ab"): "r.urdf:2: joint 'j': lacks <child link=\"...\"/>",
    robot(joint("j", "revolute", "a", "b", '\n<axis xyz="0 0 0"/>'), links="ab"): "r.urdf:2: joint 'j': its axis is zero; give a direction",
    robot(joint("j", "revolute", "a", "b", '\n<axis xyz="0 1"/>'), links="ab"): "r.urdf:2: joint 'j': xyz of <axis> must be 3 numbers, not '0 1'",
    robot(joint("j", "revolute", "a", "b", '\n<axis xyz="0 1 nan"/>'), links="ab"): "must be 3 numbers, not '0 1 nan'; give finite ones",
    robot(joint("j", "revolute", "a", "b", '\n<limit lower="1" upper="-1"/>'), links="ab"):
        "r.urdf:2: joint 'j': its lower limit 1 is above its upper",
    robot(joint("j", "revolute", "a", "b", '\n<dynamics damping="-1"/>'), links="ab"): "r.urdf:2: joint 'j': damping must not be negative",
    robot("\n" + joint("j", "revolute", "a", "b", '<mimic joint="k"/>'), links="ab"): "r.urdf:2: joint 'j': mimics joint 'k', which does not exist",
    robot("\n" + joint("j", "revolute", "a", "b", '<mimic joint="j"/>'), links="ab"): "r.urdf:2: joint 'j': mimics itself, through j",
    link('\n<inertial><inertia ixx="1"/></inertial>'): "r.urdf:2: link 'a': <inertial> lacks <mass value",
    link('<inertial>\n<mass value="-1"/></inertial>'): "r.urdf:2: link 'a': mass must not be negative, not -1 kg",
    link('<inertial>\n<mass value="1e999"/></inertial>'): "r.urdf:2: link 'a': value of <mass> must be a number, not '1e999'",
    link('\n<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3"/></inertial>'):
        "r.urdf:2: body 'a': no mass distribution has the principal inertias 1, 1, 3",
    link('<visual><geometry>\n<box size="0 1 1"/></geometry></visual>'): "r.urdf:2: link 'a': Box: x must be a positive length",
    link('\n<visual/>'): "r.urdf:2: link 'a': <visual> lacks <geometry>",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG, ids=lambda text: WRONG[text][:60])
def test_faults_have_their_line_and_a_remedy(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(po.ModelError) as caught:
        po.read(written(Path(), text, "r.urdf"))
    assert WRONG[text] in str(caught.value)


def test_a_joint_of_no_type_hides_no_other_fault(tmp_path):
    with pytest.raises(po.ModelError) as caught:
        read(tmp_path, robot("\n" + joint("j", "hinge", "a", "bb"), "\n" + joint("k", "revolute", "aa", "b"), links="ab"))
    wanted = ["joint 'j': has no type 'hinge'", "joint 'j': its child, link 'bb', does not exist", "joint 'k': its parent, link 'aa', does not exist"]
    assert len(caught.value.faults) == 3 and all(words in fault for words, fault in zip(wanted, caught.value.faults))


def test_all_faults_at_once(tmp_path):
    text = robot(*(joint(f"j{k}", "bal", "a", "b") for k in range(7)), links="ab")
    with pytest.raises(po.ModelError) as caught:
        read(tmp_path, text)
    assert len(caught.value.faults) == 7
    with pytest.raises(po.ModelError, match="has more faults; correct these first"):
        read(tmp_path, robot(*(joint(f"j{k}", "bal", "a", "b") for k in range(200)), links="ab"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.urdf.xacro", ARM),
        ("r.xacro", ARM),
        ("r.urdf", '<robot xmlns:xacro="x">\n<xacro:property name="a" value="1"/></robot>'),
        ("r.urdf", ARM.replace('value="2"', 'value="${mass}"')),
        ("r.urdf", '<robot name="r"><include filename="x"/></robot>'),
    ],
)
def test_macros_are_refused_with_the_command_that_expands_them(tmp_path, name, text):
    target = "r_expanded.urdf" if name == "r.urdf" else "r.urdf"  # never the file itself
    with pytest.raises(po.ModelError, match=f"has xacro macros, .* expand them first: xacro {name} > {target} "):
        po.read(written(tmp_path, text, name))


def test_what_is_not_taken_is_named_once(tmp_path):
    extra = '<wheel/><wheel/><wheel/><wheel/><wheel/><gazebo><a/></gazebo><links name="z"/>'
    text = ARM.replace("</robot>", extra + "</robot>").replace('<axis xyz="0 2 0"/>', '<axis xyz="0 2 0"/><dynamics friction="3"/>')
    with pytest.warns(po.ModelWarning) as caught:
        read(tmp_path, text)
    words = str(caught.list[0].message)
    assert len(caught.list) == 1 and "unknown tag <wheel> in <robot> (line 16, line 16, line 16 and 2 more)" in words
    assert "dry friction of joints (joint 'shoulder')" in words and "did you mean <link>?" in words and "gazebo" not in words


def test_names_that_a_link_and_a_joint_share(tmp_path):
    with pytest.warns(po.ModelWarning, match="joint 'b' is now 'b_joint'"):
        s = read(tmp_path, robot(joint("b", "continuous", "a", "b"), links="ab"))
    assert s["b"].kind == "body" and s["b_joint"].kind == "revolute"


def test_options_of_other_files(tmp_path):
    with pytest.raises(po.ModelError, match="base: only robots"):
        po.read(MODELS / "pendulum.yaml", base="free")
    with pytest.raises(po.ModelError, match="base must be fixed or free, not 'loose'"):
        read(tmp_path, ARM, base="loose")
    with pytest.raises(TypeError, match="did you mean merge="):
        read(tmp_path, ARM, merg=True)
    with pytest.raises(po.ModelError, match="names no functions and no parameters"):
        po.read(written(tmp_path, ARM), functions={"f": abs})
    with pytest.raises(po.ModelError, match="cannot be read"):
        po.read(tmp_path / "none.urdf")


def test_commands_take_robots(tmp_path):
    path = str(written(tmp_path, ARM))
    checked = CliRunner().invoke(app, ["check", path])
    assert checked.exit_code == 0 and "2 degrees of freedom" in checked.output
    ran = CliRunner().invoke(app, ["run", path, "--duration", "0.1", "--step", "0.01"])
    assert ran.exit_code == 0 and "Audit of 'arm'" in ran.output
    heavy = ARM.replace('<link name="base"/>', '<link name="base"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>')
    free = CliRunner().invoke(app, ["check", str(written(tmp_path, heavy)), "--base", "free"])
    assert "8 degrees of freedom" in free.output
    wrong = CliRunner().invoke(app, ["check", str(written(tmp_path, "<robot/>"))])
    assert wrong.exit_code == 2 and "has no link" in wrong.output
