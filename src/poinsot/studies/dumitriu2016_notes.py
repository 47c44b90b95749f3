"""Verdicts on the equations and claims of dumitriu2016, data that it does not give, and numbers that are not reproduced."""

from __future__ import annotations

CORRECTIONS = {  # by the number of the equation, or by subject
    "12, 17, 22": "correct where R'R = I (the sign of R Lambda is that of L + 1/2 Lambda:(R'R - I)). Integrated as printed, E = R'R - I "
    "obeys E'' = E Lambda K^-1 + K^-1 Lambda E: it oscillates in bodies under tension and grows as exp(sqrt(2 Lambda/K) t) in bodies "
    "under compression, which ruins a Stewart platform within 1 s. With R^-T Lambda in place of R Lambda, E'' = 0.",
    "25": "correct only where R'R = I; in general (R'R) Lambda K^-1 + K^-1 Lambda (R'R) has the same right side. With R^-T Lambda in (22) "
    "it is exact as printed.",
    "25, 'discrete Lyapunov-like'": "AX + XA = B is the continuous Lyapunov (Sylvester) equation; the discrete one is AXA' - X = B.",
    "27, psi": "T2* cancels between H1 and G2: psi is the direction of R2 (cos psi0, sin psi0, 0). As printed it is off by up to 0.89 rad, "
    "or by 0.11 rad as in its last line, without l/2. Both angles need atan2.",
    "Multipliers constant during a step, 'no major influence'": "they make RK4 first order: psi is off by 0.25 rad in 5 s with "
    "h = 1e-3, and by 8e-9 rad with multipliers at every stage.",
    "No z component, 'an indirect proof'": "z decouples identically in the plane, and is zero with frozen multipliers as well. The "
    "pendulum in space, the chain and the loops are tests.",
    "Multipliers with 'a regulation role'": "they have none: R'R and the joints drift with the order of the method. Baumgarte's terms bound "
    "the drift, projection removes it.",
}

NOTES = {
    "Equations that are correct as printed": [
        "(1)-(11), (13)-(16), (18)-(24) where R'R = I, (26), and (27) for phi: with our accelerations and multipliers their two sides agree.",
        "Signs: -Lambda01 and +Lambda12 are the forces on the first bar; Lambda is negative along a bar under tension.",
    ],
    "Not in the paper": [
        "g: 9.81 m/s^2. Numbers of figures 2 to 6, which are graphs, are compared with reference values.",
        "The pendulum in space, the chain, the closed loop, and the Stewart platform, which it names as its goal. The driven motion of the "
        "platform: its centre on a circle of radius 0.05 m, twisted by 0.2 rad there and back, from rest to rest in 2 s.",
    ],
    "Not reproduced": [
        "Drift of joints without stabilisation: the reference writes joints in T* and R, in which they are linear, and keeps them to rounding. "
        "Here the accelerations in joints are those of rigid bodies, and gaps drift with the order of the method.",
        "Growth of R'R - I from rounding on the Stewart platform: compared by its logarithm. Its rate depends on how joints are written where "
        "R'R is not I, and is 35 per second here, 30 in the reference.",
        "The reference of a pendulum with a seed of 1e-8 does not say how the pendulum starts: ours leans by 0.05 rad, and growth is compared "
        "by its logarithm. Bars in line are compared with the solution in closed form.",
    ],
}
NOTES_QUICK = {
    "Left out of a quick study": [
        "RK4 with h = 1e-4 in all kinds of multipliers and stabilisations, and runs of 1e5 steps."
    ]
}
