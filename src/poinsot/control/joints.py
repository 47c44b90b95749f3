"""Control of joints: PD and PID with gravity compensation, and computed torque, from the states of the bodies alone.

Joints turn about, or slide along, one axis each. What gravity and inertia ask of a joint comes from the places of all bodies that it
carries, so that the laws know nothing of how a run is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba.extending import register_jitable

from poinsot.control.gains import gain_matrix, positive_definite
from poinsot.errors import ModelError
from poinsot.layout.topology import build_topology
from poinsot.model.body import Body, Point
from poinsot.model.feedback import Feedback
from poinsot.model.forces import Motor
from poinsot.model.guard import TEXT, TRUTH, door
from poinsot.model.joint import Helical, Joint
from poinsot.model.signals import Signal
from poinsot.model.system import System
from poinsot.model.words import short_repr

PER_JOINT, PER_BODY = 14, 18  # numbers that laws see of a joint (q, q', point, tip, velocity, spin) and of a body (com, velocity, spin, attitude)


@register_jitable  # so that the laws that call it can be compiled
def gravity_efforts(x, first, p, u):
    """Add to u what holds the bodies against gravity: minus sum of m g . (velocity of the centre of mass per rate)."""
    n, bodies = p.carries.shape
    for j in range(n):
        a = PER_JOINT * j
        for b in range(bodies):
            c = first + PER_BODY * b
            if p.carries[j, b] != 0.0:
                ex, ey, ez = x[a + 5] - x[a + 2], x[a + 6] - x[a + 3], x[a + 7] - x[a + 4]
                rx, ry, rz = x[c] - x[a + 2], x[c + 1] - x[a + 3], x[c + 2] - x[a + 4]
                vx = p.turns[j] * (ey * rz - ez * ry) + (1.0 - p.turns[j]) * ex
                vy = p.turns[j] * (ez * rx - ex * rz) + (1.0 - p.turns[j]) * ey
                vz = p.turns[j] * (ex * ry - ey * rx) + (1.0 - p.turns[j]) * ez
                pull = p.gravity[0] * vx + p.gravity[1] * vy + p.gravity[2] * vz
                u[j] -= p.carries[j, b] * p.mass[b] * pull


def pd_law(t, x, p, u):
    """u = -K (q - target) - D (q' - target') + gravity."""
    n, bodies = p.carries.shape
    wanted = PER_JOINT * n + PER_BODY * bodies
    gravity_efforts(x, PER_JOINT * n, p, u)
    for i in range(n):
        for j in range(n):
            u[i] -= p.K[i, j] * (x[PER_JOINT * j] - x[wanted + j])
            u[i] -= p.D[i, j] * (x[PER_JOINT * j + 1] - x[wanted + n + j])


def pid_law(t, x, p, u, z, dz):
    """The same with the integrals z of the errors: u = ... - z, z' = I (q - target)."""
    n, bodies = p.carries.shape
    wanted = PER_JOINT * n + PER_BODY * bodies
    gravity_efforts(x, PER_JOINT * n, p, u)
    for i in range(n):
        u[i] -= z[i]
        for j in range(n):
            error = x[PER_JOINT * j] - x[wanted + j]
            u[i] -= p.K[i, j] * error + p.D[i, j] * (x[PER_JOINT * j + 1] - x[wanted + n + j])
            dz[i] += p.I[i, j] * error


