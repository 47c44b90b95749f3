"""The table of loads, their parameters in `values`, and the addresses of users' functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from poinsot.elements.feedback import F_CONTROL, F_CONTROLS
from poinsot.elements.frame_laws import LAWS as laws_on_frames
from poinsot.elements.laws import LAWS as laws_on_motions
from poinsot.elements.laws import POTENTIALS_ON_BALLS
from poinsot.elements.wrenches import LAWS as laws_on_bodies
from poinsot.elements.wrenches import POTENTIALS as POTENTIALS_ON_BODIES
from poinsot.errors import ModelError
from poinsot.layout.callbacks import Callback, python_callback, wrap
from poinsot.layout.feedback import Block, block_of
from poinsot.layout.forms import FEEDBACK, SCALAR, Form, body_form, law_form, signal_form, spin_form, vector_form
from poinsot.layout.topology import Topology
from poinsot.model.feedback import Feedback
from poinsot.model.functions import same_function
from poinsot.model.joint import Helical
from poinsot.model.load import Load, LoadRow
from poinsot.model.rotation import matrix
from poinsot.model.signals import Polynomials
from poinsot.model.system import PLANES, System
from poinsot.tables.records import LOAD, ON_BODIES, ON_FRAMES, ON_LOADS, ON_MOTION

GRAVITY = 3  # numbers of gravity at the head of `values`
WHERE = {ON_MOTION: "on joints", ON_BODIES: "on bodies", ON_FRAMES: "on frames"}


@dataclass
class Loads:
    """Table of loads; one load of the model may need several rows (a damper on every motion of a joint).

    Attributes
    ----------
    owner : for every row the load of the model it belongs to
    offsets : of every load of the model, the position of its parameters in `values`
    kept : how many numbers controllers keep in a state
    rows : by number of their function among the callbacks, the constraints whose rows users wrote
    """

    table: np.ndarray
    members: np.ndarray
    values: np.ndarray
    addresses: np.ndarray
    callbacks: list[Callback]
    owner: list[Load]
    offsets: dict[Load, int]
    kept: int = 0
    rows: dict[int, Any] = field(default_factory=dict)


@dataclass
class _Builder:
    system: System
    topology: Topology
    first_motion: list[int]
    rows: list[dict[str, Any]] = field(default_factory=list)
    owner: list[Load] = field(default_factory=list)
    members: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    callbacks: list[Callback] = field(default_factory=list)
    offsets: dict[Load, int] = field(default_factory=dict)
    known: Sequence[Callback] = ()
    blocks: dict[Feedback, tuple[int, Block]] = field(default_factory=dict)  # and where their members begin
    kept: int = 0

    def call(self, load: Load, form: Form, function: Any) -> int:
        known = self.known[len(self.callbacks)] if self.known else None
        if known is None or not same_function(known.function, function):
            made = [c for c in self.callbacks if c.compiled and c.function is function and c.form is form]
            known = replace(made[0], label=load.label(), failure=[]) if made else wrap(load.label(), form, function)
        self.callbacks.append(known)
        return len(self.callbacks) - 1

    def form(self, load: Load, row: LoadRow) -> Form:
        """How the user's function of a row is called."""
        if row.form == "bodies":
            return body_form(len(row.members), len(load.values()))
        if row.form == "spin" and self.system.plane is not None:
            return spin_form(self.system.normal)
        if row.form in ("vector", "spin"):
            return vector_form((0, 1, 2) if self.system.plane is None else PLANES[self.system.plane][:2])
        return {"number": SCALAR, "feedback": FEEDBACK}[row.form]

    def row(self, load: Load, row: LoadRow) -> dict[str, Any]:
        """The nonzero fields of one row."""
        acts = ON_MOTION if row.joint is not None else ON_BODIES if row.axes is None else ON_FRAMES
        laws = (laws_on_motions, laws_on_bodies, laws_on_frames)[acts]
        if row.law not in laws:
            raise ModelError(f"{load.label()}: there is no law '{row.law}' {WHERE[acts]}; there are {', '.join(laws)}")
        if row.potential:
            self.must_balance(load, row, acts)
        fields: dict[str, Any] = {"acts": acts, "kind": laws[row.law], "potential": int(row.potential), "motion": -1}
        fields |= {"value": self.offsets[load] + row.offset, "values": len(load.values()), "local": int(row.local)}
        fields["address"] = -1 if row.function is None else self.call(load, self.form(load, row), row.function)
        if row.joint is not None:
            fields["motion"] = self.first_motion[self.topology.joints.index(row.joint)] + row.motion
        for side, body, place in (("first", row.first, row.first_at), ("second", row.second, row.second_at)):
            if body is not None:
                fields[side] = self.topology.index[body]
            if body is not None and place is not None:
                fields[f"{side}_point"] = body.local(place)
            if body is not None and row.axes is not None:
                fields[f"{side}_rotation"] = matrix(body.rotation).T @ matrix(row.axes)
        if row.members:
            fields |= {"item": len(self.members), "items": len(row.members)}
            self.members += [self.topology.index[body] for body in row.members]
        return fields | {"weights": row.weights}

    def must_balance(self, load: Load, row: LoadRow, acts: int) -> None:
        """Refuse a potential that energy-conserving steps cannot balance."""
        known = acts == ON_FRAMES and any(row.weights)
        if acts == ON_MOTION:
            assert row.joint is not None
            known = isinstance(row.joint.motions()[row.motion], Helical) or row.law in POTENTIALS_ON_BALLS
        if acts == ON_BODIES:
            known = row.law in POTENTIALS_ON_BODIES
        if not known:
            raise ModelError(
                f"{load.label()}: law '{row.law}' has a potential that energy-conserving steps cannot balance; "
                "define it on a scalar motion, or on two frames with weights of the relative motions that change it"
            )

    def add_feedback(self, feedback: Feedback) -> None:
        """The row of a feedback; `connect` completes it when its inputs have their values."""
        self.offsets[feedback] = place = len(self.values)
        (row,) = feedback.rows()
        law, target, signal = self.call(feedback, law_form(feedback), row.function), -1, feedback.signal
        if signal is not None and not isinstance(signal, Polynomials):
            known = self.known[len(self.callbacks)] if self.known else None
            target = len(self.callbacks)
            self.callbacks.append(known or python_callback(feedback.label(), signal_form(signal), signal.function))
        block = block_of(feedback, self.topology, self.first_motion, self.kept, target)
        tail = len(row.members)
        self.kept += block.members[tail + F_CONTROLS]
        block.members[tail + F_CONTROL] += place
        fields = {"acts": ON_LOADS, "motion": -1, "value": place, "values": len(block.numbers), "address": law}
        fields |= {"item": len(self.members), "items": tail}
        self.blocks[feedback] = len(self.members), block
        self.values += block.numbers.tolist()
        self.members += block.members
        self.rows.append(fields)
        self.owner.append(feedback)

    def connect(self) -> None:
        """Tell feedbacks where their inputs take their efforts from."""
        for feedback, (first, block) in self.blocks.items():
            for k, channel in enumerate(feedback.channels()):
                self.members[first + block.efforts + k] = self.offsets[channel.load] + channel.place

    def add(self, load: Load) -> None:
        self.offsets[load] = len(self.values)
        self.values += load.values()
        for row in load.rows():
            self.rows.append(self.row(load, row))
            self.owner.append(load)


def build_loads(
    system: System,
    topology: Topology,
    first_motion: list[int],
    loads: Sequence[Load],
    known: Sequence[Callback] = (),
) -> Loads:
    """Freeze loads of a system; `first_motion` gives the first motion of every joint, `known` their functions, if already compiled."""
    builder = _Builder(system, topology, first_motion, values=list(system.gravity), known=known)
    for load in loads:
        if isinstance(load, Feedback):  # first, so that their inputs find their efforts
            builder.add_feedback(load)
    for load in loads:
        if not isinstance(load, Feedback):
            builder.add(load)
    builder.connect()
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
        builder.kept,
    )
