"""Models of MuJoCo: the same accelerations as MuJoCo, what is not taken listed, and every fault of a file with its line."""

import warnings

import numpy as np
import pytest

import poinsot as po

mujoco = pytest.importorskip("mujoco")

from mujoco_models import CLOSED, OPEN, accelerations, compiled, random_state, with_keyframe  # noqa: E402


def written(folder, text, name="model.xml"):
    path = folder / name
    path.write_text(text)
    return path


def read(folder, text, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.ModelWarning)
        return po.read(written(folder, text), **options)


def expected(model, data, qacc):
    """By joint of the system: its accelerations, from those of MuJoCo."""
    mujoco.mj_resetData(model, data)
    mujoco.mj_kinematics(model, data)
    found = {}
    for k in range(model.njnt):
        kind, i, turn = model.jnt_type[k], model.jnt_dofadr[k], data.xmat[model.jnt_bodyid[k]].reshape(3, 3)
        name = model.joint(k).name or f"{model.body(model.jnt_bodyid[k]).name}_{('free', 'ball', 'slide', 'hinge')[kind]}"
        rates = 6 if kind == 0 else 3 if kind == 1 else 1
        own = qacc[i : i + rates].copy()
        if kind < 2:
            own[-3:] = turn @ own[-3:]  # from the axes of the body to those of the world, in the drawing
        found[k] = (name, own)
    return found


@pytest.mark.parametrize("name", [*OPEN, *CLOSED])
def test_accelerations_of_mujoco(name, tmp_path):
    text = {**OPEN, **CLOSED}[name]
    model, data = compiled(text)
    rng = np.random.default_rng(7)
    worst = 0.0
    for trial in range(3):
        qpos, qvel, ctrl = random_state(model, data, rng, 0.15 if name in CLOSED else 0.8)
        qacc = accelerations(model, data, qpos, qvel, ctrl)
        system = read(tmp_path, with_keyframe(text, qpos, qvel, ctrl), merge=trial != 1)
        dynamics = po.dynamics(system)
        got = dict(zip(dynamics.rates, dynamics.acceleration()))
        seen = 0
        for joint, wanted in expected(model, data, qacc).values():
            values = [value for label, value in got.items() if label.startswith(f"{joint}.")]
            if system[joint].kind == "fixed":  # by an equality
                values, wanted = np.zeros(1), wanted
            seen += len(values)
            worst = max(worst, np.abs(np.array(values) - wanted).max() / np.abs(qacc).max())
        assert seen == model.nv
    print(f"{name}: {worst:.1e}")
    assert worst < 1e-10


ARM = """<mujoco model="arm">
  <option gravity="0 0 -9.81"{option}/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"{floor}/>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"{joint}/>
      <geom name="g1" type="capsule" fromto="0 0 0 0.5 0 0" size="0.04" rgba="1 0 0 1"{floor}/>
      <body name="lower" pos="0.5 0 0">
        <joint name="elbow" axis="0 1 0"/>
        <geom name="g2" type="box" size="0.2 0.03 0.02" pos="0.2 0 0"{floor}/>
      </body>
    </body>
  </worldbody>
  {more}
</mujoco>"""
QUIET = ' contype="0" conaffinity="0"'


def arm(option="", joint="", more="", floor=QUIET):
    return ARM.format(option=option, joint=joint, more=more, floor=floor)


