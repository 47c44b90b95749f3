"""Small MuJoCo models that between them have everything the reader takes, and their accelerations by MuJoCo's own matrices."""

import mujoco
import numpy as np

CHAIN = """<mujoco model="chain">
  <compiler angle="degree" autolimits="true"/>
  <option gravity="0.3 -0.2 -9.7"/>
  <worldbody>
    <body name="one" pos="0.1 0.2 1.3" euler="10 20 30">
      <inertial pos="0.1 -0.02 -0.3" mass="2" fullinertia="0.21 0.3 0.25 0.01 -0.02 0.03"/>
      <joint name="a" axis="0.3 1 0.1" pos="0.05 0 0.02" ref="20" damping="0.4" stiffness="3" springref="35"/>
      <body name="two" pos="0 0.1 -0.6" axisangle="0 1 0 40">
        <inertial pos="0 0 -0.2" quat="0.9 0.1 0.2 0.3" mass="1.3" diaginertia="0.05 0.06 0.03"/>
        <joint name="b" axis="1 0 0" stiffness="2"/>
        <body name="three" pos="0 0 -0.4">
          <joint name="c" type="slide" axis="0 0.2 1" ref="0.1" stiffness="11" springref="0.3" damping="0.7"/>
          <geom type="box" size="0.05 0.1 0.02" density="800" pos="0.01 0.02 0.03"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>"""

GANTRY = """<mujoco model="gantry">
  <worldbody>
    <body name="hook" pos="0 0 2">
      <joint name="x" type="slide" axis="1 0 0" damping="0.2"/>
      <joint name="y" type="slide" axis="0 1 0.1"/>
      <joint name="swing1" type="hinge" axis="1 0 0" pos="0 0 0.1"/>
      <joint name="swing2" type="hinge" axis="0 1 0" pos="0 0.02 0.1" ref="0.3" stiffness="0.5"/>
      <joint name="swing3" type="hinge" axis="0.1 0 1"/>
      <geom type="capsule" fromto="0 0 0 0.1 0.2 -0.8" size="0.03"/>
      <body name="load" pos="0.1 0.2 -0.8">
        <joint type="ball" pos="0 0 0.05"/>
        <joint type="slide" axis="0 0 1"/>
        <geom type="cylinder" size="0.1 0.2" density="500" pos="0 0.05 -0.3" euler="20 30 40"/>
      </body>
    </body>
  </worldbody>
</mujoco>"""

BALLS = """<mujoco model="balls">
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper" pos="0.3 0 1" quat="0.8 0.2 0.4 0.1">
      <joint name="shoulder" type="ball" damping="0.05" stiffness="1.5" pos="0.1 0 0.1"/>
      <geom type="capsule" size="0.04 0.2" pos="0 0 -0.2"/>
      <body name="lower" pos="0 0 -0.4" euler="0.1 0.5 -0.3">
        <joint name="elbow" type="ball"/>
        <geom type="ellipsoid" size="0.1 0.2 0.3" density="300" pos="0.2 0 0"/>
        <body name="hand" pos="0.4 0 0"><joint name="wrist" axis="0 1 1"/><geom size="0.08" pos="0 0 0.2"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""

FLYING = """<mujoco model="flying">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1" contype="0" conaffinity="0"/>
    <body name="stand" pos="2 0 0"><geom type="box" size="0.1 0.1 0.5" contype="0" conaffinity="0"/></body>
    <body name="base" pos="0.5 0.1 3" euler="15 -20 70" gravcomp="0.8">
      <freejoint name="root"/>
      <geom type="box" size="0.3 0.2 0.1" density="600" rgba="1 0.5 0 1"/>
      <body name="mast" pos="0 0 0.2" euler="0 10 0" gravcomp="0.3">
        <geom type="cylinder" size="0.02 0.3" pos="0 0 0.3"/>
        <body name="head" pos="0 0 0.6"><geom size="0.07" mass="0.4"/></body>
      </body>
      <body name="arm" pos="0.3 0 0"><joint name="shoulder" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0.1" size="0.03"/>
        <body name="tool" pos="0.5 0 0.1" gravcomp="1"><geom type="box" size="0.05 0.02 0.02"/></body>
      </body>
    </body>
    <body name="stone" pos="-1 0 2"><joint type="free" damping="0.3"/><geom type="box" size="0.1 0.2 0.3" pos="0.05 0.1 0"/></body>
  </worldbody>
