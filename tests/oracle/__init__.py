"""An independent reference for rigid multibody dynamics: maximal coordinates, dense, slow and simple.

It imports nothing from the package. SI units. A model is a drawing: bodies in world poses, joints at world points.
Every joint has a frame on each of its two bodies; in the drawing both sit at `at` and are parallel to the world axes.
Joint coordinates give the second frame seen from the first, in the first frame's axes, zero (identity) in the drawing:

    kind         positions                             rates
    fixed        -                                     -
    revolute     angle                                 its derivative
    prismatic    displacement                          its derivative
    cylindrical  displacement, angle                   their derivatives
    screw        angle (displacement pitch angle/2pi)  its derivative
    universal    a1, a2: R = R(axis, a1) R(axis2, a2)  their derivatives
    spherical    quaternion wxyz                       angular velocity of the second in the first, second's axes
    planar       x, y (along axis2, axis x axis2),     their derivatives
                 angle about axis
    free         position, quaternion wxyz             derivative of position (first's axes), angular velocity as above

Body accelerations are those nearest to the free ones in the metric of the masses among all that obey the joints
(Gauss), found with a singular value decomposition: redundant rows are allowed, and then the reactions are the ones
of least norm.

One module per noun: description, rotations, joints, kinematics, loads (a class each), dynamics, energies.
"""

# ruff: noqa: F401, F403
from oracle.description import *
from oracle.dynamics import *
from oracle.energies import *
from oracle.joints import *
from oracle.kinematics import *
from oracle.loads import *
from oracle.rotations import *
