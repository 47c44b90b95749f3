"""The systems of saetran2018, and their known numbers. SI units; z is up, links hang along -z of their bodies."""

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
ANCHOR_IN_PLANE = (0.0, -10.0, -30.0)  # a variant whose motion is planar
WIDE = 0.25  # the width that the thesis gives for 16 bodies, against 0.2 in table 3.1
TOP = {"rod length": 0.4, "rod radius": 0.05, "disc thickness": 0.05, "disc radius": 0.4, "density": 1000.0}
TOP_TILT = math.pi / 6
SPINS = (20.0, 10.0)

# Known numbers of each case, as text: their digits give the allowed difference.
SINGLE = {"period": "2.320750370161", "theta(10)": "-0.03620549016674"}
DOUBLE = {1: ("-0.023471866602", "-0.025536279113"), 10: ("0.098726604094", "0.002869674697")}
FOUR = {
    1: ("0.3051675955", "-7.9886854236"),
    5: ("0.8779315249", "-7.9440003170"),
    10: ("0.5792846683", "-7.9789604586"),
}
FOUR_ENERGY = "-7808.792689102"
FOUR_ANGLE_ERROR = "7e-8"  # of gauss2 at steps of 0.01 s, at t = 10 s
TOP_BODY = {
    "mass": "28.2743338823",
    "height of the centre of mass": "0.4",
    "J3": "2.0145462891",
    "J1 at the centre of mass": "1.1957687038",
}
TOP_MOTION = {  # theta_max, nutation period, precession per period, mean precession rate
    20.0: ("1.480046179", "1.277803551", "3.673174122", "2.874600026"),
    10.0: ("2.353719959", "1.277934758", "3.613989538", "2.827992209"),
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
POWER = "2"  # the thesis: the time grows with the square of the number of bodies

CORRECTIONS = {  # by the number of the equation, or by subject
    "1.12": "s_{j,2} should be s_{j-1,2}.",
    "2.4-2.5": "the variation of omega is eta' + omega^ eta.",
    "2.20, 2.23, 2.34": "right, if D takes the absolute angular velocity in body axes and the term k-1 is dropped for j = k.",
    "2.27, 2.30-2.32": "R^(k/j) must be transposed, the first row is -R1 s11^, and 2.31 is -(omega^(n/j)^ R^(n/j)' xi)^.",
    "2.35, rotational rows of Bdot": "-omega^(k/j)^ R^(k/j)', printed with j/1.",
    "3.4, 3.5, 3.7": "M should be 2M* and N 2N*(R, 2 xi^); the printed factor halves every period.",
    "Runge-Kutta formula": "y_{n+1} = y_n + h sum(...), at t_n + c_i h. GL1, 2, 3 count stages; their orders are 2, 4, 6.",
    "3.8": "must be divided by J, and J is 66.6667 for a thin rod but 66.8333 for the prism: one of them in both models.",
    "3.11": "2 atan2(u1, u0), not 2 arccos(u0).",
    "Top": "xi = theta' e3 with omega = 2 xi is a spin of 20 rad/s; the text says 10. Both are run.",
    "Torsion springs": "phi = atan2(R32, R33), the vector is (phi, theta, psi); the moment is -R' k(phi, theta, psi) on the child, "
    "+k(...) on the parent. This law is not conservative, and from pi/8 joint 4 comes so close to gimbal lock (88.2 degrees "
    "at t = 7.208 s) that its angles jump by a turn four times up to t = 7.22 s, where runs stall. Both it and "
    "the moment -k log(R) are run.",
    "Dampers": "the force is -c (n.v) n; the joint damper's moment on the parent is -R M.",
    "Sizes": "16 bodies have 112 states, 64 have 448.",
    "Functional iteration": "with dampers the twist decays at 832 to 840 1/s, and at h = 0.01 s the iteration diverges: the "
    "stages need Newton's method. A tolerance of 1e-15 is out of reach from 32 bodies on.",
    "Energy and unit length": "say little about the accuracy: GL2 on four bodies conserves the energy to 8e-14, with errors of the angles of 7e-8.",
}

NOTES = {
    "Not in the thesis": [
        "The anchor and length of the tip's spring, the shape of the coil and the angles of the springs' chain are chosen here.",
    ],
    "Not reproduced": [
        "The numbers of function evaluations of table 3.2. They are shown next to ours at the same tolerances, "
        "gauss2 with 1e-9 and dopri5 with 1e-13, and are not the same.",
    ],
    "Of the reference, left out": [
        "Numbers that only its own programs have: differences between them at states that are not recorded, their run times, "
        "and springs with a potential of Euler angles, a law that the thesis does not have.",
    ],
}
NOTES_QUICK = {
    "Left out of a quick study": [
        "The coil of 64 bodies; the damped chains after 1 s; methods on long chains; the times of 32, 48 and 64 bodies.",
    ],
}


def chain(links: int, angle: float, width: float = WIDTH, g: float = -GRAVITY[2]) -> po.System:
    """A chain of links on ball joints, at rest; the first joint is turned about x (rad). Widths in m, g in m/s^2."""
    s = po.System(f"chain of {links}", gravity=(0, 0, -g))
    parent = s.ground
    for k in range(links):
        z = -LENGTH * k
        link = s.body(f"link{k + 1}", po.Box(width, width, LENGTH, mass=MASS), position=(0, 0, z - LENGTH / 2))
        s.spherical(parent, link, at=(0, 0, z), name=f"joint{k + 1}")
        parent = link
    s["joint1"].set(rotation=("x", angle))
    return s


def thin_rod(angle: float) -> po.System:
    """One link without width, as in the model of the thesis with an angle: inertia m l^2 / 3 about the pivot."""
    s = po.System("thin rod", gravity=GRAVITY)
    across = MASS * LENGTH**2 / 12
    link = s.body("link1", mass=MASS, com=(0, 0, 0), inertia=(across, across, 0), position=(0, 0, -LENGTH / 2))
    s.revolute(s.ground, link, at=(0, 0, 0), axis="x", name="joint1").set(angle=angle)
    return s


def free_body(inertia: list[float], angular_velocity: list[float]) -> po.System:
    """A free body, rotating (rad/s, body axes), without gravity."""
    s = po.System("free body", gravity=(0, 0, 0))
    body = s.body("body", mass=1.0, com=(0, 0, 0), inertia=inertia)
    body.set(angular_velocity_body=angular_velocity)
    return s


def top(spin: float) -> po.System:
    """A disc on a rod that stands on its foot, tilted about x and spinning about its axis (rad/s)."""
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


def sprung(angle: float = LARGE, law: str = "rotation-vector") -> po.System:
    """Four bodies with torsion springs, all joints turned about x and y (rad)."""
    s = chain(len(TORSION), 0.0)
    for k, stiffness in enumerate(TORSION, 1):
        s[f"joint{k}"].set(rotation=[("x", angle), ("y", angle)])
        s.add(po.TorsionSpring(s[f"joint{k}"], stiffness=stiffness, law=law))
    return s


def damped(width: float = WIDTH, anchor: tuple[float, float, float] = ANCHOR) -> po.System:
    """16 bodies with dampers at all joints, and a spring-damper from the tip to the ground."""
    s = with_dampers(chain(16, LARGE, width))
    tip = s["link16"]
    ends = (anchor, tip.at(TIP))
    s.add(po.Spring(s.ground, tip, at=ends, stiffness=STIFFNESS, damping=DAMPING, length=REST_LENGTH))
    return s


def coil() -> po.System:
    """64 bodies in a widening horizontal coil, with dampers at all joints, released."""
    s = chain(64, math.pi / 2)
    for j in range(2, 65):
        s[f"joint{j}"].set(rotation=("y", 2 * math.pi / (8 + (j - 2) / 4)))
    return with_dampers(s)


def with_dampers(s: po.System) -> po.System:
    """The same system, with dampers added at all joints."""
    for joint in s.joints:
        s.add(po.JointDamper(joint, JOINT_DAMPING))
    return s