</mujoco>"""

ACTUATED = """<mujoco model="actuated">
  <worldbody>
    <body name="cart" pos="0 0 1">
      <joint name="rail" type="slide" axis="1 0 0" ref="0.2"/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <body name="pole" pos="0 0 0.05">
        <joint name="pivot" axis="0 1 0" ref="10"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.7" size="0.02"/>
        <body name="tip" pos="0 0 0.7"><joint name="spin" axis="0 1 0.2"/><geom type="capsule" fromto="0 0 0 0.2 0 0.2" size="0.02"/></body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="rail" gear="3"/>
    <position name="servo" joint="pivot" kp="20" kv="1.5" gear="-2"/>
    <velocity name="speed" joint="spin" kv="0.7"/>
    <general name="other" joint="spin" gainprm="2" biastype="affine" biasprm="0.3 -0.5 -0.1" gear="1.5"/>
    <motor name="back" jointinparent="pivot"/>
  </actuator>
</mujoco>"""

ARMATURE = """<mujoco model="armature">
  <option gravity="0 -9.81 0"/>
  <default><joint armature="0.02" damping="0.1"/></default>
  <worldbody>
    <body name="a"><joint name="j1" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
      <body name="b" pos="0.4 0 0"><joint name="j2" axis="0.2 1 0" armature="0.1"/><geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.03"/>
        <body name="c" pos="0.3 0.1 0"><joint name="j3" type="slide" axis="1 1 0" armature="0.5"/><geom size="0.1" pos="0.1 0 0"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>"""

GEARS = """<mujoco model="gears">
  <worldbody>
    <body name="a"><joint name="j1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
      <body name="b" pos="0.4 0 0"><joint name="j2" axis="0 1 0" ref="20"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
        <body name="c" pos="0.4 0 0"><joint name="j3" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
          <body name="d" pos="0.4 0 0"><joint name="j4" type="slide" axis="1 0 0"/><joint name="j5" axis="1 0 0"/>
            <geom size="0.1" pos="0 0.1 0"/></body>
        </body>
      </body>
    </body>
  </worldbody>
  <equality>
    <joint name="tied" joint1="j2" joint2="j1" polycoef="0 -1.5 0 0 0"/>
    <joint name="offset" joint1="j4" joint2="j2" polycoef="0.1 0.3 0 0 0"/>
    <joint name="held" joint1="j5" polycoef="0.4 0 0 0 0"/>
  </equality>
</mujoco>"""

FOUR_BAR = """<mujoco model="four-bar">
  <worldbody>
    <body name="crank"><joint name="base" axis="0 1 0" damping="0.1"/><geom type="capsule" fromto="0 0 0 0 0 1" size="0.03"/>
      <body name="coupler" pos="0 0 1"><joint name="elbow" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 2 0 0.5" size="0.03"/>
        <body name="rocker" pos="2 0 0.5"><joint name="knee" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -1.5" size="0.03"/></body>
      </body>
    </body>
  </worldbody>
  <equality><connect name="foot" body1="rocker" anchor="0 0 -1.5"/></equality>
</mujoco>"""

RING = """<mujoco model="ring">
  <option gravity="0 0 0"/>
  <worldbody>
    <body name="hub"><freejoint/><geom type="box" size="0.2 0.2 0.05"/>
      <body name="left" pos="0.2 0 0"><joint name="l1" type="ball"/><geom type="capsule" fromto="0 0 0 0.5 0 0.3" size="0.03"/>
        <body name="left2" pos="0.5 0 0.3" euler="0 20 0"><joint name="l2" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 -0.2 0 0.5" size="0.03"/>
          <site name="tip" pos="-0.2 0 0.5"/></body>
      </body>
      <body name="right" pos="-0.2 0 0"><joint name="r1" axis="0.1 1 0"/><joint name="r2" axis="1 0 0"/><joint name="r3" axis="0 0 1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0.6" size="0.03"/>
        <body name="slider" pos="0.1 0 0.4"><joint name="r4" type="slide" axis="0 0 1"/><geom size="0.06"/></body>
      </body>
    </body>
  </worldbody>
  <equality><weld name="joined" body1="left2" body2="slider"/></equality>
