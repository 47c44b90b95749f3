"""Variants by name: `"planar:L-R-H"`, three letters X-Y-Z as in bai2022.

    X   L: the attitude of a body is a rotation matrix (4 numbers), A: an attitude vector (2 numbers)
    Y   R: attitudes, rates and momenta are relative to the body before, A: absolute
    Z   L: the state has rates (Lagrange), H: it has momenta (Hamilton), one number per body

After a momentum form, ",canonical": momenta are vectors conjugate to the attitudes. Methods that are symplectic in canonical coordinates, such as
Gauss', are symplectic then; with one number beside an attitude, as in bai2022, they are not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from poinsot.errors import FormulationError
from poinsot.formulations.planar.places import CANONICAL, MATRIX, MOMENTUM, RELATIVE

NAME = "planar"
CODES = tuple("-".join(letters) for letters in product("LA", "RA", "LH"))
SUFFIX = "canonical"


@dataclass(frozen=True)
class Options:
    """What was chosen."""

    code: str = "A-A-L"
    canonical: bool = False

    @property
    def name(self) -> str:
        """The formulation's name with these options."""
        return f"{NAME}:{self.code}" + f",{SUFFIX}" * self.canonical

    @property
    def number(self) -> int:
        """The variant as kernels know it."""
        x, y, z = self.code.split("-")
        return MATRIX * (x == "L") + RELATIVE * (y == "R") + MOMENTUM * (z == "H") + CANONICAL * self.canonical


def parse(text: str) -> Options:
    """Options from their names."""
    code, comma, further = (part.strip() for part in text.partition(","))
    known = f"give one of {', '.join(CODES)}"
    if code not in CODES:
        raise FormulationError(
            f"formulation '{NAME}' has no option '{code}': {known} (attitude as matrix L or vector A, relative R or absolute A, rates L or momenta H)"
        )
    if comma and further != SUFFIX:
        raise FormulationError(f"formulation '{NAME}' has no option '{further}' after '{code}': leave it out, or write '{SUFFIX}' after forms with H")
    if comma and not code.endswith("H"):
        momenta = ", ".join(code for code in CODES if code.endswith("H"))
        raise FormulationError(f"formulation '{NAME}': '{code}' has no momenta that could be {SUFFIX}; {momenta} do")
    return Options(code, bool(comma))
