"""A System: a drawing of a mechanism in world coordinates. It is a description, never changed by a run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from poinsot.algebra.bounds import LARGEST
from poinsot.errors import ModelError
from poinsot.model.body import Body, Point, ground
from poinsot.model.constraints import Constraint
from poinsot.model.drives import Drive
from poinsot.model.element import Element
from poinsot.model.given import independent_copy, record_arguments
from poinsot.model.guard import NUMBER, PATH, TEXT, TRUTH, door, instance, is_number, maybe
from poinsot.model.initial import read_initial
from poinsot.model.joint import Joint
from poinsot.model.joints import JointMaking
from poinsot.model.load import Load
from poinsot.model.looks import read_looks
from poinsot.model.rotation import Vector, quaternion, smallest_turn
from poinsot.model.shapes import Rod, Shape
from poinsot.model.vectors import (
    PLANES,
    about_normal,
    normal,
    read_axis,
    read_inertia,
    read_spin,
    read_vector,
    two_points,
)
from poinsot.model.words import NearNames, short_repr, suggestion

Added = TypeVar("Added", bound=Load | Constraint | Drive)


@door(name=TEXT, plane=maybe(TEXT))
class System(JointMaking, NearNames):
    """A mechanism: bodies, joints and forces, drawn in world coordinates.

    Parameters
    ----------
    name : of the system, used in messages and files
    gravity : acceleration vector (m/s^2, world), or None for none; always given
    plane : None for space; "xy", "yz", "zx" or "xz" for a planar system: 2-vectors, scalar angles and inertias

    Attributes
    ----------
    ground : the body that does not move; points and directions of it are those of the world
    bodies, joints, loads, constraints, drives : lists of what was added; `system["name"]` is any of them
    initial : initial values that were set, by element, as numbers (rad, m, rad/s, m/s; rotations as quaternions wxyz)
    """

    def __init__(self, name: str = "system", *, gravity: Any, plane: str | None = None):
        if plane is not None and plane not in PLANES:
            raise ModelError(f"system '{name}': plane must be one of {', '.join(PLANES)} or None, not {short_repr(plane)}")
        self.name = name
        self.plane = plane
        self.gravity: Vector = (0.0, 0.0, 0.0) if gravity is None else self.vector(gravity, f"system '{name}': gravity")
        self.ground = ground()
        self.ground.attach(self)
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.loads: list[Load] = []
        self.constraints: list[Constraint] = []
        self.drives: list[Drive] = []
        self.initial: dict[Element, dict[str, tuple[float, ...]]] = {}
        self.given_values: dict[Element, dict[str, Any]] = {}  # initial values as they were given
        self.by_name: dict[str, Element] = {"ground": self.ground}
        self.numbering: dict[str, int] = {}  # by kind: how many elements got a name from the system

    # --- vectors ---------------------------------------------------------------------------------------------------

    def vector(self, value: Any, where: str) -> Vector:
        """Three numbers; in a planar system two, embedded in the plane."""
        return read_vector(self.plane, value, where)

    def spin(self, value: Any, where: str) -> Vector:
        """A rotational vector: three numbers, or in a planar system one about the normal."""
        return read_spin(self.plane, value, where)

    def axis(self, value: Any, where: str) -> Vector:
        """A direction, given as "x", "-z" or a vector, of unit length. A zero vector is accepted here and reported by check()."""
        return read_axis(self.plane, value, where)

    @property
    def normal(self) -> Vector:
        """Normal of a planar system, such that its angles turn the first axis towards the second."""
        assert self.plane is not None
        return normal(self.plane)

    def point(self, value: Any, body: Body, where: str) -> Vector:
        """A world point of the drawing, given by coordinates or as a point of a body; Point objects must be of `body`."""
        if isinstance(value, Point):
            if value.body is not body:
                raise ModelError(f"{where}: the point is fixed to body '{value.body.name}', but a point of '{body.name}' is expected")
            return value.world
        return self.vector(value, where)

    # --- building --------------------------------------------------------------------------------------------------

    @record_arguments
    @door(name=TEXT, shape=maybe(instance(Shape, "a shape, such as po.Box(x, y, z, mass=...)")), mass=maybe(NUMBER))
    def body(
        self,
        name: str,
        shape: Shape | None = None,
        *,
        position: Any = None,
        rotation: Any = None,
        between: Any = None,
        mass: float | None = None,
        com: Any = None,
        inertia: Any = None,
        looks: Any = None,
    ) -> Body:
        """Add a rigid body.

        Parameters
        ----------
        name : of the body, unique in the system
        shape : gives mass, centre of mass and inertia; or give `mass`, `inertia` and `com`
        position : origin of the body frame (m, world)
        rotation : body to world: quaternion wxyz, rotation vector (rad), 3x3, ("x", angle) or a list of these, each in the axes turned by
            those before it; an angle (rad) in a planar system
        between : two points instead (m, world); the origin is half-way, the x axis points from the first to the second
        mass : kg
        com : centre of mass (m, body frame); default: that of the shape, or the origin
        inertia : kg m^2, about the centre of mass, body axes: 3 principal values, 3x3, or one number in a planar system
        looks : shapes to draw instead, which have no mass: a shape, a `po.Look(shape, position, rotation, colour)`, or a list of them
        """
        where = f"body '{name}'"
        ends = None
        if between is not None:
            if position is not None or rotation is not None:
                raise ModelError(f"{where}: between= places the body; leave out position= and rotation=")
            a, b = (np.array(self.vector(p, f"{where}: between")) for p in two_points(between, f"{where}: between"))
            length = math.dist(a, b)
            if not 0 < length <= LARGEST:
                raise ModelError(f"{where}: between= needs two different points, at most {LARGEST:g} m apart")
            position, rotation = 0.5 * (a + b), smallest_turn((b - a).tolist())
            ends = ((-length / 2, 0.0, 0.0), (length / 2, 0.0, 0.0))
            if isinstance(shape, Rod):
                shape = shape.fitted(length)
        if self.plane is not None and is_number(rotation):
            rotation = about_normal(self.plane, rotation)
        place = (0.0, 0.0, 0.0) if position is None else self.vector(position, f"{where}: position")
        total, centre, tensor = self.mass_properties(where, shape, mass, com, inertia)
        drawn = () if looks is None else read_looks(looks, where)
        body = Body(name, place, quaternion(rotation, where), total, centre, tensor, shape, ends, drawn)
        self._register(body)
        self.bodies.append(body)
        return body

    def mass_properties(self, where: str, shape: Shape | None, mass: Any, com: Any, inertia: Any) -> Any:
        """Mass (kg), centre of mass and inertia (xx, yy, zz, xy, xz, yz) from the arguments of a body."""
        if shape is not None and mass is not None:
            raise ModelError(f"{where}: the shape already has a mass; give mass= only once")
        if shape is None and mass is None:
            raise ModelError(f"{where}: give a shape with a mass, or mass= (kg) and inertia= (kg m^2)")
        centre: Vector = (0.0, 0.0, 0.0)
        tensor = np.zeros((3, 3))
        if shape is not None:
            try:
                properties = shape.properties()
            except ModelError as error:
                raise ModelError(f"{where}: {error}") from None
            mass, tensor = properties.mass, properties.inertia
            x, y, z = properties.com.tolist()
            centre = (x, y, z)
        if not is_number(mass):
            raise ModelError(f"{where}: mass must be a number (kg), not {short_repr(mass)}")
        if com is not None:
            centre = self.vector(com, f"{where}: com")
        if inertia is not None:
            tensor = read_inertia(self.plane, inertia, where)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = np.asarray(tensor, float).tolist()
        return float(mass), centre, (xx, yy, zz, xy, xz, yz)

    @door()
    def add(self, element: Added) -> Added:
        """Add a force, a further constraint or a drive and return it."""
        if not isinstance(element, Load | Constraint | Drive):
            raise ModelError(
                f"system '{self.name}': cannot add {short_repr(element)}; add takes forces (po.Spring(...) and others), "
                "constraints (po.Distance(...), po.Gear(...)) and drives (po.Motion(...), po.Servo(...))"
            )
        had_system = element.system is not None
        try:
            element.attach(self)
        except ModelError:
            if not had_system:
                vars(element).pop("_system", None)  # it can be added to another system
            raise
        self._register(element)
        if isinstance(element, Load):
            self.loads.append(element)
        elif isinstance(element, Drive):
            self.drives.append(element)
        else:
            self.constraints.append(element)
        return element

    # --- names and initial values ----------------------------------------------------------------------------------

    def _register(self, element: Element) -> None:
        if element.system is None:
            element.attach(self)
        self.by_name.setdefault(element.name, element)

    def free_name(self, kind: str) -> str:
        """A name not yet taken, such as revolute1."""
        stem = kind.replace(" ", "_")
        while True:
            self.numbering[stem] = self.numbering.get(stem, 0) + 1
            name = f"{stem}{self.numbering[stem]}"
            if name not in self.by_name:
                return name

    def set_initial(self, element: Any, values: dict[str, Any]) -> None:
        """Store initial values of a joint or of a free body; called by `set`."""
        read = read_initial(self, element, values)  # raises before anything is changed
        self.initial.setdefault(element, {}).update(read)
        given_values = self.given_values.setdefault(element, {})
        for name, value in values.items():
            given_values.pop(name, None)  # the latest value goes last
            given_values[name] = independent_copy(value)

    def __getitem__(self, name: str) -> Any:
        try:
            return self.by_name[name]
        except KeyError:
            raise ModelError(
                f"system '{self.name}' has no element {short_repr(name)}; {suggestion(name, self.by_name)}"
            ) from None
        except TypeError:
            raise ModelError(f"system '{self.name}': elements are looked up by name, not by {short_repr(name)}") from None

    def elements(self) -> Iterator[Element]:
        """All bodies, joints, forces, further constraints and drives, in order."""
        yield from self.bodies
        yield from self.joints
        yield from self.loads
        yield from self.constraints
        yield from self.drives

    def is_input(self, motor: Any) -> bool:
        """Whether a servo or a feedback determines the effort of this motor, force or torque."""
        driven = (other for drive in self.drives for other in drive.motors())
        fed = (other for load in self.loads for other in load.inputs())
        return any(motor is other for other in (*driven, *fed))

    @door(rank=TRUTH)
    def check(self, rank: bool = True) -> Any:
        """Describe this system in words, with all its faults; without `rank` the loops are not analysed."""
        from poinsot.analysis.check import check

        return check(self, rank)

    @door()
    def show(self) -> Any:
        """Show this system as it is drawn, before anything runs: bodies, joints, axes, gaps, and its freedoms, which swing at first order.

        Opens a page in a browser and returns its path; in a notebook the page is shown below the cell, and None returned. Nothing is compiled.
        """
        from poinsot.view.show import show

        return show(self)

    def _repr_html_(self) -> str:
        from poinsot.view.show import drawing_html

        return drawing_html(self)

    def copy(self) -> System:
        """A copy of this system with its own elements, which can be changed independently."""
        from poinsot.model.snapshot import mutable_copy

        return mutable_copy(self)

    @door(path=maybe(PATH))
    def to_yaml(self, path: Any = None) -> str:
        """This system as the text of a model file, which `po.read` reads back to the bit; written to `path` when one is given."""
        from poinsot.files.models.read_write import write

        return write(self, path)

    def __repr__(self) -> str:
        return f"System('{self.name}': {len(self.bodies)} bodies, {len(self.joints)} joints, {len(self.loads)} forces)"


SYSTEM = instance(System, "a po.System (po.read reads one from a model file)")