UNTAKEN = {
    "contacts (3 geoms)": arm(floor=""),
    "dry friction of joints (shoulder)": arm(joint=' frictionloss="0.1"'),
    "limits of joints (stops={...} enforces them) (shoulder)": arm(joint=' range="-90 90" limited="true"'),
    "forces of the fluid around (density, wind)": arm(option=' density="1.2" wind="1 0 0"'),
    "forces of the fluid around (viscosity)": arm(option=' viscosity="0.1"'),
    "tendons (t)": arm(more='<tendon><fixed name="t"><joint joint="elbow" coef="1"/></fixed></tendon>'),
    "actuators on a tendon (m)":
        arm(more='<tendon><fixed name="t"><joint joint="elbow" coef="1"/></fixed></tendon><actuator><motor name="m" tendon="t"/></actuator>'),
    "actuators with activation 'filter' (m)": arm(more='<actuator><general name="m" joint="elbow" dyntype="filter" dynprm="0.1"/></actuator>'),
    "actuators with gain 'affine' (m)": arm(more='<actuator><general name="m" joint="elbow" gaintype="affine"/></actuator>'),
    "ranges of actuators (m)": arm(more='<actuator><motor name="m" joint="elbow" ctrlrange="-1 1" ctrllimited="true"/></actuator>'),
    "equalities that are not active (c)": arm(more='<equality><connect name="c" body1="lower" anchor="0.4 0 0" active="false"/></equality>'),
    "mocap bodies, which stay where they are (m)": arm().replace("</worldbody>", '<body name="m" mocap="true"/></worldbody>'),
    "armature of ball and free joints (b)":
        arm().replace("</worldbody>", f'<body name="k"><joint name="b" type="ball" armature="1"/><geom size="0.1"{QUIET}/></body></worldbody>'),
    "stiffness of free joints (b)":
        arm().replace("</worldbody>", f'<body name="k"><joint name="b" type="free" stiffness="1"/><geom size="0.1"{QUIET}/></body></worldbody>'),
    "ellipsoids are not drawn (e)":
        arm().replace("</worldbody>", f'<geom name="e" type="ellipsoid" size="0.1 0.2 0.3"{QUIET}/></worldbody>'),
}


@pytest.mark.parametrize("words", UNTAKEN)
def test_what_is_not_taken_is_listed(words, tmp_path):
    with pytest.warns(po.ModelWarning) as found:
        po.read(written(tmp_path, UNTAKEN[words]))
    listed = [str(w.message) for w in found if "not taken:" in str(w.message)]
    assert len(listed) == 1 and listed[0].count(words) == 1, [str(w.message) for w in found]


def test_what_is_switched_off_is_neither_taken_nor_listed(tmp_path):
    off = " ".join(f"{word}='disable'" for word in ("contact", "limit", "gravity", "actuation", "equality", "frictionloss"))
    flags = "<option><flag " + off + " {}/></option>"
    passive = "spring='disable' damper='disable'" if hasattr(mujoco.mjtDisableBit, "mjDSBL_SPRING") else "passive='disable'"
    more = '<actuator><motor name="m" joint="elbow"/></actuator><equality><connect name="c" body1="lower" anchor="0.4 0 0"/></equality>'
    text = arm(joint=' frictionloss="0.1" range="-1 1" limited="true" stiffness="2" damping="3"', more=more + flags.format(passive), floor="")
    s = po.read(written(tmp_path, text))
    assert s.gravity == (0, 0, 0) and not s.loads and [j.name for j in s.joints] == ["shoulder", "elbow"]


def test_a_plain_arm(tmp_path):
    s = po.read(written(tmp_path, arm()))
    assert (s.name, [b.name for b in s.bodies], [j.name for j in s.joints]) == ("arm", ["upper", "lower"], ["shoulder", "elbow"])
    assert s.gravity == (0, 0, -9.81) and po.read(tmp_path / "model.xml", gravity=None).gravity == (0, 0, 0)
    looks = s["upper"].looks
    assert [type(look.shape).__name__ for look in looks] == ["Cylinder", "Sphere", "Sphere"] and looks[0].colour == "#ff0000"
    assert np.allclose(sorted(look.position[0] for look in looks), (0, 0.25, 0.5)) and looks[0].shape.length == pytest.approx(0.5)
    (box,) = s["lower"].looks
    assert (box.shape.x, box.shape.y, box.shape.z) == (0.4, 0.06, 0.04) and box.colour == "#808080"
    run = po.simulate(s, 1.0, step=0.01)
    assert run.audit.energy_drift < 1e-9
    assert po.read(s.to_yaml(tmp_path / "arm.yaml") and tmp_path / "arm.yaml").to_yaml() == s.to_yaml()


def test_limits_become_stops(tmp_path):
    s = read(tmp_path, arm(joint=' range="-90 45" limited="true" ref="30"'), stops={"stiffness": 1e4, "damping": 10.0})
    stop = s["shoulder_stop"]
    assert np.allclose((stop.lower, stop.upper), np.radians((-120, 15))) and stop.stiffness == 1e4


def test_motors(tmp_path):
    more = '<actuator><motor name="m" joint="elbow" gear="5"/></actuator><keyframe><key name="k" qpos="0.1 0.2" ctrl="2"/></keyframe>'
    s = read(tmp_path, arm(more=more))
    assert s["m"].torque == 10.0 and s.initial[s["elbow"]]["angle"] == (0.2,)
    still = read(tmp_path, arm(more=more), keyframe=None)
    assert still["m"].torque == 0.0 and not still.initial
    assert read(tmp_path, arm(more=more), inputs=True)["m"].law is None
    run = po.prepare(still, step=0.01).run(0.1, change={"m.torque": 3.0})
    assert (run["m"].effort == 3.0).all()


