"""Euler angles of bodies: against SciPy, differences, and closed solutions; turns, singular attitudes, and wrong input."""

import warnings

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as po
from poinsot.results.euler import EulerAngles
from poinsot.results.sequences import SEQUENCES, read_sequence
from poinsot.results.trajectory import Samples
from reference_cases import free_top, lagrange_top, load

TURN = 2 * np.pi


def tumbling(t, seed):
    """Rotations about three axes in turn, smooth in time, and their exact angular velocity (world axes)."""
    random = np.random.default_rng(seed)
    axes = [v / np.linalg.norm(v) for v in random.normal(size=(3, 3))]
    f, g, phase = random.uniform(0.5, 2.0, size=(3, 3))
    angles = [2 * np.sin(f[k] * t + phase[k]) + g[k] * t for k in range(3)]
    rates = [2 * f[k] * np.cos(f[k] * t + phase[k]) + g[k] for k in range(3)]
    a, b, c = (Rotation.from_rotvec(np.outer(angle, axis)) for angle, axis in zip(angles, axes))
    w = np.outer(rates[0], axes[0]) + a.apply(np.outer(rates[1], axes[1])) + (a * b).apply(np.outer(rates[2], axes[2]))
    return a * b * c, w


def angles_of(t, turned, w, name, extrinsic=False, near=0.01):
    q = turned.as_quat()[:, [3, 0, 1, 2]]
    return EulerAngles(t, q, w, read_sequence(name, extrinsic, "body"), near, "body")


def differences(f, t, h=1e-3):
    """Central differences, extrapolated twice (Richardson): error of the sixth order."""
    first = [(f(t + h / k) - f(t - h / k)) * k / (2 * h) for k in (1, 2, 4)]
    second = [(4 * b - a) / 3 for a, b in zip(first, first[1:])]
    return (16 * second[1] - second[0]) / 15


@pytest.mark.parametrize("extrinsic", [False, True])
@pytest.mark.parametrize("name", SEQUENCES)
def test_all_sequences_are_those_of_scipy(name, extrinsic):
    t = np.linspace(0, 10, 2001)
    turned, w = tumbling(t, 3)
    flipped = turned.as_quat()[:, [3, 0, 1, 2]] * np.where(np.arange(len(t)) % 7 < 3, 1.0, -1.0)[:, None]  # q and -q are the same rotation
    found = EulerAngles(t, flipped, w, read_sequence(name, extrinsic, "body"), 0.01, "body")
    scipy = name if extrinsic else name.upper()
    off = found.principal - turned.as_euler(scipy)
    assert np.abs(off - TURN * np.rint(off / TURN)).max() < 1e-12
    assert (Rotation.from_euler(scipy, found.angles).inv() * turned).magnitude().max() < 1e-13
    assert np.abs(np.diff(found.angles, axis=0)).max() < 1.4 and np.ptp(found.angles, axis=0).max() > 4.0
    well = np.flatnonzero(found.regular > 0.3)[::40]

    def wrapped(times):
        raw = tumbling(times, 3)[0].as_euler(scipy)
        return raw - TURN * np.rint((raw - found.principal[well]) / TURN)

    assert np.abs(differences(wrapped, t[well]) - branch(found)[well] * found.rates[well]).max() < 1e-9
    assert len(well) > 20


def branch(found):
    """Signs of rates in the principal ranges: there the second angle may run backwards."""
    b = (found.angles - found.principal)[:, 1]
    same = np.abs(b - TURN * np.rint(b / TURN)) < 1e-9
    signs = np.ones((len(b), 3))
    signs[:, 1] = np.where(same, 1.0, -1.0)
    return signs


def test_words():
    t = np.linspace(0, 3, 301)
    turned, w = tumbling(t, 5)
    first, second = angles_of(t, turned, w, "roll pitch yaw"), angles_of(t, turned, w, "YPR")
    assert first.names == ("roll", "pitch", "yaw") and second.names == ("yaw", "pitch", "roll")
    assert np.array_equal(first.angles, second.angles[:, ::-1]) and np.array_equal(first.rates, second.rates[:, ::-1])
    assert np.array_equal(first.angles, angles_of(t, turned, w, "xyz", extrinsic=True).angles)
    assert np.array_equal(second.angles, angles_of(t, turned, w, "ZYX").angles)


def test_turns_are_counted_from_the_angular_velocity():
    """Steady precession of a spinning top, 21 rad of spin between outputs: the angles grow linearly."""
    t, rates = np.linspace(0, 5, 26), np.array([1.25, 0.0, 106.0])
    exact = np.array([0.3, 0.7, -1.0]) + np.outer(t, rates)
    turned = Rotation.from_euler("ZXZ", exact)
    spin = np.outer(np.full(len(t), rates[0]), [0, 0, 1]) + turned.apply([0, 0, rates[2]])
    found = angles_of(t, turned, spin, "zxz")
    assert np.abs(found.angles - exact).max() < 1e-11 and np.abs(found.rates - rates).max() < 1e-11
    assert found.singular == []


