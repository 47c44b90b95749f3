"""The description of a model and of its state. Vectors and matrices are arrays; bodies and joints are named by their index, -1 is the ground."""

from collections import namedtuple
from dataclasses import make_dataclass

KINDS = ("fixed", "revolute", "prismatic", "cylindrical", "screw", "universal", "spherical", "planar", "free")
FREEDOMS = dict(zip(KINDS, (0, 1, 1, 2, 1, 2, 3, 3, 6)))
GROUND = -1

# OBody: com in the body frame; inertia about the com, body axes; position (of the origin) and rotation (body to world)
# in the drawing.
OBody = make_dataclass("OBody", ["name", "mass", "com", "inertia", "position", "rotation"])
# OJoint: at is a world point of the drawing, axis and axis2 unit world vectors of the drawing (universal: axis fixed in
# the first body, axis2 in the second; planar: the normal and the first in-plane direction). pitch in metres per turn.
_AXES = [("axis", object, None), ("axis2", object, None), ("pitch", float, 0.0)]
OJoint = make_dataclass("OJoint", ["name", "kind", "first", "second", "at", *_AXES])
# OModel: loads are those of loads.py; gravity is an acceleration in the world.
OModel = make_dataclass("OModel", ["bodies", "joints", "loads", "gravity"])

# Poses: body origins in the world (n, 3), rotations body to world (n, 3, 3).
Poses = namedtuple("Poses", "position rotation")
# Twists: velocities of the centres of mass (n, 3) and angular velocities (n, 3), world axes.
Twists = namedtuple("Twists", "com angular")
