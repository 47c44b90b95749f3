"""Every formulation with every integrator that fits a system, found in the registries by trying."""

from functools import cache
from itertools import product

import poinsot as po
from poinsot.formulations.registry import find
from poinsot.formulations.registry import names as formulations
from poinsot.integrators.registry import all_names as integrators
from poinsot.integrators.registry import find as find_method
from poinsot.layout.freeze import freeze
from systems import chain

MISFIT = (po.SettingsError, po.FormulationError)


@cache
def for_open_systems():
    """Names of the formulations that take every open system; others take some of them only, by their kind of motion."""
    return [name for name in formulations() if not find(name).accepts(freeze(chain(2)))]


def steps_of(integrator, step):
    """Settings of steps: fixed ones where a method takes these."""
    return {"step": step} if find_method(integrator).step is not None else {"rtol": 1e-9, "atol": 1e-11}


@cache
def pairs():
    """Names of formulations and integrators that fit each other, on an open system."""
    found = []
    for formulation, integrator in product(formulations(), integrators()):
        try:
            po.prepare(chain(1), formulation=formulation, integrator=integrator, **steps_of(integrator, 0.01))
        except MISFIT:
            continue
        found.append((formulation, integrator))
    return found


def runs(system, duration, step, every=True):
    """Runs by (formulation, integrator), of all that accept the system and each other; or of one integrator per formulation.

    Errors of the runs themselves are passed on.
    """
    found = {}
    for formulation, integrator in pairs():
        if not every and any(formulation == name for name, _ in found):
            continue
        try:
            ready = po.prepare(system, formulation=formulation, integrator=integrator, **steps_of(integrator, step))
        except MISFIT:
            continue
        found[formulation, integrator] = ready.run(duration, output_step=step)
    return found
