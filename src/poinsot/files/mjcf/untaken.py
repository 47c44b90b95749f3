"""What a MuJoCo model has and a System has not: listed once each, by name."""

from __future__ import annotations

import numpy as np

from poinsot.files.mjcf.source import Source


def list_untaken(source: Source) -> None:
    """Note contacts, friction, tendons, fluids and others that would act in MuJoCo."""
    model, notes, bits = source.model, source.notes, source.mj.mjtDisableBit
    flags = model.opt.disableflags
    constrained = not flags & bits.mjDSBL_CONSTRAINT
    if constrained and not flags & bits.mjDSBL_CONTACT:
        touching = [k for k in range(model.ngeom) if model.geom_contype[k] or model.geom_conaffinity[k]]
        if model.npair or _collide(source, touching):
            notes.leave("contacts", f"{len(touching)} geoms" + (f", {model.npair} pairs" if model.npair else ""))
    if constrained and not flags & bits.mjDSBL_FRICTIONLOSS:
        for k in range(model.njnt):
            if model.dof_frictionloss[model.jnt_dofadr[k]] != 0:
                notes.leave("dry friction of joints", source.name("joint", k) or f"joint {k}")
    for k in range(model.ntendon):
        notes.leave("tendons", source.name("tendon", k) or f"tendon {k}")
    for k in range(model.nflex):
        notes.leave("deformable bodies (flex)", source.name("flex", k) or f"flex {k}")
    for k in range(model.nplugin):
        notes.leave("plugins", source.name("plugin", k) or f"plugin {k}")
    for k in range(model.nbody):
        if model.body_mocapid[k] >= 0:
            notes.leave("mocap bodies, which stay where they are", source.name("body", k) or f"body {k}")
    fluid = [name for name in ("density", "viscosity") if getattr(model.opt, name) != 0]
    if fluid:
        notes.leave("forces of the fluid around", ", ".join([*fluid, *(["wind"] if np.any(model.opt.wind) else [])]))


def _collide(source: Source, geoms: list[int]) -> bool:
    """Whether any two geoms of different bodies may touch, one of which moves."""
    model = source.model
    root = model.body_weldid
    kinds = {(int(model.geom_contype[k]), int(model.geom_conaffinity[k]), int(root[model.geom_bodyid[k]])) for k in geoms}
    found = sorted(kinds)
    return any((a[0] & b[1] or b[0] & a[1]) and a[2] != b[2] for i, a in enumerate(found) for b in found[i:])