def test_the_second_angle_goes_through_a_singular_attitude():
    """A swing about y through three turns: one angle of every sequence with y in the middle, past all its singular attitudes."""
    t = np.linspace(0, 4, 401)
    swing, rate = 2.6 * TURN * np.sin(t), 2.6 * TURN * np.cos(t)
    turned, w = Rotation.from_rotvec(np.outer(swing, [0, 1, 0])), np.outer(rate, [0, 1, 0])
    for name in ("zyz", "zyx"):
        found = angles_of(t, turned, w, name)
        assert np.abs(found.angles - np.outer(swing, [0, 1, 0])).max() < 1e-12 and np.abs(found.rates - w).max() < 1e-12
        offset = 0.0 if name == "zyz" else np.pi / 2
        crossings = np.count_nonzero(np.diff(np.floor((swing - offset) / np.pi)))
        assert len(found.singular) == crossings + (name == "zyz") > 9  # the start is singular for zyz
        for start, end in found.singular[1:-1]:
            middle = np.interp(0.5 * (start + end), t, swing)
            speed = abs(np.interp(0.5 * (start + end), t, rate))
            assert abs((middle - offset) / np.pi - round((middle - offset) / np.pi)) < 2e-3
            if speed > 10.0:
                assert end - start == pytest.approx(0.02 / speed, rel=0.02)


def test_passages_between_outputs_are_found():
    """Six outputs of a passage 0.004 rad beside a singular attitude; the nearest output is 0.2 rad away from it."""
    t = np.linspace(-1, 1, 6)
    turned = Rotation.from_euler("YX", np.column_stack([t, np.full(6, 0.004)]))
    found = angles_of(t, turned, np.outer(np.ones(6), [0, 1, 0]), "zxz")
    assert found.regular.min() > 0.19
    ((start, end),) = found.singular
    assert start == pytest.approx(-np.sqrt(0.01**2 - 0.004**2), rel=0.02) and end == pytest.approx(-start, rel=1e-6)
    assert angles_of(t, turned, np.outer(np.ones(6), [0, 1, 0]), "zxz", near=0.003).singular == []


def test_in_a_singular_attitude_the_sum_is_right():
    """A sleeping top: only the sum of precession and spin is determined, and both are finite and smooth."""
    s = po.System("sleeping top", gravity=(0, 0, -9.81))
    top = s.body("top", mass=1.0, com=(0, 0, 0.1), inertia=(0.01, 0.01, 0.005))
    s.spherical(s.ground, top, at=(0, 0, 0), name="foot").set(rate=(0, 0, 80.0))
    run = po.simulate(s, 1.0, step=0.004)
    found = run["top"].euler("zxz")
    assert np.abs(found.angles.sum(axis=1)[[0, -1]] - (0.0, 80.0)).max() < 1e-9
    assert np.abs(found.angles - np.outer(run.t, [40, 0, 40])).max() < 1e-9
    assert np.abs(found.rates - [40, 0, 40]).max() < 1e-9
    assert found.singular == [(0.0, 1.0)]


def test_leaving_a_singular_attitude():
    """At the start the first axis is where the motion will need it; the angles are those of SciPy afterwards."""
    t = np.linspace(0, 1, 11)
    axis = np.array([0.6, 0.8, 0.0])
    turned = Rotation.from_rotvec(np.outer(t, axis))
    found = angles_of(t, turned, np.outer(np.ones(11), axis), "zxz")
    node = np.arctan2(0.8, 0.6)
    assert np.abs(found.angles - np.column_stack([np.full(11, node), t, np.full(11, -node)])).max() < 1e-14
    assert np.abs(found.rates - [0, 1, 0]).max() < 1e-14


def test_a_cuspidal_top():
    case = load("lagrange_top_cuspidal")
    d = case["definition"]
    run = po.simulate(lagrange_top("top", d["I_about_pivot"], d["l"], np.radians(60), d["omega0_body"]), 5, step=0.0025, integrator="gauss4")
    found = run["top"].euler("zyz")
    assert found.names == ("precession", "nutation", "spin") and found.singular == []
    for at, values in case["reference"]["values"].items():
        k = run.index(float(at))
        precession, nutation, spin = found.angles[k]
        assert precession == pytest.approx(float(values["precession_angle"]), abs=3e-10)
        assert spin == pytest.approx(float(values["spin_angle"]), abs=3e-10)
        assert np.cos(nutation) == pytest.approx(float(values["axis_xyz"][2]), abs=3e-10)
    coarse = po.simulate(lagrange_top("top", d["I_about_pivot"], d["l"], np.radians(60), d["omega0_body"]), 5, step=0.0025, output_step=0.05)
    assert np.abs(coarse["top"].euler("zyz").angles[-1] - found.angles[-1]).max() < 1e-7  # 3 rad of spin between outputs


