"""Poinsot's construction, polhode and herpolhode, momentum sphere: closed solutions, surfaces to 1e-12, and wrong input."""

import numpy as np
import pytest

import poinsot as po
from poinsot.results.poinsot_motion import energy_curves, separatrix
from reference_cases import free_top, lagrange_top, load, numbers

EXACT = 1e-12
TURN = [("x", 0.4), ("z", -0.9)]  # the body's axes are not the principal ones


@pytest.fixture(scope="module", params=["euler_top_axis1", "euler_top_axis3", "dzhanibekov"])
def case(request):
    found = load(request.param)
    return found, po.simulate(free_top(found), 4, step=0.005, formulation="tree", integrator="gauss4")


def test_surfaces(case):
    """The polhode on energy and momentum ellipsoids, the herpolhode on the invariable plane, of the stated energy and momentum."""
    reference, run = case[0]["reference"], case[1]
    found, size, energy = run["top"].poinsot(), float(reference["L"]), float(reference["T"])
    w, moments = found.polhode, numbers(reference["I"])
    assert np.abs(w**2 @ moments / (2 * energy) - 1).max() < EXACT
    assert np.abs(w**2 @ moments**2 / size**2 - 1).max() < EXACT
    assert np.abs(found.energy / energy - 1).max() < EXACT
    momentum = moments * numbers(case[0]["definition"]["omega0_body"])
    assert np.abs(found.momentum - momentum).max() < EXACT * size
    assert np.abs(found.herpolhode @ momentum - 2 * energy).max() < EXACT * 2 * energy
    assert np.array_equal(found.herpolhode, run["top"].angular_velocity) and np.abs(w - run["top"].angular_velocity_body).max() == 0.0
    for at, values in reference["values"].items():
        if float(at) <= 4 and case[0]["case"] != "dzhanibekov":
            assert np.abs(w[run.index(float(at))] - numbers(values["omega_body"])).max() < EXACT * np.linalg.norm(w[0])


def test_the_ellipsoid_rolls_on_its_plane(case):
    reference, run = case[0]["reference"], case[1]
    found = run["top"].poinsot()
    distance = np.sqrt(2 * float(reference["T"])) / float(reference["L"])
    assert np.abs(found.distance / distance - 1).max() < EXACT and found.plane_drift < EXACT
    assert np.abs(np.sum(found.contact * found.normal, axis=1) / distance - 1).max() < EXACT
    assert np.abs(np.einsum("ti,ij,tj->t", found.contact_body, found.inertia, found.contact_body) - 1).max() < EXACT
    slope = np.einsum("tij,tj->ti", found.rotation, found.contact_body @ found.inertia)  # normal of the ellipsoid at the contact
    assert np.abs(np.cross(slope / np.linalg.norm(slope, axis=1, keepdims=True), found.normal)).max() < EXACT
    assert np.abs(found.rolling_velocity).max() < 1e-14 * np.abs(found.polhode).max()
    deepest = np.linalg.norm(np.linalg.cholesky(np.linalg.inv(found.inertia)).T @ np.swapaxes(found.rotation, 1, 2) @ found.normal[..., None], axis=1)
    assert np.abs(deepest[:, 0] / distance - 1).max() < EXACT  # the plane touches: the ellipsoid reaches as far, and no further
    h = run.t[1] - run.t[0]
    weights = np.array([1, -8, 8, -1]) / (12 * h)  # both curves pass the contact with one velocity
    for k in (100, 400, 700):
        near = [k - 2, k - 1, k + 1, k + 2]
        through, over = weights @ found.contact[near], found.rotation[k] @ (weights @ found.contact_body[near])
        assert np.abs(through - over).max() < 2e-6 * max(np.abs(over).max(), 0.1)


def test_principal_axes_need_not_be_the_body_axes():
    s = po.System("block", gravity=None)
    turn = po.System("turn", gravity=None).body("b", mass=1.0, inertia=(1, 2, 3), rotation=TURN)
    from poinsot.model.rotation import matrix

    R = matrix(turn.rotation)
    inertia = R @ np.diag([1.0, 2.0, 3.0]) @ R.T
    block = s.body("block", mass=2.0, com=(0.3, 0, 0.1), inertia=inertia)
    block.set(velocity=(1, 2, 3), angular_velocity_body=(0.4, 1.5, -0.2))
    found = po.simulate(s, 3, step=0.01)["block"].poinsot()
    assert np.abs(found.moments - [1, 2, 3]).max() < 1e-14 and np.linalg.det(found.axes) == pytest.approx(1)
    assert np.abs(found.inertia @ found.axes - found.axes * found.moments).max() < 1e-14
    assert np.abs(found.semi_axes - 1 / np.sqrt([1, 2, 3])).max() < 1e-14
    assert found.plane_drift < EXACT and np.ptp(found.polhode, axis=0).max() > 1.0
    across, along = np.linalg.norm(found.herpolhode_plane, axis=1), found.distance * np.sqrt(2 * found.energy)
    assert np.abs(across**2 + along**2 - np.sum(found.polhode**2, axis=1)).max() < EXACT


