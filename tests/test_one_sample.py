"""A run that fails at its start raises a readable error, also for planar systems and springs between points of bodies."""

import pytest

import poinsot as po


@pytest.mark.filterwarnings("ignore::poinsot.ModelWarning")
@pytest.mark.parametrize("plane", [None, "zx"])
def test_a_run_that_fails_at_once(plane):
    place = (lambda x, z: (x, 0, z)) if plane is None else (lambda x, z: (z, x))
    s = po.System("s", plane=plane, gravity=None)
    rods = [s.body(f"rod{k}", po.Rod(0.02, mass=1e-30), between=(place(k, 0), place(k + 1, 0))) for k in range(2)]
    s.revolute(s.ground, rods[0], at=rods[0].start, axis="y")
    s.revolute(*rods, at=rods[0].end, axis="y", name="knee")
    s.add(po.Spring(s.ground, rods[1], at=(place(0, 1), rods[1].at((0.1, 0, 0) if plane is None else (0, 0.1))), stiffness=1e30, length=0.1))
    s["knee"].set(rate=1e20)
    with pytest.raises(po.ConvergenceError):
        po.simulate(s, 0.02, step=0.01, progress=False)
