"""The systems of saetran2018, and the numbers known of them. Units SI; z is up, links hang along -z of their bodies."""

from __future__ import annotations

import math

import poinsot as po

GRAVITY = (0.0, 0.0, -9.81)
MASS, LENGTH, WIDTH = 50.0, 2.0, 0.2  # of a link, table 3.1
TIP = (0.0, 0.0, -LENGTH / 2)  # in the frame of a link
SMALL, LARGE = 0.1, math.pi / 8  # first angle of the chains of up to 4 and of 16 bodies
TORSION = (4000.0, 3000.0, 2000.0, 1000.0)
JOINT_DAMPING = 70.0
STIFFNESS, DAMPING, REST_LENGTH = 800.0, 50.0, 5.0  # of the spring at the tip of 16 bodies
ANCHOR = (10.0, 0.0, -30.0)  # of that spring, in the world
TOP = {"rod length": 0.4, "rod radius": 0.05, "disc thickness": 0.05, "disc radius": 0.4, "density": 1000.0}
TOP_TILT = math.pi / 6
SPINS = (20.0, 10.0)

# What is known of each case, as text: its digits say how closely it must be met.
SINGLE = {"period": "2.320750370161", "theta(10)": "-0.03620549016674"}
DOUBLE = {1: ("-0.023471866602", "-0.025536279113"), 10: ("0.098726604094", "0.002869674697")}
FOUR = {
    1: ("0.3051675955", "-7.9886854236"),
    5: ("0.8779315249", "-7.9440003170"),
    10: ("0.5792846683", "-7.9789604586"),
}
FOUR_ENERGY = "-7808.792689102"
FOUR_ANGLE_ERROR = "7e-8"  # of gauss2 at steps of 0.01 s, at t = 10 s
TOP_BODY = {"mass": "28.2743338823", "J3": "2.0145462891", "J1 at the centre of mass": "1.1957687038"}
TOP_MOTION = {  # theta_max, nutation period, precession per period
    20.0: ("1.480046179", "1.277803551", "3.673174122"),
    10.0: ("2.353719959", "1.277934758", "3.613989538"),
}
FOUR_TORSION = {
    1: ("-0.714101895", "0.388389095", "-7.792491082"),
    5: ("-4.092579325", "3.216981197", "-3.843774754"),
    15: ("5.038023323", "-2.520115576", "-4.358382175"),
}
FOUR_TORSION_ENERGY = "-2141.590834443"
FREE = {
    1: ("10.457678000114", "-30.152054856149"),
    5: ("-13.114549462", "-28.997565069"),
    10: ("14.217347139", "-27.565771843"),
}
DAMPED = {
    1: ("7.867428398", "-0.993680152", "-24.836729371"),
    5: ("4.274548480", "-3.136693698", "-24.998557168"),
    10: ("9.521855624", "-4.507128634", "-27.967563357"),
}
COIL = {
    (64, 3): ("-9.04649280", "4.47847228", "-44.14500000"),
    (64, 5): ("-2.078466", "-0.679162", "-114.297263"),
    (32, 5): ("1.059506", "-0.846155", "-61.724348"),
}
TABLE_3_2 = {  # four bodies at t = 10 s: unit length of the quaternions of links 1 to 4, relative energy error, evaluations
    "RK45": (("5.55e-15", "2.47e-14", "2.24e-14", "2.50e-14"), "7.22e-14", "15794"),
    "GL2": (("2.22e-15", "5.55e-16", "3.00e-15", "1.66e-15"), "3.00e-13", "11334"),
}
TABLE_3_3 = {4: "0.719", 8: "2.27", 16: "10.7", 32: "45.6", 48: "103", 64: "204"}  # s