def test_keyframes_by_name_and_number(tmp_path):
    text = arm(more='<keyframe><key name="one" qpos="0.1 0.2"/><key name="two" qpos="0.3 0.4" qvel="1 2"/></keyframe>')
    for keyframe, angle in (("first", 0.1), ("one", 0.1), (1, 0.3), ("two", 0.3)):
        s = read(tmp_path, text, keyframe=keyframe)
        assert s.initial[s["shoulder"]]["angle"] == (angle,)
    assert s.initial[s["elbow"]]["rate"] == (2.0,)
    for wrong, words in (("tow", "did you mean 'two'?"), (2, "has no keyframe 2; it has 2"), (1.5, "it has one, two"), (-1, "counted from 0")):
        with pytest.raises(po.ModelError, match="has no keyframe") as error:
            read(tmp_path, text, keyframe=wrong)
        assert words in str(error.value)


def test_a_keyframe_of_few_digits_closes_its_loops(tmp_path):
    from mujoco_models import FOUR_BAR

    flag = "<option><flag contact='disable'/></option>"
    text = FOUR_BAR.replace("</mujoco>", flag + '<keyframe><key qpos="0.3 0.05 -0.35" qvel="1 0 0"/></keyframe></mujoco>')
    with pytest.warns(po.ModelWarning, match="its qpos was changed by up to 0.[0-9]+, so that its equalities hold"):
        s = po.read(written(tmp_path, text))
    run = po.simulate(s, 0.2, step=0.01)
    assert "closed to" in str(run.audit)
    far = FOUR_BAR.replace('anchor="0 0 -1.5"', 'anchor="0 0 -9"').replace("</mujoco>", '<keyframe><key qpos="0 0 0"/></keyframe></mujoco>')
    moved = far.replace('<connect name="foot" body1="rocker" anchor="0 0 -9"/>', '<connect name="foot" site1="p" site2="q"/>')
    moved = moved.replace("<worldbody>", '<worldbody><site name="q" pos="20 0 0"/>')
    moved = moved.replace('size="0.03"/></body>', 'size="0.03"/><site name="p"/></body>', 1)
    with pytest.raises(po.ModelError, match="keyframe 0: its equalities cannot all hold near there"):
        read(tmp_path, moved)


WRONG = {
    "<mujoco>\n<worldbody>\n<bodi/></worldbody></mujoco>":
        "model.xml:3: MuJoCo refuses this file: Schema violation: unrecognized element; Element 'bodi'",
    "<mujoco>\n<worldbody><body name='a'>\n<joint/></body></worldbody></mujoco>":
        "model.xml:2: MuJoCo refuses this file: mass and inertia of moving bodies",
    "<mujoco>\n<worldbody>\n</mujoco>": "model.xml:3: this is not XML: mismatched tag",
    "<mujoco>\n<include file='nix.xml'/></mujoco>": "model.xml:2: MuJoCo refuses this file: Error opening file",
    arm(more='\n<equality><joint name="e" joint1="elbow" joint2="shoulder" polycoef="0 1 0.5 0 0"/></equality>'):
        "model.xml:15: joint equality 'e': polycoef '0 1 0.5 0 0' is not linear, and a gear is",
    arm(more='\n<equality>\n<joint joint1="elbow" joint2="shoulder" polycoef="0 1 0 2 0"/></equality>'):
        "model.xml:16: joint equality 'joint1': polycoef",
    arm(more='\n<equality><weld name="w" body1="lower" relpose="0.9 0 1 0.9 0 0.1 0"/></equality>'):
        "model.xml:15: weld 'w': its two sides are turned by",
    arm(more='\n<asset><mesh name="m" file="no.stl"/></asset>').replace('type="box" size="0.2 0.03 0.02"', 'type="mesh" mesh="m"'):
        "model.xml:8: body 'lower': its mass comes from the mesh no.stl, which was not found; give it <inertial>, or the file",
    "<other/>": "model.xml:1: a URDF begins with <robot",
    "": "model.xml:1: this is not XML: no element found",
}


@pytest.mark.parametrize("text", WRONG)
def test_faults_have_their_line_and_a_remedy(text, tmp_path):
    with pytest.raises(po.ModelError) as error:
        read(tmp_path, text)
    assert WRONG[text] in str(error.value)