def computed_torque_law(t, x, p, u):
    """u = M(q) (target'' - D e' - K e) + h(q, q'), with M and h summed over all bodies by the velocities that every joint gives them."""
    n, bodies = p.carries.shape
    start = PER_JOINT * n
    wanted = start + PER_BODY * bodies
    gravity_efforts(x, start, p, u)
    v, w, force, moment = np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(3), np.zeros(3)
    demand = np.zeros(n)
    for i in range(n):
        demand[i] = x[wanted + 2 * n + i]
        for j in range(n):
            demand[i] -= p.K[i, j] * (x[PER_JOINT * j] - x[wanted + j])
            demand[i] -= p.D[i, j] * (x[PER_JOINT * j + 1] - x[wanted + n + j])
    for b in range(bodies):
        c = start + PER_BODY * b
        A = x[c + 9 : c + 18].copy().reshape((3, 3))
        inertia = A @ p.J[b] @ A.T
        spin = x[c + 6 : c + 9]
        force[:], moment[:] = 0.0, 0.0  # accelerations of the centre of mass and of the body
        for j in range(n):
            a, s = PER_JOINT * j, p.carries[j, b]
            v[j], w[j] = 0.0, 0.0
            if s != 0.0:
                e = (x[a + 5 : a + 8] - x[a + 2 : a + 5]) * s
                turning = np.cross(x[a + 11 : a + 14], e)  # of the axis
                if p.turns[j] == 1.0:
                    arm = x[c : c + 3] - x[a + 2 : a + 5]
                    v[j], w[j] = np.cross(e, arm), e
                    change = x[c + 3 : c + 6] - x[a + 8 : a + 11]
                    force += x[a + 1] * (np.cross(turning, arm) + np.cross(e, change))
                    moment += x[a + 1] * turning
                else:
                    v[j] = e
                    force += x[a + 1] * 2.0 * turning - x[a + 1] * turning
                force += demand[j] * v[j]
                moment += demand[j] * w[j]
        turned = inertia @ moment + np.cross(spin, inertia @ spin)
        for j in range(n):
            u[j] += p.mass[b] * np.dot(v[j], force) + np.dot(w[j], turned)


def pd_energy(t, x, p):
    """V of pd: kinetic energy of all bodies + e' K e / 2, J."""
    n, bodies = p.carries.shape
    start = PER_JOINT * n
    e = x[:start:PER_JOINT] - x[start + PER_BODY * bodies :][:n]
    found = 0.5 * e @ p.K @ e
    for b in range(bodies):
        c = start + PER_BODY * b
        v, spin = x[c + 3 : c + 6], x[c + 9 : c + 18].reshape(3, 3).T @ x[c + 6 : c + 9]
        found += 0.5 * (p.mass[b] * v @ v + spin @ p.J[b] @ spin)
    return found


def pd_loss(t, x, p):
    """V' of pd: -q' D q', W."""
    rates = x[1 : PER_JOINT * len(p.carries) : PER_JOINT]
    return -rates @ p.D @ rates


def error_energy(t, x, p):
    """V of computed torque: e' e' / 2 + e K e / 2, of the unit of the errors squared per s^2."""
    e, rate = _errors(x, p)
    return 0.5 * (rate @ rate + e @ p.K @ e)


def error_loss(t, x, p):
    """V' of computed torque: -e' D e'."""
    _, rate = _errors(x, p)
    return -rate @ p.D @ rate


def _errors(x, p):
    n, bodies = p.carries.shape
    start = PER_JOINT * n
    wanted = x[start + PER_BODY * bodies :]
    return x[:start:PER_JOINT] - wanted[:n], x[1:start:PER_JOINT] - wanted[n : 2 * n]


@door(gravity=TRUTH, name=TEXT)
def pd(
    joints: Sequence[Joint], kp: Any, kd: Any, *, target: Any = 0.0, gravity: bool = True, limits: Any = None, period: Any = None, name: str = ""
) -> Feedback:
    """PD control of joints: u = -kp (q - target) - kd (q' - target') and, with `gravity`, what holds all bodies against gravity.

    Open systems only, with `gravity`. Where it controls all joints that move, with `gravity`, a constant target and
    a symmetric kp, it has the Lyapunov function V = kinetic energy + e' kp e / 2, with V' = -q' kd q' as long as nothing else does work.

    Parameters
    ----------
    joints : revolute and prismatic joints of a system in space; the law adds a motor to each
    kp : N m/rad or N/m: a number, one for each joint, or a positive definite matrix
    kd : N m s/rad or N s/m, in the same forms
    target : rad or m: a number, one for each joint, or a po.Signal with one for each joint
    gravity : whether efforts also hold all bodies against gravity
    limits : of the efforts, N m or N: a number (-limit to limit), or for each a number or a pair
    period : s, of a sampled law; None: continuous
    name : of the feedback
    """
    return _made(pd_law, joints, {"K": kp, "D": kd}, target, gravity, limits, period, name or "pd")


