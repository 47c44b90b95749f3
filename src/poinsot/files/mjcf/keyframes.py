"""Keyframes of a MuJoCo model as initial values; where loops are not closed in one, the nearest state in which they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.errors import ModelError, ModelWarning, warn
from poinsot.files.mjcf.drawing import Drawing
from poinsot.files.mjcf.equalities import Equalities
from poinsot.files.mjcf.joints import Joints
from poinsot.files.mjcf.source import Source
from poinsot.model.guard import whole
from poinsot.model.words import nearest, short_repr

FIRST = "first"  # the first of a file, where it has one
MOST = 100  # iterations
CLOSED = 1e-12  # m or rad: loops that are closed
TOLD = 1e-6  # changes of coordinates that are told


def chosen(source: Source, keyframe: Any) -> int | None:
    """The index of a keyframe: given by name or number; None for none."""
    names = [source.name("key", k) for k in range(source.model.nkey)]
    if keyframe is None or (keyframe == FIRST and FIRST not in names):
        return None if keyframe is None or not names else 0
    if whole(keyframe):
        if not 0 <= keyframe < len(names):
            raise ModelError(f"{source.path}: has no keyframe {keyframe}; it has {len(names)}, counted from 0")
        return int(keyframe)
    if not isinstance(keyframe, str) or keyframe not in names:
        close = nearest(keyframe, names) if isinstance(keyframe, str) else []
        known = f"did you mean '{close[0]}'?" if close else f"it has {', '.join(name or 'one without a name' for name in names) or 'none'}"
        raise ModelError(f"{source.path}: has no keyframe {short_repr(keyframe)}; {known}")
    return names.index(keyframe)


def set_initial(source: Source, key: int, drawing: Drawing, joints: Joints, equalities: Equalities) -> None:
    """Set coordinates and rates of all joints to those of a keyframe."""
    model = source.model
    qpos, qvel = model.key_qpos[key].copy(), model.key_qvel[key].copy()
    source.mj.mj_normalizeQuat(model, qpos)
    if equalities.taken:
        qpos, qvel = _closed(source, key, qpos, qvel, equalities)
    for joint in drawing.joints:
        if joint.k in joints.locked:
            continue
        values = drawing.coordinates(joint, qpos)
        if qvel.any():
            values["rate"] = drawing.rates(joint, qvel)
        for made in (joints.of[joint.k], joints.rotors.get(joint.k)):
            if made is not None:
                made.set(**values)


def _closed(source: Source, key: int, qpos: np.ndarray, qvel: np.ndarray, equalities: Equalities) -> tuple[np.ndarray, np.ndarray]:
    """The nearest coordinates that satisfy the equalities that are taken, and the nearest rates."""
    mj, model, data = source.mj, source.model, source.data
    label = f"{source.path}: keyframe {short_repr(source.name('key', key) or key)}"
    bits = mj.mjtDisableBit
    flags, jacobian = model.opt.disableflags, model.opt.jacobian
    model.opt.disableflags = flags | bits.mjDSBL_CONTACT | bits.mjDSBL_LIMIT | bits.mjDSBL_FRICTIONLOSS
    model.opt.jacobian = mj.mjtJacobian.mjJAC_DENSE
    try:
        start = qpos.copy()
        data.eq_active[:] = [k in equalities.taken for k in range(model.neq)]
        for _ in range(MOST):
            data.qpos[:] = qpos
            mj.mj_fwdPosition(model, data)
            rows = data.efc_J.reshape(-1, model.nv)[: data.nefc]
            gap = data.efc_pos[: data.nefc]
            if np.abs(gap).max(initial=0.0) < CLOSED:
                break
            mj.mj_integratePos(model, qpos, np.linalg.lstsq(rows, -gap, rcond=1e-10)[0], 1.0)
        else:
            raise ModelError(f"{label}: its equalities cannot all hold near there (gaps of {np.abs(gap).max():.2g} remain); correct its qpos")
        if rows.size:
            qvel = qvel - np.linalg.lstsq(rows, rows @ qvel, rcond=1e-10)[0]
        change = float(np.abs(qpos - start).max(initial=0.0))
        if change > TOLD:
            warn(f"{label}: its qpos was changed by up to {change:.2g}, so that its equalities hold", ModelWarning)
    finally:
        model.opt.disableflags, model.opt.jacobian = flags, jacobian
    return qpos, qvel
