"""An independent reference for rigid multibody dynamics: maximal coordinates, dense, slow and simple.

It imports nothing from the package. SI units. A model is a drawing: bodies in world poses, joints at world points.
Every joint has a frame on each of its two bodies; in the drawing both sit at `at` and are parallel to the world axes.
Joint coordinates give the second frame seen from the first, in the first frame's axes, zero (identity) in the drawing; `joints.py` lists them.

Body accelerations are those nearest to the free ones in the metric of the masses among all that obey the joints
(Gauss), found with a singular value decomposition: redundant rows are allowed, and then the reactions are the ones
of least norm.

One module per noun: description, rotations, joints, kinematics, loads (a class each) and stops, dynamics, energies.
"""

# ruff: noqa: F401, F403
from oracle.description import *
from oracle.dynamics import *
from oracle.energies import *
from oracle.joints import *
from oracle.kinematics import *
from oracle.loads import *
from oracle.rotations import *
from oracle.stops import *
