"""An MJCF file as a System."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ModelWarning, warn
from poinsot.files.contents import read_content
from poinsot.files.mjcf.actuators import Actuators, compensate_gravity
from poinsot.files.mjcf.bodies import Bodies
from poinsot.files.mjcf.drawing import Drawing
from poinsot.files.mjcf.equalities import Equalities
from poinsot.files.mjcf.joints import Joints
from poinsot.files.mjcf.keyframes import FIRST, chosen, set_initial
from poinsot.files.mjcf.source import Source
from poinsot.files.mjcf.untaken import list_untaken
from poinsot.files.urdf.meshes import Meshes
from poinsot.files.urdf.names import Names
from poinsot.files.urdf.read import ARGUMENTS, FOLDERS
from poinsot.model.guard import PATH, TRUTH, door, maybe
from poinsot.model.system import System

AS_FILE = "file"


@door(path=PATH, packages=FOLDERS, merge=TRUTH, rotors=TRUTH, inputs=TRUTH, stops=maybe(ARGUMENTS))
def read_mjcf(
    path: str | os.PathLike[str],
    *,
    gravity: Any = AS_FILE,
    keyframe: str | int | None = FIRST,
    packages: Sequence[str | os.PathLike[str]] = (),
    merge: bool = True,
    rotors: bool = True,
    inputs: bool = False,
    stops: Mapping[str, float] | None = None,
) -> System:
    """Read a model of MuJoCo (MJCF) through MuJoCo's own loader, drawn at its reference configuration (qpos0).

    Coordinates count from the drawing: that of a hinge or slide is its qpos - ref.

    Parameters
    ----------
    path : the file
    gravity : acceleration vector (m/s^2), or None; default: that of the file
    keyframe : the keyframe to start from, by name or number; "first": the first one, where there is one; None: from the drawing, at rest
    packages : folders in which meshes are looked for, beside the folder of the file
    merge : whether bodies without joints become parts of their parents
    rotors : whether armatures are taken, each as a rotor geared to its joint; otherwise they are left out
    inputs : whether the motors of actuators are inputs for `po.Servo` and `po.Feedback`; otherwise their efforts are those of the keyframe's
        controls, or zero, until changed
    stops : arguments of the `po.Stop` that every joint with limits gets, such as {"stiffness": 1e4, "damping": 100} (N m/rad or N/m, N m s/rad or
        N s/m); None: joints pass their limits
    """
    content = read_content(path, "an MJCF file")
    source = Source(Path(path), content, Meshes(Path(path), packages))
    equalities = Equalities(source)
    drawing = Drawing(source, equalities.drawn())
    _raise(source)
    key = chosen(source, keyframe)
    names = Names(str(path))
    system = System(source.spec.modelname or Path(path).stem, gravity=_gravity(source, gravity))
    bodies = Bodies(drawing, names, merge)
    bodies.make(system)
    joints = Joints(drawing, bodies, names, equalities.locked)
    joints.make(system)
    joints.make_elements(system, stops, rotors)
    equalities.make(system, drawing, bodies, joints, names)
    ctrl = np.zeros(source.model.nu) if key is None else source.model.key_ctrl[key]
    Actuators(drawing, joints, names, inputs, ctrl).make(system)
    compensate_gravity(system, drawing, bodies, names)
    _raise(source)
    if key is not None:
        set_initial(source, key, drawing, joints, equalities)
    names.report()
    _report(source, drawing)
    return system


def _raise(source: Source) -> None:
    if source.notes.faults:
        raise ModelError(source.notes.faults)


def _gravity(source: Source, gravity: Any) -> Any:
    if not (isinstance(gravity, str) and gravity == AS_FILE):
        return gravity
    opt = source.model.opt
    return None if opt.disableflags & source.mj.mjtDisableBit.mjDSBL_GRAVITY else opt.gravity.tolist()


def _report(source: Source, drawing: Drawing) -> None:
    """Warn of meshes that are missing, coordinates that do not count from zero, and what is not taken."""
    source.meshes.report(str(source.path))
    shifted = [f"'{joint.name}' ({joint.zero:g})" for joint in drawing.joints if joint.zero != 0]
    if shifted:
        more = f" and {len(shifted) - 6} more" if len(shifted) > 6 else ""
        warn(f"{source.path}: joints count from the drawing, where their qpos is not zero: {', '.join(shifted[:6])}{more}", ModelWarning)
    list_untaken(source)
    left = source.notes.words()
    if left:
        warn(f"{source.path}: not taken: {left}", ModelWarning)
