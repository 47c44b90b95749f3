"""An MJCF file loaded by MuJoCo, and the lines of its elements. Files that MuJoCo refuses are refused with its words, at their line."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ModelError, ModelWarning, warn
from poinsot.files.contents import read_content
from poinsot.files.urdf.meshes import Meshes
from poinsot.files.urdf.tags import Notes, Tag, parse
from poinsot.model.rotation import matrix, quaternion

EXTRA = "MuJoCo's models are read by MuJoCo's own loader, which is not installed: pip install 'poinsot[mjcf]'"
OLD = "needs MuJoCo 3.3 or newer, not {}: pip install --upgrade mujoco"
DECODED = (".xml", ".urdf")  # ends of names
DEEPEST = 10  # files that include each other
LINE = re.compile(r"line (\d+)")
FAMILIES = {"freejoint": "joint", "equality": "equality", "actuator": "actuator"}  # names are unique within one; by the tag, or the tag around it


def mujoco_module() -> Any:
    """The module mujoco, or an error that says how to get it."""
    try:
        import mujoco
    except ImportError:
        raise ModelError(EXTRA) from None
    if not hasattr(mujoco, "MjSpec") or tuple(int(part) for part in mujoco.__version__.split(".")[:2]) < (3, 3):
        raise ModelError(OLD.format(mujoco.__version__))
    return mujoco


class GivenMesh(NamedTuple):
    """A mesh of the file: where its triangles are, factors along the axes, reference position (3,) and orientation (3, 3)."""

    file: Path | None
    scale: tuple[float, ...]
    origin: np.ndarray
    turn: np.ndarray


class Source:
    """A file, compiled by MuJoCo.

    Attributes
    ----------
    mj : the module mujoco
    model, data : of MuJoCo; the data at the reference configuration (qpos0)
    notes : faults, with lines, and what is not taken
    meshes : files of meshes; those that are missing are drawn by nothing
    meshes_given : meshes by name, as the file gives them
    """

    def __init__(self, path: Path, content: bytes, meshes: Meshes):
        self.path, self.mj, self.meshes = path, mujoco_module(), meshes
        self.notes = Notes(str(path))
        self.lines: dict[tuple[str, str], tuple[str, int]] = {}
        self.included: list[str] = []
        root = parse(content, str(path))
        self.root_line = root.line
        self._index(root, path, 0)
        if path.suffix.lower() not in DECODED:
            raise ModelError(f"{path}: MuJoCo reads files whose names end in {DECODED[0]}; rename it")
        self.spec = self._tried(lambda: self.mj.MjSpec.from_file(str(path)))
        self._leave_out_missing()
        self.model = self._tried(self.spec.compile)
        self.meshes_given = {mesh.name: self._given(mesh) for mesh in self.spec.meshes}
        self.data = self.mj.MjData(self.model)

    # --- lines -----------------------------------------------------------------------------------------------------

    def _index(self, tag: Tag, path: Path, depth: int) -> None:
        """Lines of all elements that have a name, those of included files too."""
        for inside in tag.inside:
            if inside.attributes.get("name"):
                family = FAMILIES.get(tag.name) or FAMILIES.get(inside.name, inside.name)
                self.lines.setdefault((family, inside.attributes["name"]), (str(path), inside.line))
            if inside.name == "include" and depth < DEEPEST:
                self._index_included(self.path.parent / inside.attributes.get("file", ""), depth)
            self._index(inside, path, depth)

    def _index_included(self, file: Path, depth: int) -> None:
        try:
            content = read_content(file, "an MJCF file")
        except ModelError:
            return  # MuJoCo says so
        self.included.append(str(file))
        self._index(parse(content, str(file)), file, depth + 1)

    def where(self, family: str, name: str, element: Any = None) -> Tag:
        """A tag at the line of an element: by its name, otherwise by what MuJoCo knows of it."""
        if (family, name) in self.lines:
            file, line = self.lines[family, name]
            return Tag(family, {}, line, text=file)
        found = LINE.search(getattr(element, "info", "") or "") if not self.included else None
        return Tag(family, {}, int(found[1]) if found else self.root_line, text=str(self.path))

    def fault(self, family: str, name: str, words: str, element: Any = None) -> None:
        """A fault at the line of an element."""
        tag = self.where(family, name, element)
        self.notes.fault(tag, words, tag.text)

    def _tried(self, load: Any) -> Any:
        """What MuJoCo loads, or its error at the line that it names."""
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found = load()
            for message in dict.fromkeys(" ".join(str(warning.message).split()) for warning in said):
                warn(f"{self.path}: MuJoCo warns: {message}", ModelWarning)
            return found
        except (ValueError, RuntimeError, self.mj.FatalError) as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            line = next((found[1] for part in lines if (found := LINE.search(part))), None)
            words = "; ".join(part.removeprefix("XML ").removeprefix("Error: ") for part in lines) or type(error).__name__
            place = f":{line}" if line and not self.included else ""
            other = f" (its lines may be those of {', '.join(self.included[:3])})" if line and self.included else ""
            raise ModelError(f"{self.path}{place}: MuJoCo refuses this file: {words}{other}; correct it there") from None

    # --- what is missing ---------------------------------------------------------------------------------------------

    def _leave_out_missing(self) -> None:
        """Leave out textures, which are not drawn, and geoms of meshes that are not there, where no mass comes from them."""
        for material in self.spec.materials:
            for k in range(len(material.textures)):
                material.textures[k] = ""
        missing = {mesh.name: mesh for mesh in self.spec.meshes if mesh.file and self._mesh(mesh.file) is None}
        geoms = [geom for geom in self.spec.geoms if geom.meshname in missing]
        for geom in geoms:
            body, file = geom.parent, missing[geom.meshname].file
            massless = geom.mass == 0 or (geom.mass != geom.mass and geom.density == 0)  # NaN: by density
            if not (body.explicitinertial or massless or body.name == "world"):
                words = f"body '{body.name}': its mass comes from the mesh {file}, which was not found; give it <inertial>, or the file"
                self.fault("body", body.name, words, body)
        if self.notes.faults:
            raise ModelError(self.notes.faults)
        for element in (*geoms, *missing.values(), *self.spec.textures):
            if hasattr(self.spec, "delete"):
                self.spec.delete(element)
            else:
                element.delete()

    def _given(self, mesh: Any) -> GivenMesh:
        turn = matrix(quaternion(mesh.refquat / np.linalg.norm(mesh.refquat), "refquat"))
        return GivenMesh(self._mesh(mesh.file) if mesh.file else None, tuple(mesh.scale.tolist()), np.array(mesh.refpos), turn)

    def _mesh(self, file: str) -> Path | None:
        """Where MuJoCo finds a mesh."""
        folder = getattr(self.spec.compiler, "meshdir", None) or getattr(self.spec, "meshdir", "") or ""
        inside = str(Path(folder) / file) if folder and not Path(file).is_absolute() else file
        return self.meshes.look(inside, f"mesh '{file}'")

    # --- names -----------------------------------------------------------------------------------------------------

    def name(self, kind: str, k: int) -> str:
        """The name of an element of the model, empty where it has none."""
        kinds = self.mj.mjtObj
        return self.mj.mj_id2name(self.model, getattr(kinds, f"mjOBJ_{kind.upper()}"), k) or ""

    def nonzero(self, field: str, k: int) -> bool:
        """Whether a field of the model is there and has anything but zeros at an index: fields differ between versions."""
        values = getattr(self.model, field, None)
        return values is not None and bool((values[k] != 0).any())

