"""The table of loads, their parameters in `values`, and the addresses of users' functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from poinsot.layout.callbacks import Callback, wrap
from poinsot.layout.forms import FEEDBACK, SCALAR, Form, body_form, spin_form, vector_form
from poinsot.layout.topology import Topology
from poinsot.model import forces
from poinsot.model.functions import same_function
from poinsot.model.returned import accepts
from poinsot.model.system import PLANES, System
from poinsot.tables.records import EULER_SPRING, FORCE, JOINT_DAMPER, JOINT_SPRING, LOAD, MOTOR, SPRING, TORQUE, USER

GRAVITY = 3  # numbers of gravity at the beginning of `values`


@dataclass
class Loads:
    """Table of loads; one load of the model may need several rows (a damper on every motion of a joint).

    Attributes
    ----------
    owner : for every row the load of the model it belongs to
    offsets : of every load of the model, the position of its parameters in `values`
    """

    table: np.ndarray
    members: np.ndarray
    values: np.ndarray
    addresses: np.ndarray
    callbacks: list[Callback]
    owner: list[forces.Load]
    offsets: dict[forces.Load, int]


@dataclass
class _Builder:
    system: System
    topology: Topology
    first_motion: list[int]
    rows: list[dict[str, Any]] = field(default_factory=list)
    owner: list[forces.Load] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    callbacks: list[Callback] = field(default_factory=list)
    offsets: dict[forces.Load, int] = field(default_factory=dict)
    known: Sequence[Callback] = ()

    def row(self, load: forces.Load, kind: int, **fields: Any) -> None:
        self.rows.append(
            {"kind": kind, "value": self.offsets[load], "values": len(load.values()), "address": -1, "motion": -1}
            | fields
        )
        self.owner.append(load)

    def call(self, load: forces.Load, form: Form, function: Any) -> int:
        known = self.known[len(self.callbacks)] if self.known else None
        if known is None or not same_function(known.function, function):
            made = [c for c in self.callbacks if c.compiled and c.function is function and c.form is form]
            known = replace(made[0], label=load.label(), failure=[]) if made else wrap(load.label(), form, function)
        self.callbacks.append(known)
        return len(self.callbacks) - 1

    def joint_load(self, load: forces.JointLoad, kind: int) -> None:
        joint = self.topology.joints.index(load.joint)
        for k in load.motions():
            self.row(load, kind, motion=self.first_motion[joint] + k)

    def motor(self, load: forces.Motor) -> None:
        joint = self.topology.joints.index(load.joint)
        address = -1
        if callable(load.law):
            address = self.call(load, SCALAR if accepts(load.law, 1) else FEEDBACK, load.law)
        self.row(load, MOTOR, motion=self.first_motion[joint] + load.motions()[0], address=address)

    def spring(self, load: forces.Spring) -> None:
        a, b = load.ends  # type: ignore[attr-defined]
        self.row(
            load,
            SPRING,
            first=self.topology.index[load.first],
            second=self.topology.index[load.second],
            first_point=load.first.local(a),
            second_point=load.second.local(b),
        )

    def body_vector(self, load: forces.BodyVector) -> None:
        force = isinstance(load, forces.Force)
        address = -1
        if callable(load.vector):
            form = vector_form((0, 1, 2))
            if self.system.plane is not None:
                form = vector_form(PLANES[self.system.plane][:2]) if force else spin_form(self.system.normal)
            address = self.call(load, form, load.vector)
        point = load.target.local(load.place) if force else (0.0, 0.0, 0.0)  # type: ignore[attr-defined]
        body = self.topology.index[load.target]
        self.row(
            load,
            FORCE if force else TORQUE,
            second=body,
            second_point=point,
            address=address,
            local=int(load.frame == "body"),
        )

    def user(self, load: forces.UserForce) -> None:
        address = self.call(load, body_form(len(load.on), len(load.values())), load.function)
        self.row(load, USER, address=address, item=len(self.members), items=len(load.on))
        self.members += [self.topology.index[body] for body in load.on]

    def add(self, load: forces.Load) -> None:
        self.offsets[load] = len(self.values)
        self.values += load.values()
        if isinstance(load, forces.JointSpring):
            self.joint_load(load, JOINT_SPRING if load.conservative else EULER_SPRING)
        elif isinstance(load, forces.JointDamper):
            self.joint_load(load, JOINT_DAMPER)
        elif isinstance(load, forces.Motor):
            self.motor(load)
        elif isinstance(load, forces.Spring):
            self.spring(load)
        elif isinstance(load, forces.BodyVector):
            self.body_vector(load)
        elif isinstance(load, forces.UserForce):
            self.user(load)


def build_loads(
    system: System,
    topology: Topology,
    first_motion: list[int],
    loads: Sequence[forces.Load],
    known: Sequence[Callback] = (),
) -> Loads:
    """Freeze loads of a system; `first_motion` gives the first motion of every joint, `known` their functions, if already compiled."""
    builder = _Builder(system, topology, first_motion, values=list(system.gravity), known=known)
    for load in loads:
        builder.add(load)
    table = np.zeros(len(builder.rows), LOAD)
    for k, row in enumerate(builder.rows):
        for name, value in row.items():
            table[name][k] = value
    addresses = np.array([callback.address for callback in builder.callbacks], np.int64)
    return Loads(
        table,
        np.array(builder.members, np.int64),
        np.array(builder.values, float),
        addresses,
        builder.callbacks,
        builder.owner,
        builder.offsets,
    )