def test_faults_of_included_files_name_them(tmp_path):
    part = '<mujoco>\n\n<equality><joint name="e" joint1="elbow" joint2="shoulder" polycoef="0 1 0.5 0 0"/></equality></mujoco>'
    written(tmp_path, part, "part.xml")
    with pytest.raises(po.ModelError, match=r"part.xml:3: joint equality 'e'"):
        read(tmp_path, arm(more='<include file="part.xml"/>'))


def test_missing_meshes_are_a_warning(tmp_path):
    text = arm(more='<asset><mesh name="m" file="no.stl"/><texture name="t" type="2d" file="no.png"/><material name="k" texture="t"/></asset>')
    text = text.replace('<joint name="elbow"', f'<geom type="mesh" mesh="m" mass="0" material="k"{QUIET}/><joint name="elbow"')
    with pytest.warns(po.ModelWarning, match="meshes were not found: no.stl"):
        s = po.read(written(tmp_path, text))
    assert po.simulate(s, 0.1, step=0.01).t[-1] == 0.1


def test_the_root_tells_the_formats_apart(tmp_path):
    for name in ("a.xml", "a.urdf"):
        assert po.read(written(tmp_path, arm(), name)).name == "arm"
    with pytest.raises(po.ModelError, match="a.mjcf: MuJoCo reads files whose names end in .xml; rename it"):
        po.read(written(tmp_path, arm(), "a.mjcf"))
    robot = '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link></robot>'
    assert po.read(written(tmp_path, robot, "b.xml")).name == "r"
    with pytest.raises(po.ModelError, match="names no functions"):
        po.read(tmp_path / "a.xml", {"f": len})
    with pytest.raises(po.ModelError, match="there is no option base for such files; read_mjcf takes"):
        po.read(tmp_path / "a.xml", base="free")
    with pytest.raises(po.ModelError, match="no-such.xml: cannot be read"):
        po.read(tmp_path / "no-such.xml")


def test_without_mujoco_the_extra_is_named(tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(po.ModelError, match=r"pip install 'poinsot\[mjcf\]'"):
        po.read(written(tmp_path, arm()))


def test_names_that_coincide(tmp_path):
    with pytest.warns(po.ModelWarning, match="joint 'upper' is now 'upper_joint'"):
        s = po.read(written(tmp_path, arm().replace('name="shoulder"', 'name="upper"')))
    assert s["upper_joint"].kind == "revolute"


def test_nothing_is_written_beside_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    read(tmp_path, arm())
    assert [path.name for path in tmp_path.iterdir()] == ["model.xml"]


def test_from_a_shell(tmp_path):
    from typer.testing import CliRunner

    from poinsot.cli import app

    path = str(written(tmp_path, arm(more='<keyframe><key name="one" qpos="0.1 0.2"/><key name="two" qpos="0.3 0.4"/></keyframe>')))
    checked = CliRunner().invoke(app, ["check", path])
    assert checked.exit_code == 0 and "2 degrees of freedom" in checked.output
    ran = CliRunner().invoke(app, ["run", path, "--duration", "0.1", "--keyframe", "two", "-o", str(tmp_path / "out.h5")])
    assert ran.exit_code == 0, ran.output
    assert po.load(tmp_path / "out.h5")["elbow"].angle[0] == 0.4
    wrong = CliRunner().invoke(app, ["run", path, "--keyframe", "2"])
    assert wrong.exit_code == 2 and "has no keyframe 2" in wrong.output


@pytest.mark.parametrize("name", ["ring", "sites"])
def test_closed_systems_with_several_joints_per_body_run(name, tmp_path):
    """The massless bodies between the joints are taken by `tree`, which is chosen where directors do not take them."""
    s = read(tmp_path, CLOSED[name])
    assert any(body.mass == 0 for body in s.bodies)
    for joint in s.joints[:1]:
        joint.set(rate=np.full(joint.freedoms, 0.3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.AssemblyWarning)
        run = po.simulate(s, 0.5, step=0.002)
    assert run.formulation.name == "tree" and run.audit.energy_drift < 1e-8
    assert max(np.abs(part).max() for part in run.openings[1:]) < 1e-12
    with pytest.raises(po.FormulationError, match="has no mass, or no inertia"):
        po.simulate(s, 0.5, step=0.01, formulation="directors")
