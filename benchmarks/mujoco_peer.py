"""A mechanism of `peer_models` in MuJoCo: joint coordinates on the tree, loops closed by points that soft constraints hold together.

Classical Runge-Kutta steps of order four in double precision. Constraints as MuJoCo has them by default, which let joints open, and stiff
ones whose time constant follows the step. What the mechanism does not need is switched off. A march is one call, whose loop runs in C.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from models import MUJOCO_OFF
from peer_method import OUTPUTS, Method, Prepared, step_counts
from peer_models import MOTION, Joint, Mechanism, R, V, W, X

NEEDED = {"CONSTRAINT", "EQUALITY", "PASSIVE", "SPRING", "WARMSTART", "REFSAFE"}
STIFF = (0.9999, 0.9999, 0.001, 0.5, 2.0)  # solimp
CONSTANTS = (2.0, 3.0)  # time constants of stiff constraints, in steps


def imported() -> Any:
    """The package, or None when it is not installed."""
    try:
        import mujoco
    except ImportError:
        return None
    mujoco.set_mju_user_warning(lambda text: None)  # of steps that are too large: their errors say so
    return mujoco


def model(mujoco: Any, m: Mechanism, step: float, constant: float | None) -> Any:
    """Steps in s; `constant`: time constant of the constraints in steps, None for MuJoCo's own."""
    spec = mujoco.MjSpec()
    off = [name for name in MUJOCO_OFF if not (m.joints and name in NEEDED and (m.closing or m.springs))]
    spec.option.disableflags = sum(int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}", 0)) for name in off)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep, spec.option.gravity = step, m.gravity
    bodies = {0: spec.worldbody}
    springs = {spring.joint: spring for spring in m.springs}
    for k, joint in m.tree:
        body = m.bodies[joint.second - 1]
        I = body.inertia
        made = bodies[joint.second] = bodies[joint.first].add_body(
            name=body.name,
            pos=m.local(joint.first, body.position),
            mass=body.mass,
            fullinertia=[I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]],
            ipos=(0, 0, 0),
            explicitinertial=True,
        )
        for n, (kind, axis) in enumerate(freedoms(mujoco, joint)):
            given = {"name": f"joint{k}_{n}", "type": kind, "pos": m.local(joint.second, joint.at)}
            if axis is not None:
                given["axis"] = axis
            if joint.kind == "prismatic" and k in springs:
                spring = springs[k]
                given |= {"springref": spring.length - spring.drawn_length}
            slide = made.add_joint(**given)
            if "springref" in given:
                slide.stiffness = spring.stiffness if np.isscalar(slide.stiffness) else [spring.stiffness, 0, 0]
    for k, spring in springs.items():
        if m.joints[k].kind == "prismatic":
            continue
        tendon = spec.add_tendon(name=f"spring{k}", springlength=[spring.length, spring.length])
        tendon.stiffness = spring.stiffness if np.isscalar(tendon.stiffness) else [spring.stiffness, 0, 0]
        for n, (body, end) in enumerate(zip((m.joints[k].first, m.joints[k].second), spring.ends)):
            bodies[body].add_site(name=f"end{k}_{n}", pos=m.local(body, end))
            tendon.wrap_site(f"end{k}_{n}")
    for joint, point in m.closing_points():
        first, second = sorted((joint.first, joint.second), reverse=True)  # the ground can only be second
        hold = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY)
        hold.name1, hold.name2 = m.bodies[first - 1].name, m.bodies[second - 1].name if second else "world"
        hold.data[:3] = m.local(first, point)
        if constant is not None:
            hold.solref, hold.solimp = (constant * step, 1.0), STIFF
    return spec.compile()


def freedoms(mujoco: Any, joint: Joint) -> list[tuple[Any, Any]]:
    """Kinds and axes of MuJoCo's joints that make one."""
    kinds = mujoco.mjtJoint
    return {
        "spherical": [(kinds.mjJNT_BALL, None)],
        "revolute": [(kinds.mjJNT_HINGE, joint.axis)],
        "universal": [(kinds.mjJNT_HINGE, joint.axis), (kinds.mjJNT_HINGE, joint.axis2)],
        "prismatic": [(kinds.mjJNT_SLIDE, joint.axis)],
    }[joint.kind]


def prepared(mujoco: Any, m: Mechanism, count: float, constant: float | None) -> Prepared:
    """`count` steps in an output interval."""
    built = model(mujoco, m, m.duration / OUTPUTS / count, constant)
    data = mujoco.MjData(built)
    ids = [mujoco.mj_name2id(built, mujoco.mjtObj.mjOBJ_BODY, body.name) for body in m.bodies]
    pushed = [(built.joint(f"joint{k}_0").dofadr[0], torque) for k, torque in m.torques]

    def restart() -> None:
        mujoco.mj_resetData(built, data)
        for freedom, torque in pushed:
            data.qfrc_applied[freedom] = torque

    def march() -> None:
        restart()
        mujoco.mj_step(built, data, nstep=round(OUTPUTS * count))

    def motion() -> np.ndarray:
        restart()
        found = np.empty((OUTPUTS, len(ids), MOTION))
        twist = np.empty(6)
        for row in found:
            mujoco.mj_step(built, data, nstep=round(count))
            mujoco.mj_kinematics(built, data)
            mujoco.mj_comPos(built, data)
            mujoco.mj_comVel(built, data)
            row[:, X], row[:, R] = data.xipos[ids], data.xmat[ids]
            for k, body in enumerate(ids):
                mujoco.mj_objectVelocity(built, data, mujoco.mjtObj.mjOBJ_BODY, body, twist, 0)
                row[k, W], row[k, V] = twist[:3], twist[3:]
        return found

    return Prepared(motion, march)


def methods(m: Mechanism, octave: int = 2) -> list[Method]:
    """None if MuJoCo is not installed; one for open systems, which have no constraints."""
    mujoco = imported()
    if mujoco is None:
        return []
    counts = step_counts(m.duration, m.step, octave=octave)

    def method(program: str, name: str, constant: float | None) -> Method:
        return Method(program, name, lambda count: prepared(mujoco, m, count, constant), counts)

    if not m.closing:
        return [method("MuJoCo", "RK4", None)]
    stiff = [method("MuJoCo, stiff", f"RK4, solref {c:g} h", c) for c in CONSTANTS]
    return [*stiff, method("MuJoCo, default", "RK4", None)]