ERRORS = [
    "1.12: s_{j,2} should be s_{j-1,2}.",
    "2.4-2.5: the variation of omega is eta' + omega^ eta.",
    "2.27, 2.30-2.32: R^(k/j) must be transposed, the first row is -R1 s11^, and 2.31 is -(omega^(n/j)^ R^(n/j)' xi)^.",
    "Rotational rows of Bdot, 2.35: -omega^(k/j)^ R^(k/j)', printed with j/1.",
    "3.4, 3.5, 3.7: M should be 2M* and N 2N*(R, 2 xi^); the printed factor halves every period.",
    "Runge-Kutta formula: y_{n+1} = y_n + h sum(...), at t_n + c_i h. GL1, 2, 3 count stages; their orders are 2, 4, 6.",
    "3.8: must be divided by J, and J is 66.6667 for a thin rod but 66.8333 for the prism: one of them in both models.",
    "3.11: 2 atan2(u1, u0), not 2 arccos(u0).",
    "Top: xi = theta' e3 with omega = 2 xi is a spin of 20 rad/s; the text says 10. Both are run.",
    "Torsion springs: phi = atan2(R32, R33); the moment is -R' k(phi, theta, psi) on the child, +k(...) on the parent. "
    "This law is not conservative, and from pi/8 it ends in gimbal lock at t = 7.22 s. The moment here is -k log(R).",
    "Dampers: the force is -c (n.v) n; the joint damper's moment on the parent is -R M.",
    "Sizes: 16 bodies have 112 states, 64 have 448.",
    "Dampers and functional iteration: the twist decays at 832 to 840 1/s, and at h = 0.01 s the iteration diverges. "
    "The stages need Newton's method.",
]


def chain(links: int, angle: float) -> po.System:
    """Links hanging one from the other by balls, at rest; the first joint is turned about x."""
    s = po.System(f"chain of {links}", gravity=GRAVITY)
    parent = s.ground
    for k in range(links):
        z = -LENGTH * k
        link = s.body(f"link{k + 1}", po.Box(WIDTH, WIDTH, LENGTH, mass=MASS), position=(0, 0, z - LENGTH / 2))
        s.spherical(parent, link, at=(0, 0, z), name=f"joint{k + 1}")
        parent = link
    s["joint1"].set(rotation=("x", angle))
    return s


def top(spin: float) -> po.System:
    """A disc on a rod, standing on the rod's foot, tilted about x and spinning about its axis (rad/s)."""
    rod, disc = TOP["rod length"], TOP["disc thickness"]
    shape = po.Composite(
        [
            (po.Cylinder(TOP["rod radius"], rod, density=TOP["density"]), (0, 0, rod / 2)),
            (po.Cylinder(TOP["disc radius"], disc, density=TOP["density"]), (0, 0, rod + disc / 2)),
        ]
    )
    s = po.System("top", gravity=GRAVITY)
    body = s.body("top", shape)
    s.spherical(s.ground, body, at=(0, 0, 0), name="foot").set(rotation=("x", TOP_TILT), rate=(0, 0, spin))
    return s


def sprung() -> po.System:
    """Four bodies with torsion springs, all joints turned about x and y."""
    s = chain(len(TORSION), 0.0)
    for k, stiffness in enumerate(TORSION, 1):
        s[f"joint{k}"].set(rotation=[("x", LARGE), ("y", LARGE)])
        s.add(po.TorsionSpring(s[f"joint{k}"], stiffness=stiffness))
    return s


def damped() -> po.System:
    """16 bodies with dampers at all joints, and a spring-damper from the tip to the ground."""
    s = _with_dampers(chain(16, LARGE))
    tip = s["link16"]
    ends = (ANCHOR, tip.at(TIP))
    s.add(po.Spring(s.ground, tip, at=ends, stiffness=STIFFNESS, damping=DAMPING, length=REST_LENGTH))
    return s


def coil() -> po.System:
    """64 bodies in a widening horizontal coil, with dampers at all joints, let go."""
    s = chain(64, math.pi / 2)
    for j in range(2, 65):
        s[f"joint{j}"].set(rotation=("y", 2 * math.pi / (8 + (j - 2) / 4)))
    return _with_dampers(s)


def _with_dampers(s: po.System) -> po.System:
    for joint in s.joints:
        s.add(po.JointDamper(joint, JOINT_DAMPING))
    return s
