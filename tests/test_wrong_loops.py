"""Wrong input to closed systems: messages name the element and say what to do."""

import pytest

import poinsot as po
from loops import four_bar, slider_crank


@pytest.mark.parametrize(
    "settings, error, words",
    [
        ({"step": 0.01, "integrator": "gauss3", "formulation": "directors"}, po.SettingsError, "closed, by revolute 'foot': .*not 'gauss3'"),
        ({"integrator": "dop853", "formulation": "directors"}, po.SettingsError, "closed, by revolute 'foot': .*use energy-momentum"),
        ({"formulation": "directors"}, po.SettingsError, "closed, by revolute 'foot': .*takes fixed steps: give step="),
        ({"rtol": 1e-8, "formulation": "directors"}, po.SettingsError, "give step= .*not rtol="),
        ({"step": 0.01, "formulation": "tree:momentum"}, po.FormulationError, "revolute 'foot' closes a loop.*'directors' accepts closed systems"),
        ({"step": 0.01, "formulation": "moving-frame"}, po.FormulationError, "'directors' accepts closed systems"),
    ],
)  # fmt: skip
def test_methods_for_open_systems_are_refused(settings, error, words):
    with pytest.raises(error, match=words):
        po.simulate(four_bar(), 1.0, **settings)


def test_a_distance_alone_closes_a_system():
    s = po.System("tied", gravity=None)
    rod = s.body("rod", po.Rod(0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    s.add(po.Distance(s.ground, rod, at=((0, 0, 1), rod.start), name="rope"))
    with pytest.raises(po.SettingsError, match="closed, by distance 'rope'"):
        po.simulate(s, 1.0, formulation="directors")


def test_the_state_of_another_system():
    state = po.simulate(slider_crank(), 0.02, step=0.01).state()
    with pytest.raises(po.SettingsError, match="belongs to another system than 'four-bar'"):
        po.simulate(four_bar(), 1.0, step=0.01, state=state)


def test_elements_are_named_not_printed_in_full():
    s = four_bar()
    s.add(po.Gear(s["base"], s["foot"].angle, 1.0))
    with pytest.raises(po.ModelError, match="must be a scalar joint coordinate.*, not revolute 'base'$"):
        s.check().raise_faults()
