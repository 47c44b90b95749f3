"""Andrews' squeezer: a planar linkage of seven bodies and three loops, driven by a constant torque, that moves fast (0.03 s).

T. D. Andrews' mechanism with the numbers of W. Schiehlen (ed.), Multibody Systems Handbook (1990), and Hairer and Wanner, Solving Ordinary
Differential Equations II, section VII.7. SI units; moments of inertia about axes in the plane do not matter and are invented.
"""

from __future__ import annotations

from math import cos, sin

import numpy as np
from peer_models import Body, Joint, Mechanism, Spring

A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])  # joints on the ground, foot of the spring
CRANK, CRANK_CENTRE, LINK, LINK_CENTRE = 0.007, 0.00092, 0.028, 0.0115
TRIANGLE, TRIANGLE_CENTRE, TRIANGLE_TIP = 0.035, (0.01043, 0.01874), (0.02, 0.018)  # along, across
UPPER, UPPER_CENTRE, UPPER_BAR, UPPER_BAR_CENTRE = 0.04, (0.02308, 0.00916), 0.02, 0.01421
LOWER, LOWER_CENTRE, LOWER_BAR, LOWER_BAR_CENTRE = 0.04, (0.01228, 0.00449), 0.02, 0.01421
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
STIFFNESS, REST, TORQUE = 4530.0, 0.07785, 0.033  # N/m, m, N m
FIRST = -0.0617138900142764  # angle of the crank at the start, rad
START = (  # the other angles, rad
    0.0,
    0.455279819163070380,
    0.222668390165885885,
    0.487364979543842550,
    -0.222668390165885885,
    1.23054744454982119,
)


def places(angles: np.ndarray) -> tuple[dict[str, np.ndarray], list[np.ndarray], np.ndarray]:
    """Ends of the four bars that meet and the joints between bodies; centres of mass; moving end of the spring; angles as in the book."""
    b, th, g, ph, de, om, ep = FIRST, *angles
    pin = CRANK * np.array([cos(b), sin(b)])
    link = np.array([cos(b + th), sin(b + th)])
    sine, cosine = sin(g), cos(g)
    upper, across = np.array([cos(de), sin(de)]), np.array([-sin(de), cos(de)])
    bar = np.array([sin(ph + de), -cos(ph + de)])
    lower, aside = np.array([sin(ep), -cos(ep)]), np.array([-cos(ep), -sin(ep)])
    low_bar = np.array([cos(om + ep), sin(om + ep)])
    knee, elbow = A + UPPER * upper, A + LOWER * lower
    ends = {
        "pin": pin,
        "link": pin - LINK * link,
        "triangle": B + TRIANGLE * np.array([sine, -cosine]),
        "upper": knee + UPPER_BAR * bar,
        "lower": elbow + LOWER_BAR * low_bar,
        "knee": knee,
        "elbow": elbow,
    }
    along, over = np.array([cosine, sine]), np.array([sine, -cosine])
    centres = [
        CRANK_CENTRE * np.array([cos(b), sin(b)]),
        pin - LINK_CENTRE * link,
        B + TRIANGLE_CENTRE[0] * along + TRIANGLE_CENTRE[1] * over,
        knee + (UPPER_BAR - UPPER_BAR_CENTRE) * bar,
        A + UPPER_CENTRE[0] * upper + UPPER_CENTRE[1] * across,
        elbow + (LOWER_BAR - LOWER_BAR_CENTRE) * low_bar,
        A + LOWER_CENTRE[0] * lower + LOWER_CENTRE[1] * aside,
    ]
    return ends, centres, B + TRIANGLE_TIP[0] * along + TRIANGLE_TIP[1] * over


def squeezer() -> Mechanism:
    """The linkage, at rest, closed to rounding, with the link in line with the crank."""

    ends, centres, tip = places(np.array(START))
    bodies = [
        Body(f"K{k}", mass, np.diag([0.6 * inertia, 0.6 * inertia, inertia]), lifted(centre))
        for k, (mass, inertia, centre) in enumerate(zip(MASSES, INERTIAS, centres), 1)
    ]
    z = np.array([0.0, 0.0, 1.0])
    hinges = [(0, 1, np.zeros(2)), (1, 2, ends["pin"]), (0, 3, B), (0, 5, A), (5, 4, ends["knee"]), (0, 7, A), (7, 6, ends["elbow"])]
    joints = [Joint("revolute", one, other, lifted(at), z) for one, other, at in hinges]
    joints += [Joint("revolute", 2, other, lifted(ends["link"]), z, closes=True) for other in (3, 4, 6)]
    spring = Spring(2, (lifted(C), lifted(tip)), STIFFNESS, REST)
    loads = {"springs": (spring,), "torques": ((0, TORQUE),), "gravity": (0.0, 0.0, 0.0)}
    return Mechanism("planar linkage", tuple(bodies), tuple(joints), 0.03, 0.0005, flat=True, plane="xy", **loads)  # type: ignore[arg-type]


def lifted(point: np.ndarray) -> np.ndarray:
    """A point of the plane in space."""
    return np.array([point[0], point[1], 0.0])
