"""Errors in uhlar2008, data that it does not give, and numbers that are not reproduced."""

from __future__ import annotations

CORRECTIONS = {  # by the number of the equation, or by subject
    "28, 31, 39, 65-66": "signs are correct, but singular at Theta = 3 pi/4 + k pi, where the root is double, and with the mirror root "
    "3 pi/2 - Theta, onto which the logo falls. Regular for changes below half a turn: cos(a) d2B.d1A + sin(a) d2B.d2A + "
    "sin(Theta - a) with a reset each step to the middle of the angle; the discrete motion does not depend on a. Here "
    "the angle is unwrapped from the directors.",
    "35": "Theta and u have no mass: their v are meaningless. Rates of joints come from the bodies.",
    "6": "loads that depend on time are evaluated at the midpoint of the step; averaged over the step they give other numbers.",
    "46, second row": "d_2^1 in the first column should be d_2^2.",
    "56-57": "as printed, u' = -6.5, the second body leaves its rail within 0.16 s; the snapshots need u' = +6.5. Both are run.",
    "58": "B is the input matrix [0 I 0], not the Jacobian of the servo constraints; the torque is tau = -m.",
    "after 60": "24 constraints are internal and 18 external; the text has them swapped.",
    "67, 69": "the zero block is 42 x 3; with u there are 54 coordinates, 48 constraints and 3 torques: 105 unknowns.",
    "78": "the constraint is phi7 minus this path, whose argument is the angle theta(t) of (79), not an angular velocity.",
    "82-83": "Phi3(q), not Phi3(q0).",
    "85": "Theta2 and Theta5 are 5 pi/6; 2 pi/3 contradicts the rest. Ten entries for six degrees of freedom; u_j(0) = 0.0464101615 m.",
    "Conservation and accuracy": "energy and momenta are exact with any step; the motion is of order 2. For the top in space L.d3 is "
    "conserved only up to an error of order 2.",
}

NOTES = {
    "Not in the paper": [
        "Where the bars of the manipulator are pinned: 0.125 and 0.175 m from their centres of mass, half their lengths. The variant "
        "with pins at the centres of mass is run as well.",
        "The top, and the loop in space: the paper says that its scheme extends to them.",
    ],
    "Torques of the scheme": [
        "The paper's discrete torque does the work tau times the change of Theta over a step, and so does a motor here in steps of "
        "order 2. The logo is driven by a couple of that kind, written as a user's force, which is the same; torques of the "
        "manipulator's steps follow from the balance of momenta of its bodies. Torques that a run reports are those at its outputs.",
        "Torques constant over steps, applied by motors with the same steps of order 2, reproduce the motion to rounding. With other "
        "steps or methods torques must be interpolated, and the platform leaves its path by the interpolation error.",
        "Energies of runs of order 6 use the velocities of the steps, which satisfy the constraints to a lower order than 6; "
        "converged kinetic energies are from the reported velocities.",
    ],
    "Not reproduced": [
        "Numbers of iterations: ours is a simplified Newton iteration with one matrix per step.",
        "When the printed angle of (28) leaves its branch with an extrapolated guess at h = 0.1 and 0.05: it depends on the "
        "iterates of all unknowns.",
        "The spread of the logo's energy at h = 0.1 s, where the letters rotate by 1.1 rad per step and our iteration stops at about 1e-12 J, the "
        "reference at 4e-14 J.",
        "Condition numbers of the matrices and the rounding errors of the null-space method: our elimination does not form these matrices.",
    ],
}
NOTES_QUICK = {
    "Left out of a quick study": ["The manipulator by the scheme of order 2 with steps of 0.01 and 0.005 s."],
}
