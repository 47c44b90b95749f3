"""Numbers so large that energies overflow are refused, or the run raises with what was computed; no result is infinite or NaN."""

import numpy as np
import pytest

import poinsot as po
from poinsot.algebra.bounds import LARGEST


def pendulum(gravity=(0, 0, -9.81)):
    s = po.System("pendulum", gravity=gravity)
    link = s.body("link", po.Sphere(1.0, mass=1.0), position=(1, 0, 0))
    return s, link, s.revolute(s.ground, link, at=(0, 0, 0), axis="y", name="hinge")


def rate(value):
    s, _, hinge = pendulum()
    hinge.set(rate=value)
    return s


def free(**values):
    s = po.System("free", gravity=None)
    s.body("ball", po.Sphere(1.0, mass=1.0)).set(**values)
    return s


def loaded(make):
    s, link, hinge = pendulum()
    s.add(make(s, link, hinge))
    return s


TOO_LARGE = {
    "rate": (lambda: rate(1e200), "revolute 'hinge': rate is 1e+200; initial values must be at most 1e+50"),
    "velocity": (lambda: free(velocity=(0, -1e300, 0)), "body 'ball': velocity is -1e+300"),
    "place": (lambda: free(position=(1e300, 0, 0)), "body 'ball': position is 1e+300"),
    "gravity": (lambda: pendulum((0, 0, 1e200))[0], "gravity must be finite numbers of at most 1e+50"),
    "infinite gravity": (lambda: pendulum((0, 0, np.inf))[0], "gravity must be finite numbers"),
    "force": (lambda: loaded(lambda s, b, j: po.Force(b, (1e300, 0, 0), name="push")), "force 'push': vector must be"),
    "motor": (lambda: loaded(lambda s, b, j: po.Motor(j, 1e300, name="motor")), "motor 'motor': law must be"),
    "stiffness": (lambda: loaded(lambda s, b, j: po.JointSpring(j, 1e300, name="k")), "joint spring 'k': stiffness must be"),
    "rest": (lambda: loaded(lambda s, b, j: po.JointSpring(j, 1.0, rest=1e300, name="k")), "joint spring 'k': rest must be"),
    "length": (
        lambda: loaded(lambda s, b, j: po.Spring(s.ground, b, at=((5, 0, 0), (1, 0, 0)), stiffness=1.0, length=1e300, name="k")),
        "spring 'k': length must be",
    ),
}


@pytest.mark.parametrize("case", TOO_LARGE)
def test_too_large_is_refused_by_name(case):
    make, words = TOO_LARGE[case]
    for options in ({"step": 0.01}, {"step": 0.01, "formulation": "directors"}, {}):
        with pytest.raises(po.ModelError) as caught:
            po.simulate(make(), 0.1, **options)
        assert words in str(caught.value)
    assert words in str(make().check())


def test_masses_too_large():
    s = po.System("heavy", gravity=None)
    s.body("sun", mass=1e308, inertia=(1, 1, 1))
    s.body("solid", mass=1.0, inertia=(1e300, 1e300, 1e300))
    assert [words in str(s.check()) for words in ("body 'sun': mass must be", "body 'solid': inertia must be")] == [True, True]
    with pytest.raises(po.ModelError, match="body 'star': Sphere: its mass is"):
        s.body("star", po.Sphere(1.0, density=1e200))


@pytest.mark.parametrize("value", [1e12, 1e30, 0.9 * LARGEST])
@pytest.mark.parametrize("options", [{"step": 0.01}, {"step": 0.01, "formulation": "directors"}, {"rtol": 1e-6}])
def test_large_values_give_finite_results_or_raise(value, options):
    try:
        run = po.simulate(rate(value), 0.1, **options)
    except po.RunError as error:
        assert error.trajectory is not None
    else:
        audit = run.audit
        assert np.all(np.isfinite(run.energy)) and np.all(np.isfinite(run["hinge"].force))
        assert np.isfinite([audit.energy_drift, audit.energy_scale]).all() and audit.energy_scale >= 0.4 * value**2


def test_energies_that_are_not_finite_end_a_run(monkeypatch):
    """A state that grows without bound is refused as a result."""
    run = po.simulate(free(velocity=(1, 0, 0)), 0.1, step=0.05)
    from poinsot.failures import check_finite
    from poinsot.results.trajectory import Trajectory

    raw = run.raw.copy()
    raw[-1] = 1e200
    grown = Trajectory(run.frozen, run.formulation, run.t, raw, run.record)
    with pytest.raises(po.RunError, match="too large to be represented") as caught:
        check_finite(grown)
    assert caught.value.trajectory is grown
    with pytest.raises(po.RunError, match="too large"):
        _ = grown.audit
