"""Multipliers as results: against the numbers of dumitriu2016, against stresses known by hand, in one step and in two."""

import numpy as np
import pytest

import bridge
import poinsot as po
import random_models
from formulations.test_rotation_matrix import REFERENCE, TIGHT, bars
from formulations.test_rotation_matrix_variants import SYSTEMS
from test_drives import WAVE, cart_pole

NAME = "rotation-matrix"
G = 9.81


def axes(run, name):
    """Body axes of the drawing, columns."""
    return run[name].rotation[0]


@pytest.mark.parametrize("settings", [TIGHT, {"formulation": NAME, "integrator": "rk4", "step": 1e-4}], ids=["dop853", "rk4"])
def test_the_multipliers_of_the_paper(settings):
    """Figures 3 to 6: of both bars, in the axes of the drawing, and of both joints."""
    known = REFERENCE["double_pendulum"]
    run = po.simulate(bars([known["params"][name] for name in ("phi0", "psi0")]), 5.0, output_step=0.25, progress=False, **settings)
    times = [t for t in known["multipliers_N_and_Nm"] if float(t) <= 5]
    assert len(times) > 5
    for t in times:
        k, wanted = round(4 * float(t)), known["multipliers_N_and_Nm"][t]
        for body, label in (("bar1", "Lambda1"), ("bar2", "Lambda2")):
            turned = axes(run, body) @ run[body].multipliers[k] @ axes(run, body).T
            assert turned == pytest.approx(np.array(wanted[label]), abs=1e-9), (t, body)
        for joint, label in (("ball1", "Lambda01"), ("ball2", "Lambda12")):
            assert run[joint].multipliers[k] == pytest.approx(np.array(wanted[label]), abs=1e-9), (t, joint)


def test_a_hanging_bar_is_pulled_by_its_weight():
    """Its tension falls from m g to 0: integrated over its length, m g l / 2."""
    s = po.System("hanging", gravity=(0, 0, -G))
    bar = s.body("bar", po.Box(0.02, 0.01, 0.6, mass=2.0), position=(0, 0, -0.3))
    s.spherical(s.ground, bar, at=(0, 0, 0), name="hook")
    run = po.simulate(s, 0.01, formulation=NAME)
    assert run["bar"].multipliers[-1] == pytest.approx(np.diag([0, 0, -2.0 * G * 0.3]), abs=1e-12)
    assert run["hook"].multipliers[-1] == pytest.approx([0, 0, -2.0 * G], abs=1e-12)
    assert run["hook"].multipliers == pytest.approx(-run["hook"].force, abs=1e-12)


@pytest.mark.parametrize("flat", [False, True])
def test_springs_and_forces_pull_where_they_act(flat):
    """A plate between two springs, and a rotating one: force times distance, and the centrifugal forces m l^2 w^2 / 12."""
    s = po.System("pulled", gravity=None)
    size = (0.8, 0.2, 0.0) if flat else (0.8, 0.2, 0.1)
    inertia = np.array([size[1] ** 2 + size[2] ** 2, size[0] ** 2 + size[2] ** 2, size[0] ** 2 + size[1] ** 2]) / 12 * 3.0
    plate = s.body("plate", mass=3.0, inertia=inertia, rotation=("z", 0.3))
    end = np.array([np.cos(0.3), np.sin(0.3), 0.0])
    for k, side in enumerate((-1, 1)):
        s.add(po.Spring(s.ground, plate, at=(2.0 * side * end, 0.4 * side * end), stiffness=10.0, length=0.6, name=f"spring{k}"))
    s.add(po.Force(plate, 0.5 * np.array([-end[1], end[0], 0.0]), at=0.1 * np.array([-end[1], end[0], 0.0])))
    s.add(po.Force(plate, -0.5 * np.array([-end[1], end[0], 0.0]), at=-0.1 * np.array([-end[1], end[0], 0.0])))
    run = po.simulate(s, 0.01, formulation=NAME)
    assert run["plate"].multipliers[0] == pytest.approx(np.diag([-10.0 * 0.8, -0.5 * 0.2, 0.0]), abs=1e-12)
    spinning = po.System("spinning", gravity=None)
    plate = spinning.body("plate", mass=3.0, inertia=inertia)
    plate.set(angular_velocity=(0, 0, 4.0))
    run = po.simulate(spinning, 0.5, formulation=NAME)
    assert run["plate"].multipliers[-1] == pytest.approx(-16.0 * 3.0 / 12 * np.diag([0.8**2, 0.2**2, 0.0]), abs=1e-7)


@pytest.mark.parametrize("name", [*SYSTEMS, "random"])
def test_one_step_and_two_steps_find_the_same(name):
    if name == "random":
        model, q, u = random_models.random_tree(np.random.default_rng(5), 6)
        system = bridge.to_system(model, q, u)
    else:
        system = SYSTEMS[name]()
    one, two = (po.simulate(system, 2e-3, step=1e-3, formulation=f"{NAME}:{way}", integrator="rk4").multipliers for way in ("one-step", "two-step"))
    assert one[0] == pytest.approx(two[0], abs=1e-11 * np.abs(two).max())
    assert np.abs(two).max() > 0.01


def test_multipliers_of_driven_systems_hold_the_efforts():
    """The same motion by a motor that repeats the efforts: the same multipliers."""
    driven, rail = cart_pole()
    driven.add(po.Motion(rail.displacement, WAVE, name="motion"))
    exact = po.simulate(driven, 0.2, step=0.01)
    run = po.simulate(driven, 0.2, step=0.01, formulation=NAME, integrator="gauss3")
    free, rail = cart_pole()
    free.add(po.Motor(rail, exact["motion"].signal, name="motor"))
    repeated = po.simulate(free, 0.2, step=0.01, formulation=NAME, integrator="gauss3")
    assert run.multipliers[-1] == pytest.approx(repeated.multipliers[-1], abs=1e-5 * np.abs(run.multipliers).max())


def test_multipliers_survive_files(tmp_path):
    run = po.simulate(bars([0.3, 0.1]), 0.1, formulation=NAME, output_step=0.05)
    run.save(tmp_path / "run.h5")
    assert np.array_equal(po.load(tmp_path / "run.h5")["bar2"].multipliers, run["bar2"].multipliers)


def test_other_formulations_say_that_they_have_none():
    run = po.simulate(bars([0.3]), 0.1)
    with pytest.raises(AttributeError, match="run with formulation='rotation-matrix'"):
        _ = run["bar1"].multipliers
    with pytest.raises(AttributeError, match="use the force and torque of joints"):
        _ = run["ball1"].multipliers
