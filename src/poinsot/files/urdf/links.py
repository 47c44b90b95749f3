"""Links of a robot: mass properties in the frame of the link, and what is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from poinsot.errors import ModelError
from poinsot.files.urdf.meshes import Meshes
from poinsot.files.urdf.tags import Notes, Tag
from poinsot.model.looks import Look
from poinsot.model.mesh import Mesh
from poinsot.model.shapes import Box, Cylinder, MassProperties, Shape, Sphere

IN_LINK = ("inertial", "visual", "collision", "contact", "contact_coefficients", "self_collision_checking", "sensor", "drake_compliance")
IN_VISUAL = ("origin", "geometry", "material")
IN_INERTIAL = ("origin", "mass", "inertia")
ROUNDING = 1e-15  # m^2: inertias per kg that are smaller are rounding errors of zero
NOTHING = MassProperties(0.0, np.zeros(3), np.zeros((3, 3)))


@dataclass
class Link:
    """A link: its tag, its mass properties in its own frame, its looks there (with positions (3,) and rotations (3, 3))."""

    name: str
    tag: Tag
    properties: MassProperties = field(default_factory=lambda: NOTHING)
    looks: list[Look] = field(default_factory=list)

    @property
    def label(self) -> str:
        """In messages."""
        return f"link '{self.name}'"


class LinkReading:
    """Reads the links of a robot. `colours`: of the materials that have a name."""

    def __init__(self, notes: Notes, meshes: Meshes, robot: Tag):
        self.notes, self.meshes = notes, meshes
        self.colours: dict[str, str] = {}
        named = [*robot.all("material"), *(m for link in robot.all("link") for v in link.all("visual") for m in v.all("material"))]
        for material in named:
            found = self._rgba(material)
            if found is not None and material.attributes.get("name"):
                self.colours.setdefault(material.attributes["name"], found)

    def link(self, tag: Tag) -> Link:
        """One link."""
        found = Link(self.notes.word(tag, "name", "link"), tag)
        self.notes.unknown(tag, IN_LINK)
        inertial = tag.first("inertial")
        if len(tag.all("inertial")) > 1:
            self.notes.fault(tag.all("inertial")[1], f"{found.label}: has two <inertial>; keep one")
        if inertial is not None:
            found.properties = self._inertial(inertial, found.label)
        for visual in tag.all("visual"):
            look = self._visual(visual, found.label)
            found.looks += [] if look is None else [look]
        return found

    def _inertial(self, tag: Tag, label: str) -> MassProperties:
        """Mass, centre of mass and inertia about it, in the axes of the link."""
        notes = self.notes
        notes.unknown(tag, IN_INERTIAL)
        position, turn = notes.place(tag, label)
        mass, inertia = tag.first("mass"), tag.first("inertia")
        if mass is None:
            notes.fault(tag, f'{label}: <inertial> lacks <mass value="..."/> (kg)')
            return NOTHING
        value = notes.number(mass, "value", label)
        if value < 0:
            notes.fault(mass, f"{label}: mass must not be negative, not {value:g} kg")
        xx, xy, xz, yy, yz, zz = (notes.number(inertia, name, label, 0.0) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if np.abs(tensor).max() < ROUNDING * value:
            tensor = np.zeros((3, 3))
        return MassProperties(value, position, turn @ tensor @ turn.T)

    def _visual(self, tag: Tag, label: str) -> Look | None:
        self.notes.unknown(tag, IN_VISUAL)
        position, turn = self.notes.place(tag, label)
        geometry = tag.first("geometry")
        if geometry is None or not geometry.inside:
            self.notes.fault(tag, f"{label}: <visual> lacks <geometry> with a box, cylinder, sphere or mesh")
            return None
        material = tag.first("material")
        colour = None
        if material is not None:
            colour = self._rgba(material) or self.colours.get(material.attributes.get("name", ""))
        try:
            shape = self._shape(geometry.inside[0], label)
        except ModelError as error:
            self.notes.fault(geometry.inside[0], f"{label}: {error}")
            return None
        return None if shape is None else Look(shape, position, turn, colour)

    def _shape(self, tag: Tag, label: str) -> Shape | None:
        notes = self.notes
        if tag.name == "box":
            x, y, z = notes.numbers(tag, "size", 3, label).tolist()
            return Box(x, y, z)
        if tag.name == "sphere":
            return Sphere(notes.number(tag, "radius", label))
        if tag.name in ("cylinder", "capsule"):
            return Cylinder(notes.number(tag, "radius", label), notes.number(tag, "length", label))
        if tag.name == "mesh":
            file = self.meshes.look(notes.word(tag, "filename", label), label)
            return None if file is None else self._mesh(tag, file, label)
        notes.leave(f"unknown geometry <{tag.name}>", f"line {tag.line}")
        return None

    def _mesh(self, tag: Tag, file: Path, label: str) -> Shape | None:
        """A mesh that can be read; one that cannot is left out, and named."""
        scale = self.notes.numbers(tag, "scale", 3, label, (1.0, 1.0, 1.0)).tolist()
        try:
            found = Mesh(str(file), scale[0] if scale[0] == scale[1] == scale[2] else scale)
            found.surface()
        except ModelError as error:
            self.notes.leave(f"meshes that cannot be drawn: {error}", label)
            return None
        return found

    def _rgba(self, material: Tag) -> str | None:
        colour = material.first("color")
        if colour is None:
            return None
        label = f"material '{material.attributes.get('name', '')}'"
        r, g, b, _ = (round(255 * min(max(x, 0.0), 1.0)) for x in self.notes.numbers(colour, "rgba", 4, label, (0.5, 0.5, 0.5, 1.0)))
        return f"#{r:02x}{g:02x}{b:02x}"
