"""Planar chains by attitudes: bai2022's reference, the oracle, the tree, and what each of the eight keeps."""

import numpy as np
import pytest

import bridge
import oracle
import poinsot as po
from fed_arms import sampled, with_integrals
from planar_chains import CODES, VARIANTS, absolute, chain, double_pendulum, random_chain
from poinsot.studies.bai2022_models import reference
from systems import pendulum

TABLE = reference()["trajectory"]
pytestmark = pytest.mark.filterwarnings("ignore:.*angles are in radians:poinsot.errors.ModelWarning")
EVERY = {"gauss4": {"step": 0.01}, "dop853": {"rtol": 1e-13, "atol": 1e-13}}


@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_reference_of_bai2022(variant, integrator):
    """Angles and rates over 200 s, in every variant."""
    run = po.simulate(
        double_pendulum(), 200.0, output_step=1.0, formulation=f"planar:{variant}", integrator=integrator, **EVERY[integrator]
    )
    assert run.audit.formulation == f"planar:{variant}"
    for t, row in TABLE.items():
        k = run.index(float(t))
        found = run["j1"].angle[k], run["j2"].angle[k], run["j1"].rate[k], run["j2"].rate[k]
        wanted = [float(row[name]) for name in ("theta1", "theta2_rel", "omega1", "omega2_rel")]
        assert np.abs(np.subtract(found, wanted)).max() < 1e-8, t


@pytest.mark.parametrize("z", "LH")
@pytest.mark.parametrize("integrator", ["rk4", "gauss2", "gauss4"])
def test_absolute_matrices_and_vectors_are_the_same_equations(z, integrator):
    """L-A-x and A-A-x: the same numbers in other places."""
    for system in (double_pendulum(), chain(5)):
        runs = [po.simulate(system, 2.0, step=0.01, integrator=integrator, formulation=f"planar:{x}-A-{z}") for x in "LA"]
        assert np.abs(runs[0].motion - runs[1].motion).max() < 1e-12 * np.abs(runs[0].motion).max()
        matrices, vectors = (run.raw for run in runs)
        n = len(runs[1].formulation.attitudes.places)
        assert np.abs(matrices[:, 0 : 4 * n : 4] - vectors[:, 0 : 2 * n : 2]).max() < 1e-12


