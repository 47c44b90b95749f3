"""Feedbacks in the tables: the block of numbers that their kernel works on, and what they see and fill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.elements import feedback as tail_places
from poinsot.elements.feedback import RAW_HEAD, TAIL
from poinsot.elements.states import BODY_STATE
from poinsot.layout.topology import Topology
from poinsot.model.feedback import Feedback
from poinsot.model.joint import Joint
from poinsot.model.rotation import matrix
from poinsot.model.signals import Polynomials
from poinsot.tables import feedback_block as block_places
from poinsot.tables.feedback_block import (
    BLOCK_HEAD,
    BOUND,
    FRAMES,
    H_PERIOD,
    H_SAMPLING,
    READ,
    SEE_COORDINATE_RATE,
    SEE_TURN,
    STAGE_ROOM,
)
from poinsot.tables.records import N_FEEDBACKS, ON_LOADS, Layout

SLACK = 12  # numbers behind x that a reading of several numbers may fill before one of them is picked


@dataclass
class Block:
    """What one feedback has in the tables.

    Attributes
    ----------
    numbers : its block in `values`
    members : its numbers in `members`, bodies first; the places of the efforts are filled in by `connect`
    efforts : where in `members` these places begin
    """

    numbers: np.ndarray
    members: list[int]
    efforts: int


def block_of(feedback: Feedback, topology: Topology, first_motion: list[int], own_state: int, target: int) -> Block:
    """The block of a feedback.

    Parameters
    ----------
    own_state : first number that it keeps, among all that controllers keep in a state
    target : position of the target in `addresses`; -1: polynomials, or none
    """
    from poinsot.elements.feedback_kernel import feedback_kernel

    found, bodies, readings = _Seen(topology, first_motion), feedback.seen_bodies(), feedback.readings
    places = {body: RAW_HEAD + BODY_STATE * k for k, body in enumerate(bodies)}
    params, channels, states = feedback.values(), feedback.channels(), feedback.initial_states()
    seen, efforts = len(feedback.seen_names), len(channels)
    sampled = feedback.period is not None
    kept = [0.0] * (seen + efforts) * sampled + states
    joints = list(dict.fromkeys(one.joint for one in readings if one.joint is not None and one.kind >= SEE_TURN))
    table, frames = BLOCK_HEAD + len(params), BLOCK_HEAD + len(params) + READ * len(readings)
    limits = frames + FRAMES * len(joints)
    control = limits + BOUND * efforts
    room = control + (2 + STAGE_ROOM) * len(kept)
    polynomials = room + seen + 2 * len(states) + efforts + SLACK
    signal = feedback.signal
    numbers = np.zeros(polynomials)
    head = {
        "PARAMS": len(params), "READS": len(readings), "SEEN": seen, "EFFORTS": efforts, "STATES": len(states),
        "PERIOD": feedback.period or 0.0, "READINGS": table, "LIMITS": limits, "CONTROL": control, "CONTROLS": len(kept), "ROOM": room,
        "SIZE": 0 if signal is None else signal.size,
    }  # fmt: skip
    if isinstance(signal, Polynomials):
        head |= {"TARGET": polynomials, "PIECES": len(signal.times) - 1, "DEGREE": signal.coefficients.shape[1] - 1}
        numbers = np.concatenate([numbers, signal.times, signal.coefficients.ravel()])
    for name, value in head.items():
        numbers[getattr(block_places, f"H_{name}")] = value
    numbers[BLOCK_HEAD:table] = params
    for k, one in enumerate(readings):
        row = numbers[table + READ * k : table + READ * (k + 1)]
        row[:5] = one.kind, 0, 0, one.pick, one.sign
        if one.body is not None:
            row[1], row[5:] = places[one.body], one.point
        elif one.kind <= SEE_COORDINATE_RATE:
            assert one.joint is not None
            row[1] = RAW_HEAD + BODY_STATE * len(bodies) + 2 * found.motion(one.joint, one.motion)
        else:
            assert one.joint is not None
            row[1:3] = places[one.joint.first], places[one.joint.second]
            row[5] = frames + FRAMES * joints.index(one.joint)
    for k, joint in enumerate(joints):
        numbers[frames + FRAMES * k : frames + FRAMES * (k + 1)] = _frames(joint)
    bounds = [(low, high, channel.factor) for (low, high), channel in zip(feedback.bounds(), channels)]
    numbers[limits:control] = np.ravel(bounds)
    numbers[control : control + len(kept)] = kept
    tail = {
        "KERNEL": feedback_kernel().address, "TARGET": target, "MOTIONS": len(found.motions), "EFFORTS": efforts,
        "CONTROL": control, "CONTROLS": len(kept), "STATE": own_state,
    }  # fmt: skip
    members = [topology.index[body] for body in bodies] + [0] * TAIL
    for name, value in tail.items():
        members[len(bodies) + getattr(tail_places, f"F_{name}")] = value
    members += found.motions
    return Block(numbers, members + [-1] * efforts, len(members))


class _Seen:
    """The motions that a feedback sees, in the order of the raw array."""

    def __init__(self, topology: Topology, first_motion: list[int]):
        self.topology, self.first = topology, first_motion
        self.motions: list[int] = []

    def motion(self, joint: Joint, k: int) -> int:
        number = self.first[self.topology.joints.index(joint)] + k
        if number not in self.motions:
            self.motions.append(number)
        return self.motions.index(number)


def _frames(joint: Joint) -> np.ndarray:
    """Rotation and origin of the joint's frame on its first body, and on its second."""
    parts: list[Any] = []
    for body, place in ((joint.first, joint.first_at), (joint.second, joint.second_at)):
        parts += [matrix(body.rotation).T.ravel(), body.local(place)]
    return np.concatenate(parts)


def initial_controls(layout: Layout) -> np.ndarray:
    """What controllers keep in a state, at the start of a run: initial states, and zeros where samples will stand."""
    if not layout.sizes[N_FEEDBACKS]:
        return np.zeros(0)
    kept = [np.zeros(0)]
    for load in layout.loads[: layout.sizes[N_FEEDBACKS]]:
        tail = layout.members[load["item"] + load["items"] :]
        place = tail[tail_places.F_CONTROL]
        kept.append(layout.values[place : place + tail[tail_places.F_CONTROLS]])
    return np.concatenate(kept)


def has_samples(layout: Layout) -> bool:
    """Whether some law is sampled."""
    count = layout.sizes[N_FEEDBACKS]
    return bool(count) and any(layout.values[load["value"] + H_PERIOD] > 0.0 for load in layout.loads[:count])


def ask_for_samples(layout: Layout) -> None:
    """Ask all sampled laws for a sample at the next call."""
    for load in layout.loads[: layout.sizes[N_FEEDBACKS]]:
        layout.values[load["value"] + H_SAMPLING] = float(layout.values[load["value"] + H_PERIOD] > 0.0)


def feedback_room(loads: np.ndarray, members: np.ndarray) -> int:
    """Scratch that kernels need to call a feedback."""
    most = 0
    for load in loads[loads["acts"] == ON_LOADS]:
        tail = members[load["item"] + load["items"] :]
        most = max(most, RAW_HEAD + BODY_STATE * int(load["items"]) + int(2 * tail[tail_places.F_MOTIONS] + tail[tail_places.F_EFFORTS]) + 1)
    return most
