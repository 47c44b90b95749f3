"""A mechanism of `peer_models` in Poinsot: every formulation with every integrator that fits, as the registries list them."""

from __future__ import annotations

from typing import Any

import numpy as np
from peer_method import OUTPUTS, Method, Prepared, step_counts, tolerances
from peer_models import MOTION, Mechanism, R, V, W, X

import poinsot as po
from poinsot.comparison.candidates import Candidate, fitting
from poinsot.formulations import registry as formulations
from poinsot.formulations.contract import BODY_MOTION
from poinsot.integrators import registry as integrators
from poinsot.layout.freeze import freeze
from poinsot.model.rotation import matrices

NAME = "Poinsot"
CHECKS = ("moving-frame", "planar")  # formulations that are there to check others, or for chains of one kind
LEFT_OUT = ("gauss1", "gauss2", "gauss3")  # slower than gauss4 at every accuracy of interest


def system(mechanism: Mechanism) -> po.System:
    """In a plane, if it is described in one."""
    m = mechanism
    flat = m.plane is not None
    s = po.System(m.name, gravity=m.gravity if not flat else None, plane=m.plane)
    assert not flat or (m.plane == "xy" and not any(m.gravity))

    def at(point: Any) -> Any:
        return point[:2] if flat else point

    bodies = [s.ground]
    for body in m.bodies:
        inertia = float(body.inertia[2, 2]) if flat else body.inertia
        bodies.append(s.body(body.name, mass=body.mass, inertia=inertia, position=at(body.position)))
    joints: list[Any] = []
    for k, joint in enumerate(m.joints):
        pair, name = (bodies[joint.first], bodies[joint.second]), f"joint{k + 1}"
        axes = {} if flat else {key: value for key, value in (("axis", joint.axis), ("axis2", joint.axis2)) if value is not None}
        joints.append(getattr(s, joint.kind)(*pair, at=at(joint.at), name=name, **axes))
    for k, spring in enumerate(m.springs):
        joint, name = m.joints[spring.joint], f"spring{k + 1}"
        if joint.kind == "prismatic":
            rest = spring.length - spring.drawn_length
            s.add(po.JointSpring(joints[spring.joint], spring.stiffness, rest=rest, name=name))
        else:
            ends = tuple(at(end) for end in spring.ends)
            pair = bodies[joint.first], bodies[joint.second]
            s.add(po.Spring(*pair, at=ends, stiffness=spring.stiffness, length=spring.length, name=name))
    for number, torque in m.torques:
        s.add(po.Motor(joints[number], torque, name=f"torque{number}"))
    return s


def motion(run: po.Trajectory) -> np.ndarray:
    """(OUTPUTS, bodies, 18) after the start."""
    end = BODY_MOTION * len(run.frozen.layout.bodies)
    raw = run.motion[1:, BODY_MOTION:end].reshape(len(run.t) - 1, -1, BODY_MOTION)  # without the ground
    found = np.empty((*raw.shape[:2], MOTION))
    found[..., X], found[..., V], found[..., W] = raw[..., :3], raw[..., 7:10], raw[..., 10:13]
    found[..., R] = matrices(raw[..., 3:7]).reshape(*raw.shape[:2], 9)
    return found


def prepared(s: po.System, mechanism: Mechanism, formulation: str, integrator: str, **given: Any) -> Prepared:
    """A prepared system; a march is its `run`."""
    ready = po.prepare(s, formulation=formulation, integrator=integrator, **given)
    last: list[po.Trajectory] = []

    def march() -> po.Trajectory:
        last[:] = [ready.run(mechanism.duration, output_step=mechanism.duration / OUTPUTS, progress=False)]
        return last[0]

    return Prepared(lambda: motion(march()), march, lambda: last[0].record.seconds)


def worth_while(one: Candidate, closed: bool) -> bool:
    """With multipliers: not for open systems, where joint coordinates cost less, and not by Gauss methods, which iterate over projections."""
    return not one.multipliers or (closed and not one.integrator.startswith("gauss"))


def methods(mechanism: Mechanism, per_decade: int = 2, octave: int = 2) -> list[Method]:
    """All that fit and are worth while."""
    s = system(mechanism)
    wanted = [name for name in formulations.names() if name not in CHECKS]
    chosen = [name for name in integrators.all_names() if name not in LEFT_OUT]
    found, _ = fitting(freeze(s), wanted, chosen)
    made = []
    for one in found:
        if not worth_while(one, bool(mechanism.closing)):
            continue
        pair = one.formulation, one.integrator
        if one.adaptive:

            def make(tolerance: float, pair: Any = pair) -> Prepared:
                return prepared(s, mechanism, *pair, rtol=tolerance, atol=tolerance)

            settings = tolerances(per_decade)
        else:

            def make(count: float, pair: Any = pair) -> Prepared:
                return prepared(s, mechanism, *pair, step=mechanism.duration / OUTPUTS / count)

            settings = step_counts(mechanism.duration, mechanism.step, 1000, octave)
        made.append(Method(NAME, ", ".join(pair), make, settings))
    return made


def reference(mechanism: Mechanism, fine: float = 1.0) -> tuple[np.ndarray, np.ndarray, str]:
    """Two converged motions by different methods, in different formulations, and their names."""
    s, closed = system(mechanism), bool(mechanism.closing)
    step = mechanism.step / 64 / fine
    step = mechanism.duration / OUTPUTS / np.ceil(mechanism.duration / OUTPUTS / step)
    pairs = [("directors", "energy-momentum-6") if closed else ("tree", "gauss4"), ("rotation-matrix", "dop853")]
    one = prepared(s, mechanism, *pairs[0], step=float(step)).motion()
    other = prepared(s, mechanism, *pairs[1], rtol=1e-13, atol=1e-14).motion()
    words = f"{', '.join(pairs[0])} in steps of {step:.2g} s, and {', '.join(pairs[1])} to 1e-13"
    return one, other, words