</mujoco>"""

SITES = """<mujoco model="sites">
  <worldbody>
    <body name="a" pos="0 0 1"><joint name="a1" axis="0 1 0"/><joint name="a2" axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03"/>
      <site name="sa" pos="0.5 0 0"/></body>
    <body name="b" pos="1 0 1"><joint name="b1" axis="0 1 0"/><joint name="b2" axis="0 0 1"/>
      <geom type="capsule" fromto="0 0 0 -0.5 0 0.3" size="0.03"/>
      <body name="c" pos="-0.5 0 0.3"><joint name="n" type="ball"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03"/>
        <site name="sc" pos="0 0 -0.3"/></body>
    </body>
  </worldbody>
  <equality><connect site1="sa" site2="sc"/></equality>
</mujoco>"""

CLASSES = """<mujoco model="classes">
  <compiler angle="degree" inertiafromgeom="auto" eulerseq="zyx"/>
  <default>
    <geom density="700"/>
    <default class="limb"><joint damping="0.2" axis="0 1 0"/><geom type="capsule" size="0.04"/></default>
    <default class="stiff"><joint stiffness="4" springref="-10"/></default>
  </default>
  <worldbody>
    <body name="torso" pos="0 0 1.2" childclass="limb">
      <joint name="rootx" type="slide" axis="1 0 0" damping="0"/><joint name="rootz" type="slide" axis="0 0 1" damping="0"/><joint name="rooty"/>
      <geom fromto="0 0 0 0 0 0.5"/>
      <frame pos="0 0.1 0" euler="5 0 20">
        <body name="thigh" pos="0 0 -0.05"><joint name="hip" class="stiff"/><geom fromto="0 0 0 0.1 0 -0.4"/>
          <body name="shin" pos="0.1 0 -0.4" euler="0 30 0"><joint name="knee"/><geom fromto="0 0 0 0 0 -0.4"/>
            <body name="foot" pos="0 0 -0.4"><geom type="box" size="0.1 0.05 0.02" pos="0.05 0 0"/></body></body></body>
      </frame>
      <replicate count="3" euler="0 0 40" offset="0.1 0 0">
        <body name="tail" pos="-0.1 0 0.3"><joint name="wag" axis="0 0.2 1"/><geom fromto="0 0 0 -0.3 0 0.1"/></body>
      </replicate>
    </body>
  </worldbody>
</mujoco>"""

WELDED = """<mujoco model="welded">
  <worldbody>
    <body name="boom" pos="0 0 1"><joint name="j1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03"/>
      <body name="bracket" pos="0.5 0 0" euler="0 0 30"><geom type="box" size="0.05 0.05 0.05"/>
        <body name="plate" pos="0.1 0 0.05" euler="40 0 0"><geom type="box" size="0.1 0.02 0.1"/>
          <body name="flap" pos="0.1 0 0"><joint name="j2" axis="0 0 1" pos="-0.02 0 0"/><geom type="box" size="0.1 0.01 0.1" pos="0.1 0 0"/></body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>"""

OPEN = {"chain": CHAIN, "gantry": GANTRY, "balls": BALLS, "flying": FLYING, "actuated": ACTUATED}
OPEN |= {"armature": ARMATURE, "classes": CLASSES, "welded": WELDED}
CLOSED = {"gears": GEARS, "four-bar": FOUR_BAR, "ring": RING, "sites": SITES}


def compiled(text):
    """A model without contacts, limits and dry friction, and its data."""
    model = mujoco.MjModel.from_xml_string(text)
    bits = mujoco.mjtDisableBit
    model.opt.disableflags |= bits.mjDSBL_CONTACT | bits.mjDSBL_LIMIT | bits.mjDSBL_FRICTIONLOSS
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    return model, mujoco.MjData(model)


def random_state(model, data, rng, size=0.4):
    """qpos, qvel and ctrl that satisfy the equalities."""
    qpos = model.qpos0.copy()
    mujoco.mj_integratePos(model, qpos, size * rng.standard_normal(model.nv), 1.0)
    qvel = rng.standard_normal(model.nv)
    for _ in range(100):
        data.qpos[:] = qpos
        mujoco.mj_fwdPosition(model, data)
        rows, gap = data.efc_J.reshape(-1, model.nv), data.efc_pos
        if np.abs(gap).max(initial=0.0) < 1e-14:
            break
        mujoco.mj_integratePos(model, qpos, np.linalg.lstsq(rows, -gap, rcond=1e-10)[0], 1.0)
    assert np.abs(gap).max(initial=0.0) < 1e-13, "the test has no state in which the loops are closed"
    if rows.size:
        qvel = qvel - np.linalg.lstsq(rows, rows @ qvel, rcond=1e-10)[0]
    return qpos, qvel, rng.standard_normal(model.nu)


def accelerations(model, data, qpos, qvel, ctrl):
    """qacc by MuJoCo's mass matrix and forces, equalities as hard constraints: M a - J' l = f, J a = -J' v."""
    data.qpos[:], data.qvel[:], data.ctrl[:] = qpos, qvel, ctrl
    mujoco.mj_forward(model, data)
    force = data.qfrc_passive + data.qfrc_actuator + data.qfrc_applied - data.qfrc_bias
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(*((model, data, full) if takes_data() else (model, full, data.qM)))
    rows, bias = hard_rows(model, data, qvel)
    if not len(rows):
        qacc = np.linalg.solve(full, force)
        assert np.allclose(qacc, data.qacc, rtol=0, atol=1e-10 * np.abs(qacc).max())
        return qacc
    n, m = model.nv, len(rows)
    matrix = np.block([[full, -rows.T], [rows, np.zeros((m, m))]])
    return np.linalg.lstsq(matrix, np.concatenate([force, -bias]), rcond=1e-12)[0][:n]


