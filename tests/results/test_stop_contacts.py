"""Contacts of stops: times against formulas, brief ones between outputs, and in the audit."""

import numpy as np
import pytest

import poinsot as po


def bouncing(damping=0.0, upper=1.0):
    s = po.System("slider", gravity=None)
    box = s.body("box", po.Box(0.1, 0.1, 0.1, mass=2.0))
    rail = s.prismatic(s.ground, box, axis="x", name="rail")
    s.add(po.Stop(rail, -1.0, upper, stiffness=1e4, damping=damping, blend=1e-6, name="ends"))
    rail.set(rate=2.0)
    return s


@pytest.mark.parametrize("options", [{"rtol": 1e-10, "atol": 1e-12, "output_step": 0.001}, {"step": 2e-4, "formulation": "directors"}])
def test_times_and_depths_of_a_bouncing_box(options):
    """It touches at t = 0.5 s; then half an oscillation, pi sqrt(m/k), and sqrt(m/k) v deep; the next limit is 1 s away."""
    run = po.simulate(bouncing(), 2.2, **options)
    period, deep = np.pi * np.sqrt(2.0 / 1e4), 2.0 * np.sqrt(2.0 / 1e4)
    first, second = run["ends"].contacts
    assert (first.side, second.side, first.stop) == ("upper", "lower", "ends")
    accurate = 1e-4  # the blend, and cubics between outputs
    assert first.t == pytest.approx(0.5, abs=accurate) and first.end == pytest.approx(0.5 + period, abs=accurate)
    assert first.depth == pytest.approx(deep, rel=1e-2) and second.t == pytest.approx(1.5 + period, abs=2 * accurate)
    assert run.contacts == [first, second] and run.audit.contacts == 2 and "stops         reached 2 times, the first at t = 0.5" in str(run.audit)
    assert str(first).startswith("ends: beyond its upper limit from 0.5")
    if "step" in options:  # energy-momentum steps are exact
        assert run.audit.energy_drift < 1e-11 * run.audit.energy_scale


def test_contacts_between_two_outputs_and_at_the_ends():
    run = po.simulate(bouncing(), 0.6, rtol=1e-9, atol=1e-12, output_step=0.1)
    (only,) = run["ends"].contacts
    assert 0.4 < only.t < only.end < 0.6
    standing = po.simulate(bouncing(), 0.51, rtol=1e-9, atol=1e-12, output_step=0.01).contacts[-1]
    deep = 2.0 * np.sqrt(2e-4) * np.sin(0.01 / np.sqrt(2e-4))
    assert standing.end is None and standing.depth == pytest.approx(deep, rel=1e-3)
    s = bouncing()
    s["rail"].set(displacement=1.01, rate=0.0)
    begun = po.simulate(s, 0.1, rtol=1e-9, atol=1e-12, output_step=0.01).contacts[0]
    assert begun.t == 0.0 and begun.depth == pytest.approx(0.01, abs=1e-9) and begun.end is not None
    assert po.simulate(bouncing(upper=5.0), 0.5, step=0.01).contacts == []


def test_others_have_none(tmp_path):
    s = bouncing()
    s.add(po.JointDamper(s["rail"], 0.1, name="damper"))
    run = po.simulate(s, 1.0, rtol=1e-9, atol=1e-12, output_step=0.01)
    with pytest.raises(AttributeError, match="damper.* has no contacts"):
        run["damper"].contacts  # noqa: B018
    run.save(tmp_path / "run.h5")
    again = po.load(tmp_path / "run.h5")
    assert again.contacts == run.contacts and again.audit.contacts == 1
    po.simulate(s, 1.0, rtol=1e-9, atol=1e-12, output_step=0.01, stream=tmp_path / "stream.h5")
    assert po.load(tmp_path / "stream.h5").contacts == run.contacts
