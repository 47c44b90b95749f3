"""Bodies of a MuJoCo model: those without joints are parts of their parents; geoms are looks."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.files.mjcf.drawing import Drawing
from poinsot.files.mjcf.meshes import mesh_look
from poinsot.files.urdf.names import Names
from poinsot.files.urdf.tree import combined
from poinsot.model.body import Body
from poinsot.model.looks import Look
from poinsot.model.rotation import matrix, quaternion
from poinsot.model.shapes import Box, Cylinder, MassProperties, Shape, Sphere
from poinsot.model.system import System

SHOWN = (0, 1, 2)  # groups of geoms that MuJoCo draws; the others are for contacts alone
GREY = (0.5, 0.5, 0.5, 1.0)  # of geoms that have no colour of their own
UNDRAWN = {"hfield": "height fields", "ellipsoid": "ellipsoids", "sdf": "signed distance fields"}


class Bodies:
    """Makes the bodies of a system. `of[k]`: the body that MuJoCo's body k is part of; the ground for what never moves."""

    def __init__(self, drawing: Drawing, names: Names, merge: bool):
        self.drawing, self.names, self.source = drawing, names, drawing.source
        model = self.source.model
        self.leader = [0]
        for k in range(1, model.nbody):
            still = model.body_jntnum[k] == 0 and (merge or self.leader[model.body_parentid[k]] == 0)
            self.leader.append(self.leader[model.body_parentid[k]] if still else k)
        self.of: list[Body] = []

    def make(self, system: System) -> None:
        """All bodies, each at the place it has in the drawing."""
        made: dict[int, Body] = {}
        for k in range(self.source.model.nbody):
            if self.leader[k] == k:
                made[k] = self._body(system, k) if k else self._still(system)
            self.of.append(made[self.leader[k]])

    def _still(self, system: System) -> Body:
        """The ground; what is fixed to the world and has looks or mass is a body welded to it."""
        properties, looks = self._group(0)
        if properties.mass > 0 or looks:
            given: dict[str, Any] = {"mass": properties.mass, "com": properties.com, "inertia": properties.inertia, "looks": looks or None}
            world = system.body(self.names.free(system, "world", "body"), **given)
            at = (0, 0, 0) if properties.mass > 0 or not looks else looks[0].position  # where it is drawn, without a bar to the origin
            system.fixed(system.ground, world, at=at, name=self.names.free(system, "world_joint", "joint"))
        return system.ground

    def _body(self, system: System, k: int) -> Body:
        properties, looks = self._group(k)
        body = system.body(
            self.names.free(system, self.drawing.names[k], "body"),
            position=self.drawing.position[k],
            rotation=self.drawing.turn[k],
            mass=properties.mass,
            com=properties.com,
            inertia=properties.inertia,
            looks=looks or None,
        )
        for fault in body.faults():
            self.source.fault("body", self.drawing.names[k], fault)
        return body

    def _group(self, leader: int) -> tuple[MassProperties, list[Look]]:
        """Of all bodies that are one: mass properties and looks in the frame of the first."""
        members = [k for k, other in enumerate(self.leader) if other == leader]
        origin, turn = self.drawing.position[leader], self.drawing.turn[leader]
        places = [(turn.T @ (self.drawing.position[k] - origin), turn.T @ self.drawing.turn[k]) for k in members]
        parts = [self._properties(k) for k in members]
        moved = parts[0] if len(parts) == 1 else combined([part.moved(*place) for part, place in zip(parts, places)])
        model = self.source.model
        geoms = [g for k in members for g in range(model.body_geomadr[k], model.body_geomadr[k] + model.body_geomnum[k])]
        return moved, [look for g in geoms for look in self._looks(g, origin, turn)]

    def _properties(self, k: int) -> MassProperties:
        """Of one body, in its frame."""
        model = self.source.model
        axes = matrix(quaternion(model.body_iquat[k] / np.linalg.norm(model.body_iquat[k]), "MuJoCo's quaternion"))
        return MassProperties(float(model.body_mass[k]), model.body_ipos[k].copy(), axes @ np.diag(model.body_inertia[k]) @ axes.T)

    # --- what is drawn -----------------------------------------------------------------------------------------------

    def _looks(self, g: int, origin: np.ndarray, turn: np.ndarray) -> list[Look]:
        """The looks of a geom in a frame."""
        model = self.source.model
        rgba = self._rgba(g)
        if int(model.geom_group[g]) not in SHOWN or rgba[3] == 0:
            return []
        positions, turns = self.drawing.geoms
        place, own = turn.T @ (positions[g] - origin), turn.T @ turns[g]
        colour = "#" + "".join(f"{round(255 * min(max(float(x), 0.0), 1.0)):02x}" for x in rgba[:3])
        try:
            shapes = self._shapes(g)
        except ModelError:
            return []  # of no size
        return [Look(shape, place + own @ offset, own @ turned, colour) for shape, offset, turned in shapes]

    def _shapes(self, g: int) -> list[tuple[Shape, np.ndarray, np.ndarray]]:
        """The shapes of a geom, each with its position and orientation in the geom's frame."""
        model, mj = self.source.model, self.source.mj
        word = mj.mjtGeom(int(model.geom_type[g])).name.removeprefix("mjGEOM_").lower()
        x, y, z = (float(size) for size in model.geom_size[g])
        middle, along = np.zeros(3), np.eye(3)
        if word == "sphere":
            return [(Sphere(x), middle, along)]
        if word == "box":
            return [(Box(2 * x, 2 * y, 2 * z), middle, along)]
        if word in ("cylinder", "capsule"):
            ends = [np.array([0.0, 0.0, end]) for end in (-y, y)] if word == "capsule" else []
            return [(Cylinder(x, 2 * y), middle, along), *((Sphere(x), end, along) for end in ends)]
        if word == "mesh":
            return mesh_look(self.source, g)
        if word != "plane":
            self.source.notes.leave(f"{UNDRAWN.get(word, word)} are not drawn", self.source.name("geom", g) or f"geom {g}")
        return []

    def _rgba(self, g: int) -> Any:
        model = self.source.model
        own, material = model.geom_rgba[g], int(model.geom_matid[g])
        return model.mat_rgba[material] if material >= 0 and np.allclose(own, GREY) else own
