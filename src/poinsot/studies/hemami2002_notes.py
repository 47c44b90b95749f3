"""Errors in hemami2002, data that it does not give, and what is not reproduced."""

from __future__ import annotations

CORRECTIONS = {  # by the number of the equation, or by subject
    "2": "to be read as A' = A Omega^: only Omega carries the hat.",
    "4": "d(B^-1)/dt + Omega^ B^-1 = d(B^-1 Theta')/dTheta: the rate of B^-1, and Omega^, not B^.",
    "6": "false as an identity of matrices; true when applied to R: Omega^ R^ Omega^ R = R^ Omega^ Omega^ R.",
    "7": "V = -A Omega^ R, since X = -A R.",
    "9, 13": "-Omega^ J1 Omega. With the printed sign the energy is conserved as well; the inertial angular momentum of a free body is not.",
    "M_c": "components along the columns of C, in inertial axes, not in body axes.",
    "10, 'nonholonomic'": "two such constraints are holonomic: A = exp(tau^ Xi) A0, so that Theta(Xi) has a closed form.",
    "16": "not integrable: with one constraint there is no function Theta(Xi); the attitude depends on the path.",
    "17": "v is a Lyapunov function only if K R_a is symmetric and L R_a positive definite; the law is singular at theta2 = 90 degrees, "
    "with torques of 2e5 to 5e7 N m near it. A quaternion does not remove this: the singularity is in B'K Theta.",
    "18": "N_c = -(C'A J^-1 A'C)^-1 C'A Omega-: J^-1, not J. The printed impulses enlarge what they should remove, and blow up.",
    "20": "Omega = A' tau w, without B.",
    "Section 7.4": "does not exist; the parameters of the example are not in the paper.",
}

NOTES = {
    "Right as printed": [
        "A, B, B^-1, (1), (3), (5), (8), (11).",
        "The equations were read from a scanned text, which may have lost dots and hats: whether (2) and (4) are wrong in print is not "
        "certain. The signs of (7), (9) and (13), J in (18) and B in (20) do not depend on them.",
    ],
    "Not in the paper": [
        "All parameters but Theta(0) = 0 and w(0) = 16: the column 'reference' has values computed independently with ours.",
        "The law on SO(3), e_R = (P A - A'P)^v / 2, with V = Omega'J Omega / 2 + k_R tr(P (1 - A)) / 2 and V' = -k_W |Omega|^2.",
        "The sleigh and the disc: constraints that are nonholonomic, which those of the example are not.",
    ],
    "Identified from the reference": [
        "The reference gives peaks near theta2 = 90 degrees by theta1(0) only. The rest of the start, theta2 = 1.3, theta3 = 0 and "
        "Omega = (0, 20, 0), was found by search, as the one of those tried that gives its peaks. Those are at its own steps, while "
        "ours are magnified, so that 2 % is allowed.",
        "The paths of (16), 0.5 rad about each of two orthogonal axes, and the norm, that of the difference of A, were found in the same way.",
    ],
    "Not reproduced": [
        "The curves of figures 1 to 5 themselves, for lack of parameters: ours have the same content.",
        "The modified Lyapunov function v2 of (19).",
        "How fast the printed impulses blow up: the reference stops at 6e11 rad/s after nine of them, ours are at 3e5 rad/s by then. Only "
        "that they do is judged.",
    ],
}
NOTES_QUICK = {
    "Left out of a quick study": ["Maintenance every 0.5 ms; 90 of 100 random attitudes."],
}
