"""A Stewart platform 6-UPS whose legs push with a force F0 - k (L - L0): thirteen bodies, six degrees of freedom."""

import numpy as np
from scipy.spatial.transform import Rotation

import poinsot as po

BASE, TOP = np.radians([15, 105, 135, 225, 255, 345]), np.radians([45, 75, 165, 195, 285, 315])
FORCES = {"A": (20.0, 12.0, 18.0, 14.0, 21.0, 10.0), "B": (60.0, -20.0, 50.0, -10.0, 70.0, -30.0)}


def stewart(forces, stiffness=3000.0, place=(0.02, -0.03, 0.6), turn=(0.1, -0.05, 0.15)):
    """The platform in its initial pose, at rest; forces F0 of the legs, N."""
    s = po.System("Stewart platform", gravity=(0, 0, -9.81))
    R0, p0 = Rotation.from_rotvec(turn).as_matrix(), np.array(place)
    platform = s.body("platform", mass=5.0, inertia=(0.12, 0.12, 0.2), position=p0, rotation=turn)
    for k, (a, b, force) in enumerate(zip(BASE, TOP, forces), 1):
        low, high = 0.5 * np.array([np.cos(a), np.sin(a), 0.0]), p0 + R0 @ (0.3 * np.array([np.cos(b), np.sin(b), 0.0]))
        u = (high - low) / np.linalg.norm(high - low)
        g = np.array([-np.sin(a), np.cos(a), 0.0])
        across = np.cross(g, u) / np.linalg.norm(np.cross(g, u))
        axes = np.array([u, np.cross(across, u), across]).T
        cylinder = s.body(f"cylinder{k}", mass=1.0, inertia=(0.001, 0.0125, 0.0125), position=low + 0.2 * u, rotation=axes)
        piston = s.body(f"piston{k}", mass=0.6, inertia=(0.0004, 0.008, 0.008), position=high - 0.2 * u, rotation=axes)
        s.universal(s.ground, cylinder, at=low, axis=g, axis2=across, name=f"base{k}")
        leg = s.prismatic(cylinder, piston, at=low, axis=u, name=f"leg{k}")
        s.spherical(piston, platform, at=high, name=f"top{k}")
        s.add(po.JointSpring(leg, stiffness, name=f"stiffness{k}"))
        s.add(po.Motor(leg, force, name=f"force{k}"))
    return s