def test_steady_precession():
    d = load("steady_precession")["definition"]
    slow = float(d["Omega_slow"])
    theta, spin = np.pi / 6, 200.0
    omega = np.array([-slow * np.sin(theta), 0, spin])
    run = po.simulate(lagrange_top("top", [0.05, 0.05, 0.01], 0.2, theta, omega), 1.0, step=0.001, output_step=0.02)
    found = run["top"].euler("zyz")
    assert np.abs(found.rates - [slow, 0.0, spin - slow * np.cos(theta)]).max() < 1e-9
    assert np.abs(found.angles - np.outer(run.t, [slow, 0.0, spin - slow * np.cos(theta)]) - [0, theta, 0]).max() < 1e-9


def test_outputs_too_far_apart_are_reported():
    t = np.linspace(0, 40, 41)
    turned, w = tumbling(t, 3)
    with pytest.warns(UserWarning, match="body: outputs are too far apart to count the turns of Euler angles, first between .*smaller output_step"):
        angles_of(t, turned, w, "xyz")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        angles_of(t / 400, *tumbling(t / 400, 3), "xyz")


@pytest.fixture(scope="module")
def run():
    return po.simulate(free_top(load("euler_top_axis3")), 2, step=0.01)


def test_results_by_name(run):
    found = run["top"].euler("roll pitch yaw")
    frame = run.to_dataframe("top.euler_rpy", "top.euler_zxz_rate.spin")
    assert np.array_equal(np.asarray(frame)[:, -4:-1], found.angles)
    assert np.array_equal(np.asarray(frame)[:, -1], run["top"].euler("zxz").rates[:, 2])
    figure = run.plot("top.euler_zyx_extrinsic", ("top.euler_xyz.y", "top.euler_rpy.pitch"))
    assert figure.axes[0].get_ylabel().replace("\n", " ") == "Euler angles zyx extrinsic of top [rad]"
    for name, words in {
        "top.euler_zxx": "there is no sequence of Euler angles 'zxx'; did you mean 'zyx'",
        "top.euler_zxz.yaw": "'top.euler_zxz' has no component 'yaw'; it has precession, nutation, spin",
        "tip.euler_zxz": "this run has no result 'tip.euler_zxz'",
    }.items():
        with pytest.raises(po.SettingsError, match=words):
            run.plot(name)


def test_wrong_input(run):
    for arguments, options, words in (
        (("zzx",), {}, "body 'top': euler: there is no sequence of Euler angles 'zzx'; did you mean"),
        ((3,), {}, "there is no sequence of Euler angles 3; there are xyx"),
        (("zXz",), {}, "there is no sequence"),
        (("ZXZ",), {"extrinsic": True}, "upper-case letters are intrinsic in SciPy.*give 'zxz'"),
        (("rpy",), {"extrinsic": True}, "give them without extrinsic"),
        (("zxz",), {"extrinsic": 1}, "extrinsic must be True or False"),
        (("zxz",), {"near": "a"}, "near must be a number"),
        (("zxz",), {"near": np.nan}, "near must be an angle from 0 to 0.5 rad"),
    ):
        with pytest.raises(po.ModelError, match=words):
            run["top"].euler(*arguments, **options)
    with pytest.raises(TypeError, match="did you mean extrinsic"):
        run["top"].euler("zxz", extrinsc=True)
    with pytest.raises(AttributeError, match="did you mean 'angles'"):
        _ = run["top"].euler("zxz").angle


def test_stored_runs_and_single_instants(run, tmp_path):
    found, stored = run["top"].euler("zyz"), po.load(run.save(tmp_path / "run.h5"))
    assert np.array_equal(stored["top"].euler("zyz").angles, found.angles)
    assert np.array_equal(stored["top"].poinsot().momentum, run["top"].poinsot().momentum)
    now = Samples(run.frozen, run.formulation, float(run.t[50]), run.raw[50])["top"]
    assert now.euler("zyz").angles.shape == (3,) and np.abs(now.euler("zyz").angles - found.principal[50]).max() < 1e-14
    assert np.abs(now.euler("zyz").rates[[0, 2]] - found.rates[50][[0, 2]]).max() < 1e-13 and now.euler("zyz").singular == []
    motion = now.poinsot()
    assert motion.contact.shape == (3,) and motion.distance == pytest.approx(run["top"].poinsot().distance[50], rel=1e-14)


def test_words_of_results(run):
    found = run["top"].euler("zxz")
    assert found.angles.shape == found.rates.shape == (len(run.t), 3) and not found.angles.flags.writeable
    assert repr(found).startswith("EulerAngles(body 'top': z-x-z, intrinsic (axes of the turned body), 201 outputs")
    assert "world" in repr(run["top"].euler("zxz", extrinsic=True)) and "Rz(yaw)" in repr(run["top"].euler("rpy"))
    assert abs(found.angles[0] @ [1, 0, 1]) < 1e-15 and found.singular[0][0] == 0.0  # the body starts along the axes of the world
