"""Every robot of the package example-robot-data, where it is installed (extra `robots`): read, compared with Pinocchio, and swung."""

import importlib.metadata
import warnings
from pathlib import Path

import numpy as np
import pytest
from pinocchio_states import translated

import poinsot as po

pytestmark = pytest.mark.long
REFUSED = {  # files with faults of their own, and what is said of them
    "romeo.urdf": "body 'LFinger11Link': neither it nor any body it carries has mass, so revolute 'LHand' moves it without effort",
    "romeo_small.urdf": "romeo_small.urdf:548: body 'RShoulderYawLink': no mass distribution has the principal inertias",
    "romeo_laas_small.urdf": "romeo_laas_small.urdf:596: body 'base_link': inertia has a negative principal value",
    "ur3.urdf": "ur3.urdf:6: the robot has no link",
}
STIFF = {"icub.urdf": "forces respond to motion at a rate of 2.9e"}  # a damped joint that moves 1e-18 kg m^2
MIMICS = {"alex_psyonic_hands.urdf": ":1030: joint 'Left_index_q2': mimics joint 'index_q1', which does not exist; did you mean 'Left_index_q1'?"}


def robots():
    try:
        files = importlib.metadata.files("example-robot-data") or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return sorted((Path(file.locate()).resolve() for file in files if file.suffix == ".urdf"), key=str)


def read(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", po.ModelWarning)
        return po.read(path, **options)


def test_the_package_is_installed():
    pytest.importorskip("pinocchio")
    if not robots():
        pytest.skip("example-robot-data is not installed")
    assert len(robots()) > 50


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("path", robots(), ids=lambda path: path.name)
def test_accelerations_are_those_of_pinocchio(path, base):
    pin = pytest.importorskip("pinocchio")
    if path.name in REFUSED:
        with pytest.raises(po.ModelError) as caught:
            po.dynamics(read(path, base=base, mimic=False))
        assert REFUSED[path.name] in str(caught.value)
        return
    dynamics = po.dynamics(read(path, base=base, mimic=False))
    model = pin.buildModelFromUrdf(str(path), *([pin.JointModelFreeFlyer()] if base == "free" else []))
    if model.nv == 0:
        assert not dynamics.rates
        return

    def place(name):
        joint = model.joints[model.getJointId(name if model.existJointName(name) else name.removesuffix("_joint"))]
        return joint.idx_q, joint.idx_v, joint.nq

    random = np.random.default_rng(20250101)
    q = pin.integrate(model, pin.neutral(model), random.uniform(-1, 1, model.nv))
    v, effort = random.uniform(-2, 2, model.nv), random.uniform(-5, 5, model.nv)
    data = model.createData()
    wanted = pin.aba(model, data, q, v, effort)
    state, given, wanted = translated(dynamics, place, q, v, effort, wanted)
    got = dynamics.acceleration(state, effort=given)
    error = abs(got - wanted).max() / abs(wanted).max()
    condition = np.linalg.cond(pin.crba(model, data, q))
    print(f"{path.name} {base}: {error:.1e} (condition {condition:.0e})")
    assert error < max(1e-10, 1e-16 * condition)


@pytest.mark.parametrize("path", robots(), ids=lambda path: path.name)
def test_robots_swing_for_a_second(path):
    if path.name in REFUSED:
        return
    if path.name in MIMICS:
        with pytest.raises(po.ModelError) as caught:
            read(path)
        assert MIMICS[path.name] in str(caught.value)
    system = read(path, mimic=path.name not in MIMICS)
    assert system.check().ok
    if not system.check().degrees_of_freedom:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if path.name in STIFF:
            with pytest.raises(po.ConvergenceError, match=STIFF[path.name]):
                po.simulate(system, 1.0, step=0.005)
            return
        run = po.simulate(system, 1.0, step=0.005)
    assert len(run.t) == 201 and abs(run.t[-1] - 1.0) < 1e-12
