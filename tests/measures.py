"""What tests of energy-momentum steps measure."""

import numpy as np

from poinsot.analysis.constraints import Geometry
from poinsot.formulations.contract import BODY_MOTION

NAMES = {2: "energy-momentum", 4: "energy-momentum-4", 6: "energy-momentum-6"}  # by order


def observed(run):
    """Positions, projected velocities and index-1 reactions at all outputs, each relative to its largest number."""
    n, joints = len(run.frozen.layout.bodies), len(run.frozen.layout.joints)
    bodies = run.motion[:, : BODY_MOTION * n].reshape(len(run.t), n, BODY_MOTION)
    return bodies[:, :, :3], bodies[:, :, 7:], run.loads[:, 6 * n : 6 * (n + joints)]


def open_rows(run, every=1):
    """Largest violation of any constraint row, dropped ones too, m or rad."""
    geometry = Geometry(run.frozen)
    poses = np.zeros((len(run.t), geometry.n, 12))
    poses[:, 0, 3:] = np.eye(3).ravel()
    for b, body in enumerate(run.frozen.system.bodies):
        view = run[body]
        poses[:, b + 1, : view.position.shape[1]] = view.position
        poses[:, b + 1, 3:] = view.rotation.reshape(-1, 9)
    old, worst = run.coordinates, 0.0
    for k in range(0, len(run.t), every):
        values = geometry.rows(poses[k], old[k])[0]
        worst = max(worst, (np.abs(values) * geometry.per_value).max(initial=0.0))
    return worst


def visible_energy(run):
    """Energy of the velocities that users see, those that the constraints allow."""
    total = run.potential.copy()
    for body, table in zip(run.frozen.system.bodies, run.frozen.layout.bodies[1:]):
        view, inertia = run[body], table["inertia"][[[0, 3, 4], [3, 1, 5], [4, 5, 2]]]
        spin = view.angular_velocity_body
        total += 0.5 * table["mass"] * (view.com_velocity**2).sum(axis=1)
        total += 0.5 * np.einsum("ti,ij,tj->t", spin, inertia, spin)
    return total


def trend(t, values):
    """Change over the whole time of the line that fits values best, and the size of the swing about it."""
    slope, start = np.polyfit(t, values, 1)
    return slope * (t[-1] - t[0]), np.ptp(values - slope * t - start)
