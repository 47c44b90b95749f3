"""Elements of the package that a test does not write by hand, found in the registries: what is added to the package needs no line in tests."""

from dataclasses import fields, replace
from inspect import signature

import numpy as np

import bridge
import oracle
import poinsot as po
import random_models
from poinsot.files.models.elements import entries
from poinsot.files.models.numbers import DIRECTION, LIST, NUMBER, ROTATION
from poinsot.files.models.references import BODY, COORDINATE, PLACE, TARGET
from poinsot.model.joints import JOINTS


def joints(written):
    """Kinds of joints other than those of the given classes."""
    return [cls.kind for cls in JOINTS if cls not in written]


def required(kind):
    """Arguments of a joint that must be given."""
    return [name for name, p in signature(getattr(po.System, kind)).parameters.items() if p.default is p.empty]


def loads(rng, written):
    """Loads of the oracle on one body (on a hinge, on the ground) whose elements are of other classes than the given ones."""
    found = []
    for cls in oracle.LOADS:
        model, q, u = random_models.random_tree(rng, 1, ("revolute",), loads=False)
        load = cls.draw(rng, model, oracle.kinematics(model, q, u)[0])
        model.loads = [load]
        if type(bridge.to_system(model).loads[0]) not in written:
            found.append(load)
    return found


def in_units(load, units):
    """A load of the oracle whose numbers are written in other units."""
    numbers = {f.name: getattr(load, f.name) for f in fields(load) if isinstance(getattr(load, f.name), float | np.ndarray)}
    lacking = sorted(set(numbers) - set(load.UNITS))
    assert not lacking, f"tests/oracle: {type(load).__name__} must say in UNITS what {', '.join(lacking)} are measured in"
    return replace(load, **{name: value * units.of(load.UNITS[name]) for name, value in numbers.items()})


def constraints(written):
    """Entries of constraints other than those of the given classes."""
    return [entry for entry in entries().values() if entry.section == "constraints" and entry.cls not in written]


def add_constraint(system, entry, bodies, places, scalars, number=1.5):
    """One of a constraint between two bodies, or two scalar coordinates, with what it must be given: a place, or one on each body."""
    for place in (tuple(places), places[0]):
        parts = {BODY: iter(bodies), COORDINATE: iter(scalars), TARGET: iter(scalars)}
        values = {PLACE: place, NUMBER: number, LIST: [number], DIRECTION: (0.6, 0.0, 0.8), ROTATION: ("z", 0.3)}
        kinds = {name: entry.arguments[name] for name in entry.required}
        try:
            made = system.add(entry.cls(**{name: next(parts[kind]) if kind in parts else values[kind] for name, kind in kinds.items()}))
        except po.ModelError:
            continue
        assert not made.faults(), made.faults()
        return made
    raise AssertionError(f"{entry.word}: tests/further.py finds no arguments for it; write one where this was called")