def test_about_a_fixed_point():
    """A heavy top about its foot: the moments are those about the foot, the vertical and axial momenta are constant and the plane moves."""
    d = load("lagrange_top_cuspidal")["definition"]
    s = lagrange_top("top", d["I_about_pivot"], d["l"], np.radians(60), d["omega0_body"])
    run = po.simulate(s, 0.5, step=0.0025, integrator="gauss4")
    found = run["top"].poinsot(about=(0, 0, 0))
    assert np.abs(found.moments - sorted(d["I_about_pivot"])).max() < 1e-15
    assert np.abs(found.energy - run.kinetic).max() < EXACT * run.kinetic[0] and np.abs(found.momentum - run.angular_momentum).max() < EXACT
    assert np.ptp(found.momentum[:, 2]) < 1e-10 and np.ptp(found.momentum_body[:, 2]) < EXACT and found.plane_drift > 0.1
    assert np.array_equal(found.polhode, run["top"].poinsot(about=s["top"].at((0, 0, 0))).polhode)
    assert np.abs(run["top"].poinsot().moments - [0.01, 0.01, 0.01]).max() < 1e-15
    with pytest.raises(po.ModelError, match=r"body 'top': the point about=\(0.0, 0.0, 0.1\) moves, at up to .* m/s; give a point that does not"):
        run["top"].poinsot(about=(0, 0, 0.1))


def test_curves_on_the_momentum_sphere():
    """On sphere and energy ellipsoid to rounding, closed, around the axis of least or largest moment; the separatrix through the middle one."""
    moments, size = np.array([1.0, 2.0, 3.0]), 2.5
    for energy in (size**2 / 5.9, size**2 / 4.5, size**2 / 3.5, size**2 / 2.1):
        curves = energy_curves(moments, size, energy)
        around = 2 if energy < size**2 / 4 else 0
        for side, curve in zip((1, -1), curves):
            assert np.abs(np.linalg.norm(curve, axis=1) / size - 1).max() < 1e-14
            assert np.abs(curve**2 @ (1 / moments) / (2 * energy) - 1).max() < 1e-14
            assert np.abs(curve[0] - curve[-1]).max() < 1e-14 and np.all(side * curve[:, around] > 0)
            assert np.ptp(np.unwrap(np.arctan2(*curve[:, [(around + 1) % 3, (around + 2) % 3]].T))) == pytest.approx(2 * np.pi)
    for circle in separatrix(moments, size):
        assert np.abs(np.linalg.norm(circle, axis=1) / size - 1).max() < 1e-14
        assert np.abs(circle**2 @ (1 / moments) / (size**2 / 2) - 1).max() < 1e-14
    assert energy_curves(moments, size, 0.1) == energy_curves(moments, size, 9.0) == [] == energy_curves([2.0, 2.0, 2.0], size, 1.0)
    assert separatrix([1.0, 1.0, 2.0], size) == separatrix([1.0, 2.0, 2.0], size) == []
    for symmetric in ([1.0, 1.0, 2.0], [1.0, 2.0, 2.0]):
        curves = energy_curves(symmetric, size, size**2 / 2.8)
        assert len(curves) == 2 and all(np.ptp(curve, axis=0).min() < 1e-14 for curve in curves)


def test_the_path_is_such_a_curve(case):
    run = case[1]
    found = run["top"].poinsot()
    curves = energy_curves(found.moments, float(np.linalg.norm(found.momentum_body[0])), float(found.energy[0]), 20001)
    path = found.momentum_body[::40] @ found.axes
    apart = min(max(np.linalg.norm(curve - p, axis=1).min() for p in path) for curve in curves)
    assert apart < 2e-3 * np.linalg.norm(path[0])


def test_wrong_input():
    s = po.System("two", gravity=None)
    still, needle = s.body("still", mass=1.0, inertia=(1, 2, 3)), s.body("needle", mass=1.0, inertia=(0, 1, 1), position=(2, 0, 0))
    s.revolute(s.ground, needle, at=(2, 0, 0), axis="z").set(rate=1.0)
    run = po.simulate(s, 0.02, step=0.01)
    found = run["still"].poinsot()
    assert not found.polhode.any()
    for word in ("contact", "distance", "normal", "contact_body", "plane_drift"):
        with pytest.raises(po.ModelError, match="body 'still': does not turn at t = 0 s, where no plane is defined"):
            getattr(found, word)
    with pytest.raises(po.ModelError, match="body 'needle': has no moment of inertia about one of its axes"):
        run["needle"].poinsot()
    with pytest.raises(po.ModelError, match="about is a point of body 'needle'; give one of this body"):
        run["still"].poinsot(about=needle.at((0, 0, 0)))
    with pytest.raises(po.ModelError, match="about: must be three numbers"):
        run["still"].poinsot(about="x")
    with pytest.raises(po.ModelError, match="ground: does not turn"):
        run["ground"].poinsot()
    with pytest.raises(AttributeError, match="did you mean 'polhode'"):
        _ = found.polhodes
    flat = po.System("flat", plane="xy", gravity=None)
    flat.body("b", mass=1.0, inertia=1.0)
    with pytest.raises(po.ModelError, match="turns about the normal of a planar system only"):
        po.simulate(flat, 0.02, step=0.01)["b"].poinsot()
    assert still.name == "still" and repr(found) == "PoinsotMotion(body 'still': 3 outputs, principal moments 1, 2, 3 kg m^2)"
