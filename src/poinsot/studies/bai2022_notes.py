"""Errors in bai2022, its conclusions judged, and what it does not give."""

from __future__ import annotations

CORRECTIONS = {  # by the number of the equation
    "3.4, 4.4, 4.5, 4.8 to 4.10, 6.5, 6.9 to 6.11": "q1, not q2, in the terms of gravity; in (4.4) J2 wB^2, not J2 w2^2.",
    "3.6, 3.7": "J_A and J_B change places: Pi1 = J_A w1 + J_B w2.",
    "3.11, 3.12": "the matrix is [[J_A, J_B], [J_C, J_D]]; velocity terms -m2 d w2^2 - 2 m2 d w1 w2 and +m2 d w1^2, with d = rho2' R2' S q1.",
    "4.7": "(wB - wA), not (wA - wB).",
    "4.10, 6.11": "the signs of all forces are reversed: Pi' = +K_A; m2 for m_B.",
    "5.4 to 5.6, 5.16 to 5.19, 6.14": "rho2, not rho1, in the terms of the second body.",
    "5.7": "not defined there: J_QA = J2 + m2 |rho2|^2, J_QB = J_QA + m2 l1 qB' T_rho2' q1.",
    "5.15": "dJ_QB/dt N w, not J_QB N w.",
    "5.19, 5.21, 6.13, 6.15": "all terms with g have the wrong sign.",
    "5.20, 6.12": "the terms with m2 g have the wrong sign.",
    "6.6": "the inverse is [[J_D, -J_B], [-J_C, J_A]] / (J_A J_D - J_B J_C).",
    "6.7 to 6.9": "the same matrix; 'L-A-H' means L-R-H; R = [-S Gamma, Gamma]', transposed.",
    "6.10": "Gamma' = -S_Gamma w.",
    "6.14": "dJ_Z/dt w, not J_Z w; the sign of gravity is +; the first form of dJ_Z/dt lacks an S.",
}

NOTES = {
    "Conclusions of the paper": [
        "'Better for the relative group than for the absolute one' (abstract), and 'the absolute modeling method is more advantageous' (figure 13): "
        "they contradict each other, and neither holds: the order changes with 1 % of rtol.",
        "'The Lie group based result is better than the double spherical space one' (abstract): absolute matrices and absolute vectors are the same "
        "equations with components in other places, and give the same numbers; of the relative ones, either is ahead, as rtol decides.",
        "'The Lagrange equation with the absolute Lie group has the best conservation character' (section 8): it is not the best at any "
        "value of rtol tried.",
        "'The Hamilton equation for the absolute motion has the simplest structure': true, and it drifts most at every value of rtol tried; "
        "with another control of steps it does not.",
        "What the figures show is the error of RK5(4) at rtol 1e-3. The motion is regular; at tight tolerances, or with gauss4, all eight agree with "
        "the reference to 1e-8 over 200 s, and Gauss methods keep the norms to rounding, in all eight alike.",
        "Momenta of one number beside an attitude do not make Gauss methods symplectic: a vector conjugate to the attitude does "
        "(planar:A-A-H,canonical).",
    ],
    "Not in the paper": [
        "The strength of gravity, whether theta2 is relative, which tolerances: of eight readings, only g = 9.8 m/s^2 along +e2, theta2 relative and "
        "the defaults of ode45 give its numbers.",
        "Chains of more than two bodies, and chains in space.",
    ],
    "Not reproduced": [
        "The curves of figures 3 to 13 point by point: the paper prints few numbers of them. Ours have the same content.",
        "'0.015' for A-A-L (figure 8), which contradicts '0.006' for the same model (figure 11).",
    ],
}
NOTES_QUICK = {"Left out of a quick study": ["Changes of rtol by 1 %."]}