def takes_data():
    """Whether mj_fullM takes (model, data, result), as from MuJoCo 3.4 or so on, instead of (model, result, qM)."""
    return "d:" in (mujoco.mj_fullM.__doc__ or "").split("\n")[0]


def hard_rows(model, data, qvel):
    """Rows of all equalities on qvel, and their derivatives times qvel."""
    rows, bias = [], []
    for k in range(model.neq):
        first, second = model.eq_obj1id[k], model.eq_obj2id[k]
        kind = mujoco.mjtEq(model.eq_type[k])
        if kind == mujoco.mjtEq.mjEQ_JOINT:
            row = np.zeros(model.nv)
            row[model.jnt_dofadr[first]] = 1.0
            if second >= 0:
                row[model.jnt_dofadr[second]] = -model.eq_data[k, 1]
            rows.append(row)
            bias.append(0.0)
            continue
        sites = model.eq_objtype[k] == mujoco.mjtObj.mjOBJ_SITE
        bodies = [model.site_bodyid[j] if sites else j for j in (first, second)]
        own = (model.eq_data[k, 3:6], model.eq_data[k, 0:3]) if kind == mujoco.mjtEq.mjEQ_WELD else (model.eq_data[k, 0:3], model.eq_data[k, 3:6])
        points = [data.site_xpos[j] for j in (first, second)] if sites else [
            data.xpos[j] + data.xmat[j].reshape(3, 3) @ p for j, p in zip(bodies, own)
        ]
        found = [_jacobians(model, data, body, point, qvel) for body, point in zip(bodies, points)]
        parts = (0, 1) if kind == mujoco.mjtEq.mjEQ_WELD else (0,)
        for part in parts:
            rows += list(found[0][0][part] - found[1][0][part])
            bias += list(found[0][1][part] - found[1][1][part])
    return np.array(rows), np.array(bias)


def _jacobians(model, data, body, point, qvel):
    """Jacobians of a point and of the rotation, and their derivatives times qvel."""
    own, dot = np.zeros((2, 3, model.nv)), np.zeros((2, 3, model.nv))
    mujoco.mj_jac(model, data, own[0], own[1], point, body)
    mujoco.mj_jacDot(model, data, dot[0], dot[1], point, body)
    return own, dot @ qvel


def with_keyframe(text, qpos, qvel, ctrl):
    """The model with a keyframe, to the last digit."""
    listed = {"qpos": qpos, "qvel": qvel, "ctrl": ctrl}
    words = " ".join(f'{name}="{" ".join(repr(float(x)) for x in values)}"' for name, values in listed.items() if len(values))
    return text.replace("</mujoco>", f"  <keyframe><key name=\"start\" {words}/></keyframe>\n</mujoco>")