@pytest.mark.parametrize("variant", VARIANTS)
def test_accelerations_and_efforts_of_random_chains(variant):
    """Against the oracle, with every load, on axes of any direction that may point either way; reactions against the tree."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        model, q, u = random_chain(rng, 1 + seed % 8, turns=3.0)
        poses, twists = oracle.kinematics(model, q, u)
        solution = oracle.accelerations(model, poses, twists, q, u)
        expected = np.concatenate(oracle.joint_accelerations(model, poses, twists, q, u, solution))
        system = bridge.to_system(model, q, u)
        d, tree = po.dynamics(system, f"planar:{variant}"), po.dynamics(system)
        assert np.abs(d.acceleration() - expected).max() < 1e-10 * np.abs(expected).max()
        effort = rng.normal(size=expected.size)
        assert np.abs(d.acceleration(effort=effort) - tree.acceleration(effort=effort)).max() < 1e-9 * (1 + np.abs(expected).max())
        assert np.abs(d.inverse(acceleration=d.acceleration(effort=effort)) - effort).max() < 1e-8 * (1 + np.abs(expected).max())
        for (f, m), (force, moment) in zip(d.reactions().values(), tree.reactions().values()):
            assert np.abs(np.r_[f - force, m - moment]).max() < 1e-8 * (1 + np.abs(np.r_[force, moment]).max())


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_chains_that_spin(variant):
    """Whole runs agree with the tree over many turns: bodies, joint angles, energies, loads, work."""
    furthest = 0.0
    for seed, n in enumerate((1, 2, 4, 8)):
        system = bridge.to_system(*random_chain(np.random.default_rng(40 + seed), n, turns=2.0, speed=12.0 if n < 3 else 3.0))
        settings = {"rtol": 1e-12, "atol": 1e-12, "output_step": 0.5}
        runs = [po.simulate(system, 1.0, formulation=name, **settings) for name in ("tree", f"planar:{variant}")]
        a, b = (np.c_[run.motion, run.loads, run.work] for run in runs)
        size = 1.0 + np.abs(a).max(axis=0)
        assert (np.abs(a - b) / size).max() < 1e-6, (seed, n)
        assert np.abs(runs[0].coordinates - runs[1].coordinates).max() < 1e-7
        furthest = max(furthest, np.ptp(runs[1].coordinates, axis=0).max())
    assert furthest > 2 * np.pi


def test_every_formulation_goes_the_same_way():
    """The eight, and all others that take the chain."""
    system = bridge.to_system(*random_chain(np.random.default_rng(7), 3, speed=6.0))
    names = [f"planar:{code}" for code in CODES] + ["tree", "moving-frame", "newton-euler", "rotation-matrix"]
    runs = [po.simulate(system, 0.5, rtol=1e-11, atol=1e-11, output_step=0.1, formulation=name) for name in names]
    for run in runs[1:]:
        for body in system.bodies:
            for what in ("position", "rotation", "velocity", "angular_velocity"):
                a, b = getattr(run[body], what), getattr(runs[0][body], what)
                assert np.abs(a - b).max() < 1e-8 * (1 + np.abs(b).max()), (run.audit.formulation, what)


def test_a_chain_drawn_in_space_is_the_one_drawn_in_its_plane():
    def drawn(flat):
        s = po.System("arm", gravity=(0, -9.81) if flat else (0, -9.81, 0), **({"plane": "xy"} if flat else {}))
        place = (lambda x, y: (x, y)) if flat else (lambda x, y: (x, y, 0.7))
        parent = s.ground
        for k in range(3):
            inertia = 0.3 if flat else np.diag([0.1, 0.25, 0.3])
            body = s.body(f"b{k}", mass=1.0 + k, com=place(0.1, 0.4)[:2] if flat else (0.1, 0.4, 0.2), inertia=inertia, position=place(k, 0.5 * k))
            axis = {} if flat else {"axis": "z"}
            s.revolute(parent, body, at=place(k, 0.5 * k), name=f"j{k}", **axis).set(angle=0.3 * k, rate=2.0 - k)
            parent = body
        return s

    for variant in ("L-R-L", "A-R-H"):
        runs = [po.simulate(drawn(flat), 2.0, step=0.01, formulation=f"planar:{variant}") for flat in (True, False)]
        for k in range(3):
            assert np.abs(runs[0][f"j{k}"].angle - runs[1][f"j{k}"].angle).max() < 1e-11


def turned_spring():
    s = pendulum()
    s.add(po.TorsionSpring(s["pin"], stiffness=0.02, name="spring"))
    s.add(po.JointDamper(s["pin"], 0.01))
    s["pin"].set(angle=-9.0, rate=15.0)
    return s


@pytest.mark.parametrize("settings", [{"step": 0.02}, {"rtol": 1e-10, "atol": 1e-10}])
def test_springs_count_turns(settings):
    """Efforts follow the angle over several turns, with outputs that are many turns apart."""
    for variant in ("L-R-L", "A-A-H"):
        a, b = (po.simulate(turned_spring(), 8.0, output_step=4.0, formulation=name, **settings) for name in ("tree", f"planar:{variant}"))
        assert np.ptp(a["pin"].angle) > 4 * np.pi
        assert np.abs(a["pin"].angle - b["pin"].angle).max() < 1e-6
        assert np.abs(a["spring"].effort - b["spring"].effort).max() < 1e-6


@pytest.mark.parametrize("variant", ["L-R-L", "A-A-H"])
def test_turns_are_those_of_the_attitudes(variant):
    """Attitudes by a coarse method lag behind the integral of the rate, here by a turn in 600 steps: the angle follows them without a jump."""
    s = po.System("rotor", gravity=(0, 0, 0))
    s.revolute(s.ground, s.body("disc", po.Disc(0.5, 0.1, mass=1.0)), at=(0, 0, 0), axis="z", name="pin").set(rate=50.0)
    run = po.simulate(s, 10.0, step=0.01, integrator="gauss1", formulation=f"planar:{variant}")
    turned = run["disc"].rotation
    assert np.abs(run["pin"].angle - np.unwrap(np.arctan2(turned[:, 1, 0], turned[:, 0, 0]))).max() < 1e-9
    assert abs(run["pin"].angle[-1] - 500.0) > 2 * np.pi


@pytest.mark.parametrize("variant", ["L-R-L", "A-A-H", "A-R-H,canonical"])
def test_controllers_samples_impulses_and_events(variant):
    for system in (sampled(), with_integrals()):
        a, b = (po.simulate(system, 1.0, step=0.01, formulation=name) for name in ("tree", f"planar:{variant}"))
        assert np.abs(a.motion - b.motion).max() < 1e-9 * np.abs(a.motion).max()
    s = double_pendulum()
    hit = po.Event(0.35, po.Impulse(s["b"], (0.3, -1.0), at=(1.5, 0.2)))
    a, b = (po.simulate(s, 1.0, step=0.01, formulation=name, events=[hit]) for name in ("tree", f"planar:{variant}"))
    assert b.audit.impulses == 1
    assert np.abs(a.motion - b.motion).max() < 1e-9 * np.abs(a.motion).max()


@pytest.mark.parametrize("variant", ["L-R-L", "A-R-H"])
def test_runs_are_resumed_and_read_back(variant, tmp_path):
    settings = {"step": 0.01, "formulation": f"planar:{variant}"}
    whole = po.simulate(double_pendulum(), 2.0, **settings)
    half = po.simulate(double_pendulum(), 1.0, **settings)
    rest = po.simulate(double_pendulum(), 1.0, state=half.state(), **settings)
    assert np.array_equal(whole.raw[-1], rest.raw[-1])
    again = po.load(whole.save(tmp_path / "run.h5") or tmp_path / "run.h5")
    assert again.audit.unit_length == whole.audit.unit_length
    assert again.audit.unit_length_of == "attitudes"
    assert np.array_equal(np.asarray(again["j2"].angle), whole["j2"].angle)


def keeps_its_norm(steps):
    for code in CODES:
        settings = {"step": 0.01, "output_step": 0.1 * steps / 1000, "integrator": "gauss2"}
        run = po.simulate(double_pendulum(), 0.01 * steps, formulation=f"planar:{code}", **settings)
        assert run.audit.unit_length < 1e-13, code
        assert run.audit.energy_drift < 1e-7 * run.audit.energy_scale
        assert "attitudes     unit length" in str(run.audit)


def test_gauss_keeps_the_norm_of_attitudes():
    keeps_its_norm(20_000)


@pytest.mark.long
def test_gauss_keeps_the_norm_of_attitudes_over_a_million_steps():
    keeps_its_norm(1_000_000)


def test_the_audit_sees_attitudes_drift():
    """An explicit method keeps no norm, and nothing puts attitudes back."""
    for code in CODES:
        run = po.simulate(double_pendulum(), 20.0, rtol=1e-3, atol=1e-6, integrator="dopri5", formulation=f"planar:{code}")
        first = run.raw[:, 0:1] ** 2 + run.raw[:, 2 if code.startswith("L") else 1][:, None] ** 2
        assert run.audit.unit_length >= np.abs(np.sqrt(first) - 1).max() - 1e-12
        assert run.audit.unit_length > 1e-5


def defect(variant, n=4, h=0.05, eps=1e-4):
    """Largest entry of A'JA - J, A the derivative of the state (absolute angles, momenta) after n steps of gauss2 by that before."""
    J = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    z = np.array([-0.3, 0.4, 3.0, 1.0])

    def moved(d):
        th, P = (z + d)[:2], (z + d)[2:]
        s = double_pendulum(momenta=P, angles=(th[0], th[1] - th[0]))
        return absolute(po.simulate(s, n * h, step=h, integrator="gauss2", formulation=f"planar:{variant}", tolerance=1e-15))

    A = np.array([(8 * (moved(e) - moved(-e)) - moved(2 * e) + moved(-2 * e)) / (12 * eps) for e in eps * np.eye(4)]).T
    return np.abs(A.T @ J @ A - J).max()


