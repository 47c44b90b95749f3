"""Variants of the rotation-matrix formulation by name: `"rotation-matrix:one-step,baumgarte=20"`.

    one-step       all multipliers, of bodies and joints, from one dense system (two-step: bodies first, then joints)
    unstabilised   accepted states are left as they are (projection: they are put back onto the constraints)
    baumgarte=c    gaps g of joints and of D'D = 1 obey g'' + 2 c g' + c^2 g = 0; c in 1/s, 10 if not given
    printed        equation (22) of dumitriu2016 as printed, with D L: unstable in bodies under compression
    frozen         multipliers are those at the beginning of a step, at all its stages, as dumitriu2016 proposes: of first order
    spatial        kernels in space for planar systems too; the other options have no others

`printed` and `frozen` show what they cost; nobody should choose them for results.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from poinsot.errors import FormulationError
from poinsot.formulations.absolute.plane.tables import SPATIAL
from poinsot.formulations.rotation_matrix.variant_flags import FROZEN, ONE_STEP, UNPROJECTED
from poinsot.model.words import suggestion

NAME = "rotation-matrix"
DAMPING = 10.0  # 1/s
GROUPS = (("two-step", "one-step"), ("projection", "unstabilised", "baumgarte"), ("printed",), ("frozen",), (SPATIAL,))
WORDS = tuple(word for group in GROUPS for word in group)


@dataclass(frozen=True)
class Options:
    """What was chosen; `damping` (1/s) above zero: Baumgarte's."""

    one_step: bool = False
    printed: bool = False
    frozen: bool = False
    projected: bool = True
    damping: float = 0.0
    spatial: bool = False

    @property
    def name(self) -> str:
        """The formulation's name with the options that are not the default."""
        words = ["one-step"] * self.one_step
        if not self.projected:
            words.append(f"baumgarte={self.damping:g}" if self.damping > 0 else "unstabilised")
        words += ["printed"] * self.printed + ["frozen"] * self.frozen + [SPATIAL] * self.spatial
        return f"{NAME}:{','.join(words)}" if words else NAME

    @property
    def number(self) -> int:
        """The variant as kernels know it."""
        return ONE_STEP * self.one_step + FROZEN * self.frozen + UNPROJECTED * (not self.projected)


def parse(text: str) -> Options:
    """Options from their names, separated by commas."""
    chosen: dict[str, str] = {}
    for word in (part.strip() for part in text.split(",")):
        key, _, value = word.partition("=")
        if key not in WORDS or (value and key != "baumgarte"):
            raise FormulationError(f"formulation '{NAME}' has no option '{word}': {suggestion(key, WORDS)}")
        for group in GROUPS:
            twice = [other for other in chosen if other in group and key in group]
            if twice:
                raise FormulationError(f"formulation '{NAME}': choose one of the options '{twice[0]}' and '{key}'")
        chosen[key] = value
    if "one-step" in chosen and "printed" in chosen:
        raise FormulationError(f"formulation '{NAME}': the option 'printed' concerns the second of two steps; leave out 'one-step'")
    return Options(
        one_step="one-step" in chosen,
        printed="printed" in chosen,
        frozen="frozen" in chosen,
        projected="unstabilised" not in chosen and "baumgarte" not in chosen,
        damping=_damping(chosen["baumgarte"]) if "baumgarte" in chosen else 0.0,
        spatial=SPATIAL in chosen,
    )


def _damping(value: str) -> float:
    try:
        damping = float(value) if value else DAMPING
    except ValueError:
        damping = float("nan")
    if not (isfinite(damping) and damping > 0):
        raise FormulationError(f"formulation '{NAME}': the option baumgarte is a positive number in 1/s, as in 'baumgarte=20', not '{value}'")
    return damping
