"""The Newton-Euler formulation: the cases of hemami2002, both attitudes, loops, drives, the singularity of Euler angles."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as po
from formulations.test_rotation_matrix import TIGHT, bars
from loops import four_bar
from stewart import FORCES, stewart
from test_drives import WAVE, cart_pole

NAME = "newton-euler"
REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "hemami2002.json").read_text())
PRECISE = {**TIGHT, "formulation": NAME}
WAYS = [NAME, f"{NAME}:euler"]


def theta(run, name):
    """Euler angles of the paper, A = Rx Ry Rz."""
    return Rotation.from_matrix(run[name].rotation).as_euler("XYZ")


@pytest.mark.parametrize("formulation", WAYS)
def test_the_pinned_body(formulation):
    known = REFERENCE["002_hemami"]["holonomic_pin"]
    given = known["params"]
    A0 = Rotation.from_euler("XYZ", given["Theta0"])
    s = po.System("pinned", gravity=(0, 0, -given["g"]))
    body = s.body("body", mass=given["m"], inertia=given["J"], position=-A0.apply(given["R"]), rotation=A0.as_rotvec())
    s.spherical(s.ground, body, at=(0, 0, 0), name="pin").set(rate=A0.apply(given["Omega0"]))
    run = po.simulate(s, 1.0, output_step=0.05, progress=False, **{**PRECISE, "formulation": formulation})
    for k, t in enumerate(known["t_s"]):
        at = round(20 * t)
        assert theta(run, "body")[at] == pytest.approx(known["Theta"][k], abs=1e-9), t
        assert run["body"].angular_velocity_body[at] == pytest.approx(known["Omega"][k], abs=1e-8), t
        assert run["pin"].force[at] == pytest.approx(known["Lambda_N"][k], abs=1e-7), t
        assert run.energy[at] == pytest.approx(known["E_J"], abs=1e-9)


@pytest.mark.parametrize("formulation", WAYS)
def test_the_sign_that_energy_cannot_see(formulation):
    """Torque-free motion: -Omega x J Omega; with the printed sign the energy stays, and the angular momentum in the world does not."""
    s = po.System("free", gravity=None)
    s.body("body", mass=1.0, inertia=(0.5, 0.4, 0.3)).set(angular_velocity=(1, 2, 3))
    run = po.simulate(s, 2.0, output_step=0.1, progress=False, **{**PRECISE, "formulation": formulation})
    assert run["body"].angular_velocity_body[-1] == pytest.approx([0.6843490358, -2.3084986448, 2.8484889570], abs=1e-9)
    assert np.ptp(run.angular_momentum, axis=0).max() < 1e-10


def driven_cart():
    s, rail = cart_pole()
    s.add(po.Motion(rail.displacement, WAVE, name="motion"))
    return s


CLOSED = {"four-bar": four_bar, "loop of bars": lambda: bars([0.2, 1.0, 2.6], closed=True), "driven": driven_cart}


@pytest.mark.parametrize("name, formulation", [*((name, NAME) for name in CLOSED), ("loop of bars", f"{NAME}:euler")])
def test_closed_and_driven_systems_agree_with_the_others(name, formulation):
    system = CLOSED[name]()
    runs = [po.simulate(system, 0.6, output_step=0.05, progress=False, **{**TIGHT, "formulation": f}) for f in ("rotation-matrix", formulation)]
    for body in system.bodies:
        for quantity in ("position", "rotation", "velocity", "angular_velocity"):
            assert getattr(runs[1][body], quantity) == pytest.approx(getattr(runs[0][body], quantity), abs=1e-9)
    assert runs[1].audit.constraint_metres < 1e-12
    if system.drives:
        assert runs[1]["motion"].effort == pytest.approx(runs[0]["motion"].effort, abs=1e-8)
        assert runs[1]["motion"].conditioning == pytest.approx(runs[0]["motion"].conditioning)


def test_the_stewart_platform():
    system = stewart(FORCES["B"])
    runs = [po.simulate(system, 0.5, output_step=0.1, progress=False, **{**TIGHT, "formulation": f}) for f in ("rotation-matrix", NAME)]
    assert runs[1]["platform"].position == pytest.approx(runs[0]["platform"].position, abs=1e-10)
    assert runs[1]["leg3"].force == pytest.approx(runs[0]["leg3"].force, abs=1e-7)


def test_euler_angles_stop_near_their_singularity_and_quaternions_go_on():
    s = po.System("wheel", gravity=None)
    s.body("wheel", mass=1.0, inertia=(0.5, 0.4, 0.3)).set(angular_velocity=(0.0, 2.0, 0.0))
    with pytest.raises(po.RunError, match="Euler angles of a body come near their singularity.*'newton-euler' takes quaternions") as found:
        po.simulate(s, 2.0, formulation=f"{NAME}:euler", step=0.01, integrator="rk4")
    assert 0.6 < found.value.trajectory.t[-1] < 0.9
    with pytest.raises(po.RunError, match="singularity"):
        po.simulate(s, 2.0, formulation=f"{NAME}:euler")
    assert po.simulate(s, 2.0, formulation=NAME, step=0.01, integrator="rk4").audit.energy_drift < 1e-8


@pytest.mark.parametrize("formulation", WAYS)
def test_many_turns_and_continuation_to_the_bit(formulation):
    s = po.System("rotor", gravity=None)
    body = s.body("rotor", po.Cylinder(0.2, 0.1, mass=1.0))
    s.revolute(s.ground, body, at=(0, 0, 0), axis="z", name="axle").set(rate=9.0)
    settings = {"step": 0.01, "integrator": "rk4", "formulation": formulation, "progress": False}
    whole, first = po.simulate(s, 10.0, **settings), po.simulate(s, 5.0, **settings)
    assert whole["axle"].angle == pytest.approx(9.0 * whole.t, abs=1e-10 if formulation.endswith(":euler") else 1e-5)
    assert np.array_equal(po.simulate(s, 5.0, state=first.state(), start=5.0, **settings).raw[-1], whole.raw[-1])


def test_options():
    with pytest.raises(po.FormulationError, match="'newton-euler' has no option 'eular': did you mean 'euler'"):
        po.simulate(four_bar(), 0.1, formulation=f"{NAME}:eular")