def test_canonical_momenta_make_gauss_symplectic():
    """Vectors conjugate to attitudes do; rates do not, and neither does the single number of bai2022."""
    assert max(defect(f"{x}-{y}-H,canonical") for x in "LA" for y in "RA") < 1e-9
    assert min(defect(code) for code in CODES) > 1e-8


def branched():
    s = chain(3)
    tip = s.body("tip", mass=1.0, inertia=np.eye(3))
    s.revolute(s.bodies[0], tip, at=(0, 0, 1), axis=s.joints[0].axis, name="twig")
    return s


def tilted():
    s = po.System("arm", gravity=None)
    a, b = s.body("a", po.Sphere(0.1, mass=1.0)), s.body("b", po.Sphere(0.1, mass=1.0), position=(1, 0, 0))
    s.revolute(s.ground, a, at=(0, 1, 0), axis="z", name="j1")
    s.revolute(a, b, at=(1, 0, 0), axis=(0.01, 0, 1), name="j2")
    return s


def floating():
    s = po.System("loose", gravity=None)
    s.body("a", po.Sphere(0.1, mass=1.0))
    return s


def sliding():
    s = po.System("slide", gravity=None)
    s.prismatic(s.ground, s.body("a", po.Sphere(0.1, mass=1.0)), axis="x", name="rail")
    return s


def still():
    s = po.System("wall", gravity=None)
    s.fixed(s.ground, s.body("a", po.Sphere(0.1, mass=1.0)), at=(0, 0, 0))
    return s


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (branched, "'twig' begins a branch, and 'planar' accepts a single chain"),
        (tilted, "the axis of revolute 'j2' is not parallel to that of revolute 'j1'"),
        (floating, "allows other motion than turning about one axis"),
        (sliding, "prismatic 'rail' allows other motion"),
        (still, "no body of it can move"),
    ],
)
def test_what_is_no_planar_chain_is_refused_in_words(make, words):
    with pytest.raises(po.FormulationError, match=words):
        po.simulate(make(), 1.0, step=0.01, formulation="planar")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("L-R", "no option 'L-R': give one of L-R-L, L-R-H, L-A-L, L-A-H, A-R-L, A-R-H, A-A-L, A-A-H"),
        ("", "has no option '': give one of"),
        ("l-r-l", "has no option 'l-r-l'"),
        ("A-A-L,canonical", "'A-A-L' has no momenta"),
        ("A-A-H,symplectic", "no option 'symplectic' after 'A-A-H'"),
    ],
)
def test_options_that_do_not_exist(options, words):
    with pytest.raises(po.FormulationError, match=words):
        po.simulate(double_pendulum(), 1.0, step=0.01, formulation=f"planar:{options}")


def test_without_options_there_is_a_default():
    assert po.simulate(double_pendulum(), 0.1, step=0.01, formulation="planar").audit.formulation == "planar:A-A-L"