@door(gravity=TRUTH, name=TEXT)
def pid(
    joints: Sequence[Joint], kp: Any, ki: Any, kd: Any, *, target: Any = 0.0, gravity: bool = True, limits: Any = None, period: Any = None,
    name: str = "",
) -> Feedback:  # fmt: skip
    """PID control of joints: as `pd`, and the integrals of ki (q - target), which the controller keeps as its states.

    It is continuous; for a sampled one write the law of the integrals as they are after a sample.

    Parameters
    ----------
    joints, kp, kd, target, gravity, limits, name : as of `pd`
    ki : N m/(rad s) or N/(m s), in the forms of kp
    period : None
    """
    if period is not None:
        raise ModelError("pid: the integrals of this law are continuous; leave out period=, or write a sampled law with po.Feedback")
    return _made(pid_law, joints, {"K": kp, "D": kd, "I": ki}, target, gravity, limits, None, name or "pid")


@door(name=TEXT)
def computed_torque(joints: Sequence[Joint], kp: Any, kd: Any, *, target: Any = 0.0, limits: Any = None, name: str = "") -> Feedback:
    """Computed torque: u = M(q) (target'' - kd e' - kp e) + h(q, q'), so that the errors obey e'' + kd e' + kp e = 0 exactly.

    What other forces than gravity do is not compensated. With a symmetric kp its Lyapunov function is
    V = e' e' / 2 + e kp e / 2, with V' = -e' kd e'.

    Parameters
    ----------
    joints : all joints of the system that move, revolute and prismatic; the law adds a motor to each
    kp : 1/s^2: a number, one for each joint, or a positive definite matrix
    kd : 1/s, in the same forms
    target : rad or m: a number, one for each joint, or a po.Signal with one for each joint
    limits : of the efforts, N m or N: a number (-limit to limit), or for each a number or a pair
    name : of the feedback
    """
    joints = _joints("computed_torque", joints)
    free = _uncontrolled(_system("computed_torque", joints), joints)
    if free:
        raise ModelError(f"computed_torque: {', '.join(free)} can move and is not controlled; give all joints that move, or use pd")
    return _made(computed_torque_law, joints, {"K": kp, "D": kd}, target, True, limits, None, name or "computed_torque")


def _made(law: Any, joints: Any, gains: dict[str, Any], target: Any, gravity: bool, limits: Any, period: Any, name: str) -> Feedback:
    joints = _joints(name, joints)
    system, n = _system(name, joints), len(joints)
    read = {key: positive_definite(gain_matrix(value, n, f"{name}: {key}"), f"{name}: gain {key}", symmetric=False) for key, value in gains.items()}
    signal = target if isinstance(target, Signal) else _still(target, n, name)
    if signal.size != n:
        raise ModelError(f"{name}: the target has {signal.size} numbers for {n} joint{'s' * (n != 1)}")
    carries, bodies = carried(system, joints, name) if gravity else (np.zeros((n, 1)), [joints[0].second])
    params = read | {
        "carries": carries,
        "turns": [float(_helical(joint).rot != 0.0) for joint in joints],
        "mass": [body.mass for body in bodies],
        "J": [body.inertia_matrix().tolist() for body in bodies],
        "gravity": list(system.gravity),
    }
    outputs: list[Any] = []
    for joint in joints:
        outputs += _seen(joint)
    for body in bodies:
        outputs += [f"{body.name}.{result}" for result in ("com", "com_velocity", "angular_velocity", "rotation")]
    motors = [system.add(Motor(joint, name=f"{name} {joint.name}")) for joint in joints]
    states = {joint.name: 0.0 for joint in joints} if "I" in gains else None
    still = not isinstance(target, Signal) and gravity and not _uncontrolled(system, joints)
    judged = {pd_law: (pd_energy, pd_loss) if still else (), computed_torque_law: (error_energy, error_loss)}.get(law, ())
    if not np.array_equal(read["K"], read["K"].T):
        judged = ()
    lyapunov = dict(zip(("lyapunov", "lyapunov_rate"), judged))
    made = Feedback(law, motors, outputs, params, states=states, period=period, limits=limits, target=signal, name=name, **lyapunov)
    return system.add(made)


