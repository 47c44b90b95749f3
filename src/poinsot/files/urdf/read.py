"""A URDF file as a System."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ModelWarning, warn
from poinsot.files.contents import read_content
from poinsot.files.urdf.joints import SCALAR, TYPES, UrdfJoint, read_joint
from poinsot.files.urdf.links import Link, LinkReading
from poinsot.files.urdf.meshes import Meshes
from poinsot.files.urdf.names import Names
from poinsot.files.urdf.tags import Notes, Tag, parse
from poinsot.files.urdf.tree import Tree, check_ends
from poinsot.model.body import Body
from poinsot.model.constraints import Gear
from poinsot.model.forces import JointDamper, Motor, Stop
from poinsot.model.guard import PATH, TEXT, TRUTH, door, instance, maybe, several
from poinsot.model.joint import Joint
from poinsot.model.looks import Look
from poinsot.model.rotation import matrix, quaternion
from poinsot.model.system import System
from poinsot.model.words import short_repr

GRAVITY = (0.0, 0.0, -9.81)
BASES = ("fixed", "free")
ROOT_JOINT = "root_joint"
IN_ROBOT = ("link", "joint", "material", "transmission", "gazebo", "sensor", "ros2_control", "safety_controller", "loop_joint")
MACROS = ("include", "macro", "property", "arg", "if", "unless")  # of xacro; older files have them without its prefix
ARGUMENTS = instance(Mapping, 'a dictionary of arguments of po.Stop, such as {"stiffness": 1e4}')
FOLDERS = several(PATH, "a list of folders")


@door(path=PATH, base=TEXT, packages=FOLDERS, merge=TRUTH, mimic=TRUTH, inputs=TRUTH, stops=maybe(ARGUMENTS))
def read_urdf(
    path: str | os.PathLike[str],
    *,
    gravity: Any = GRAVITY,
    base: str = "fixed",
    packages: Sequence[str | os.PathLike[str]] = (),
    merge: bool = True,
    mimic: bool = True,
    inputs: bool = False,
    stops: Mapping[str, float] | None = None,
) -> System:
    """Read a robot described in URDF. Its links are bodies, drawn with all joint coordinates at zero.

    Parameters
    ----------
    path : the file; macros (xacro) must be expanded before
    gravity : acceleration vector (m/s^2), or None; URDF does not say
    base : "fixed": the root link is welded to the ground; "free": it moves freely, with the joint "root_joint"
    packages : folders in which the packages of `package://` paths are, beside ROS_PACKAGE_PATH and the folders above the file
    merge : whether links connected by fixed joints become one body, which has the name of the first of them
    mimic : whether joints that mimic others do (`po.Gear`); otherwise they move freely
    inputs : whether the motors of transmissions are inputs for `po.Servo` and `po.Feedback`; otherwise their efforts are zero until changed
    stops : arguments of the `po.Stop` that every joint with limits gets, such as {"stiffness": 1e4, "damping": 100} (N m/rad or N/m, N m s/rad or
        N s/m); None: joints pass their limits
    """
    if base not in BASES:
        raise ModelError(f"{path}: base must be {' or '.join(BASES)}, not {short_repr(base)}")
    content = read_content(path, "a URDF file")
    notes, meshes = Notes(str(path)), Meshes(Path(path), packages)
    robot = parse(content, str(path))
    _check_root(robot, path)
    with np.errstate(over="ignore", invalid="ignore"):
        system = _Building(robot, notes, meshes, merge, mimic).system(gravity, base == "free", inputs, stops)
    left = notes.words()
    meshes.report(str(path))
    if left:
        warn(f"{path}: not taken: {left}", ModelWarning)
    return system


def _check_root(robot: Tag, path: Any) -> None:
    """Refuse what is not a URDF: macros, and other formats."""
    macros = [tag for tag in _all(robot) if _is_macro(tag) or any("${" in x or "$(" in x for x in tag.attributes.values())]
    if macros or Path(path).suffix == ".xacro":
        line = macros[0].line if macros else robot.line
        plain = Path(path).name.removesuffix(".xacro").removesuffix(".urdf") + ".urdf"
        if plain == Path(path).name:  # a file written to while it is read would be empty
            plain = plain.removesuffix(".urdf") + "_expanded.urdf"
        raise ModelError(
            f"{path}:{line}: has xacro macros, which are not expanded here; expand them first: xacro {Path(path).name} > {plain} "
            "(the command xacro comes with ROS, or with 'pip install xacro')"
        )
    if robot.name != "robot":
        other = "; MuJoCo's models are read by po.read_mjcf" if robot.name == "mujoco" else "; SDF is not URDF" if robot.name == "sdf" else ""
        raise ModelError(f'{path}:{robot.line}: a URDF begins with <robot name="...">, not with <{robot.name[:40]}>{other}')


def _is_macro(tag: Tag) -> bool:
    return tag.name.removeprefix("xacro:") in MACROS


def _all(tag: Tag) -> list[Tag]:
    found = [tag]
    for inside in tag.inside:
        if inside.name not in ("gazebo", "ros2_control"):  # other programs' own
            found += _all(inside)
    return found


class _Building:
    """Builds the system of a robot."""

    def __init__(self, robot: Tag, notes: Notes, meshes: Meshes, merge: bool, mimic: bool):
        self.robot, self.notes, self.mimic = robot, notes, mimic
        notes.unknown(robot, IN_ROBOT)
        for tag in robot.all("loop_joint"):
            notes.leave("loop joints", f"line {tag.line}")
        links, joints = LinkReading(notes, meshes, robot), [read_joint(tag, notes) for tag in robot.all("joint")]
        found = [links.link(tag) for tag in robot.all("link")]
        self._unique("link", [(link.name, link.tag) for link in found])
        self._unique("joint", [(joint.name, joint.tag) for joint in joints if joint is not None])
        check_ends([joint for joint in joints if joint is not None], [link.name for link in found], notes)
        if notes.faults:
            raise ModelError(notes.faults)
        kept = [_unmimicked(joint) if not mimic else joint for joint in joints if joint is not None]
        self.tree = Tree(robot, {link.name: link for link in found}, kept, notes, merge)
        self.names = Names(notes.file)
        self.outside: list[str] = []
        self.of_joint: dict[str, Joint] = {}
        self.bodies: dict[str, Body] = {}

    def _unique(self, what: str, named: list[tuple[str, Tag]]) -> None:
        lines: dict[str, int] = {}
        for name, tag in named:
            if name in lines:
                self.notes.fault(tag, f"{what} '{name}': the name is already taken in line {lines[name]}; names must be unique")
            lines.setdefault(name, tag.line)

    def system(self, gravity: Any, free: bool, inputs: bool, stops: Mapping[str, float] | None) -> System:
        """The system."""
        system = System(self.robot.attributes.get("name") or "robot", gravity=gravity)
        self._make_bodies(system, free)
        for joint in self.tree.joints:
            if not (self.tree.merge and self.tree.welded(joint)):
                self._make_joint(system, joint)
        for joint in self.tree.joints:
            self._make_elements(system, joint)
            if stops is not None and joint.name in self.of_joint and math.isfinite(joint.lower):
                self._make_stop(system, joint, stops)
        self._make_motors(system, inputs)
        self._check(system)
        self.names.report()
        if self.outside:
            named = ", ".join(self.outside[:6]) + (", ..." if len(self.outside) > 6 else "")
            warn(f"{self.notes.file}: in the drawing these joints are beyond their stops: {named}; set their coordinates before a run", ModelWarning)
        if self.tree.zeros:
            named = ", ".join(f"'{name}' ({value:g})" for name, value in self.tree.zeros.items())
            warn(f"{self.notes.file}: joints that mimic others with an offset are drawn at it and count from there: {named}", ModelWarning)
        return system

    def _name(self, system: System, name: str, what: str) -> str:
        return self.names.free(system, name, what)

    def _make_bodies(self, system: System, free: bool) -> None:
        for name, placed in self.tree.placed.items():
            if placed.leader != name:
                continue
            properties, members = self.tree.group(name)
            looks = [_moved(look, position, turn) for p, position, turn in members for look in p.link.looks]
            if name == self.tree.root and not free and not looks and properties.mass == 0:
                self.bodies[name] = system.ground  # nothing but a frame
                continue
            self.bodies[name] = system.body(
                self._name(system, name, "link"),
                position=placed.position,
                rotation=placed.turn,
                mass=properties.mass,
                com=properties.com,
                inertia=properties.inertia,
                looks=looks or None,
            )
        root = self.bodies[self.tree.root]
        if free:
            system.free(system.ground, root, at=(0, 0, 0), name=self._name(system, ROOT_JOINT, "joint"))
        elif root is not system.ground:
            system.fixed(system.ground, root, at=(0, 0, 0), name=self._name(system, ROOT_JOINT, "joint"))

    def _make_joint(self, system: System, joint: UrdfJoint) -> None:
        first, placed = self._body(joint.parent), self.tree.placed[joint.child]
        given: dict[str, Any] = {"at": placed.position, "name": self._name(system, joint.name, "joint")}
        kind = "fixed" if self.tree.welded(joint) else TYPES[joint.type]
        if kind not in ("fixed", "free"):
            given["axis"] = placed.turn @ joint.axis
        if "axis" in given and joint.type not in SCALAR:
            given["direction"] = placed.turn @ _across(joint.axis)
        self.of_joint[joint.name] = getattr(system, kind)(first, self._body(joint.child), **given)

    def _body(self, link: str) -> Body:
        return self.bodies[self.tree.placed[link].leader]

    def _make_elements(self, system: System, joint: UrdfJoint) -> None:
        """Its damping, and the gear of what it mimics."""
        made = self.of_joint.get(joint.name)
        if made is None or not made.motions():
            return
        if joint.damping > 0:
            system.add(JointDamper(made, joint.damping, name=self._name(system, f"{joint.name}_damping", "damper")))
        if joint.mimic is not None:
            other = self.tree.by_name[joint.mimic.other]
            first, second = made.coordinate(joint.coordinate), self.of_joint[other.name].coordinate(other.coordinate)
            system.add(Gear(first, second, joint.mimic.ratio, name=self._name(system, f"{joint.name}_mimic", "gear")))

    def _make_stop(self, system: System, joint: UrdfJoint, stops: Mapping[str, float]) -> None:
        """The stop at the limits of a joint, where it has some that differ; limits count from the zero of the file."""
        made, zero = self.of_joint[joint.name], self.tree.zeros.get(joint.name, 0.0)
        if not made.motions() or joint.lower == joint.upper:
            return
        if not joint.lower <= zero <= joint.upper:
            self.outside.append(f"'{joint.name}' ({joint.lower:g} to {joint.upper:g})")
        name = self._name(system, f"{joint.name}_stop", "stop")
        system.add(Stop(made, joint.lower - zero, joint.upper - zero, **stops, name=name))

    def _make_motors(self, system: System, inputs: bool) -> None:
        for tag in self.robot.all("transmission"):
            name = tag.attributes.get("name") or "motor"
            driven_joints = tag.all("joint")
            for driven in driven_joints:
                joint = self.of_joint.get(driven.attributes.get("name", ""))
                if joint is None or joint.freedoms != 1:
                    self.notes.leave("transmissions of joints that do not exist or do not move", f"line {tag.line}")
                    continue
                word = {} if inputs else {"force" if joint.kind == "prismatic" else "torque": 0.0}
                called = name if len(driven_joints) == 1 else f"{name}_{joint.name}"
                system.add(Motor(joint, **word, name=self._name(system, called, "motor")))

    def _check(self, system: System) -> None:
        """Faults of bodies, with the lines of their links."""
        for name, body in self.bodies.items():
            for fault in body.faults() if body is not system.ground else []:
                link: Link = self.tree.links[name]
                self.notes.fault(link.tag.first("inertial") or link.tag, fault)
        if self.notes.faults:
            raise ModelError(self.notes.faults)


def _unmimicked(joint: UrdfJoint) -> UrdfJoint:
    from dataclasses import replace

    return replace(joint, mimic=None)


def _moved(look: Look, position: np.ndarray, turn: np.ndarray) -> Look:
    """A look in a frame in which its own has a place."""
    own = matrix(quaternion(look.rotation, "look"))
    at = np.zeros(3) if look.position is None else np.array(look.position)
    return Look(look.shape, position + turn @ at, turn @ own, look.colour)


def _across(axis: np.ndarray) -> np.ndarray:
    """The direction of x in a plane with this normal, both in the child's frame: its own x where that lies in the plane."""
    x = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 1.0 - 1e-9 else np.array([0.0, 1.0, 0.0])
    way = x - (x @ axis) * axis
    return way / math.hypot(*way)
