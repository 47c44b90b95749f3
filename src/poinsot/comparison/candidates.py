"""What fits a system: every formulation with every integrator, and in words why the others do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from poinsot.errors import FormulationError
from poinsot.formulations import registry as formulations
from poinsot.integrators import registry as integrators
from poinsot.layout.freeze import Frozen


@dataclass(frozen=True)
class Candidate:
    """A formulation with an integrator that fits it.

    `multipliers`: whether it enforces joints by multipliers; `adaptive`: whether steps follow a tolerance.
    """

    formulation: str
    integrator: str
    order: int
    adaptive: bool
    multipliers: bool

    @property
    def family(self) -> str:
        """The formulation without its options."""
        return self.formulation.partition(":")[0]

    @property
    def variant(self) -> bool:
        """Whether the formulation has options."""
        return self.formulation != self.family


@dataclass(frozen=True)
class LeftOut:
    """A formulation, or an integrator with some formulations, that was not run, and the reason."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


def default_formulations() -> list[str]:
    """All formulations, each followed by those of its variants that are worth comparing."""
    return [each for name in formulations.names() for each in (name, *formulations.variants(name))]


def fitting(frozen: Frozen, wanted: Sequence[str] | None, methods: Sequence[str] | None) -> tuple[list[Candidate], list[LeftOut]]:
    """All pairs that fit, in the order of the registries or as requested, and what does not."""
    found, left = [], []
    lacking: dict[tuple[str, str], list[str]] = {}
    unfit: dict[str, list[str]] = {}
    chosen = {name: integrators.find(name) for name in (methods or integrators.all_names())}
    for name in dict.fromkeys(wanted or default_formulations()):
        try:
            module = formulations.find(name)
            reasons = module.accepts(frozen)
        except FormulationError as error:
            if wanted:
                raise
            reasons = [str(error)]
        if reasons:
            unfit.setdefault("; ".join(reasons), []).append(name)
            continue
        equations = module.formulation(frozen)
        for integrator, method in chosen.items():
            refused = method.refuses(frozen) if method.refuses is not None else ""
            if equations.capability(method.needs) is None:
                lacking.setdefault((integrator, method.needs.WORDS), []).append(name)
            elif refused:
                left.append(LeftOut(f"{name} with {integrator}", refused))
            else:
                found.append(Candidate(name, integrator, method.order, method.adaptive, equations.multipliers))
    return found, [*(LeftOut(", ".join(names), reason) for reason, names in unfit.items()), *left, *_without(lacking)]


def _without(lacking: dict[tuple[str, str], list[str]]) -> list[LeftOut]:
    """Integrators that need what formulations do not have; those for the same reason together."""
    together: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (integrator, words), names in lacking.items():
        together.setdefault((words, tuple(names)), []).append(integrator)
    left = []
    for (words, owners), methods in together.items():
        whose = "this integrator needs" if len(methods) == 1 else "these integrators need"
        left.append(LeftOut(f"{', '.join(owners)} with {', '.join(methods)}", f"{whose} {words}, which the formulation does not have"))
    return left