def _uncontrolled(system: System, joints: Sequence[Joint]) -> list[str]:
    """Names of the joints that can move and are not among these."""
    return [joint.name for joint in build_topology(system).joints if joint.freedoms and joint not in joints]


def _seen(joint: Joint) -> list[Any]:
    """What laws see of a joint: coordinate, rate, a point of its axis, the tip of the axis, velocity of that point, spin of the first body."""
    first, axis = joint.first, np.array(_helical(joint).axis)
    point = Point(first, _vector(first.local(joint.first_at)))
    tip = Point(first, _vector(first.local(np.array(joint.first_at) + axis)))
    name = joint.names[0]
    moving = [point.x.rate, point.y.rate, point.z.rate, f"{first.name}.angular_velocity"]
    return [f"{joint.name}.{name}", f"{joint.name}.{joint.rate_names[0]}", point, tip, *moving]


def _vector(numbers: Any) -> tuple[float, float, float]:
    x, y, z = (float(number) for number in numbers)
    return (x, y, z)


def carried(system: System, joints: Sequence[Joint], name: str) -> tuple[np.ndarray, list[Body]]:
    """Which bodies every joint carries: +1 where it moves them with its second body, -1 with its first; and the bodies that have a mass."""
    topology = build_topology(system)
    if topology.loops or system.constraints:
        raise ModelError(f"{name}: gravity is compensated in open systems only; give gravity=False, or use a po.Servo")
    bodies = [body for body in system.bodies if body.mass > 0]
    table = np.zeros((len(joints), len(bodies)))
    for k, body in enumerate(bodies):
        at = topology.index[body]
        while at > 0:
            joint = topology.joints[topology.joint[at]]
            if joint in joints:
                table[list(joints).index(joint), k] = topology.direction[at]
            at = topology.parent[at]
    return table, bodies


def _joints(name: str, joints: Any) -> list[Joint]:
    found = list(joints) if isinstance(joints, list | tuple) else [joints]
    for joint in found:
        single = isinstance(joint, Joint) and len(joint.motions()) == 1 and isinstance(joint.motions()[0], Helical)
        if not single or _helical(joint).rot * _helical(joint).lin:
            what = joint.label() if isinstance(joint, Joint) else short_repr(joint)
            raise ModelError(f"{name}: controls joints that turn or slide, revolute and prismatic; not {what}")
    if not found:
        raise ModelError(f"{name}: give at least one joint")
    return found


def _system(name: str, joints: Sequence[Joint]) -> System:
    system = joints[0].system
    if system is None or any(joint.system is not system for joint in joints):
        raise ModelError(f"{name}: its joints must be those of one system")
    if system.plane is not None:
        raise ModelError(f"{name}: works on systems in space; draw system '{system.name}' in space, or write the law with po.Feedback")
    return system


def _helical(joint: Joint) -> Helical:
    motion = joint.motions()[0]
    assert isinstance(motion, Helical)
    return motion


def _still(target: Any, n: int, name: str) -> Signal:
    """A constant target as a signal."""
    from poinsot.model.signals import Polynomials

    values = np.broadcast_to(np.atleast_1d(np.asarray(target, float)), (n,)) if np.size(target) in (1, n) else None
    if values is None or not np.isfinite(values).all():
        raise ModelError(f"{name}: target must be {n} number{'s' * (n != 1)} or a po.Signal, not {short_repr(target)}")
    return Polynomials([0.0, 1.0], np.array(values)[None, None])
