"""How Numba's libraries of machine code are made for kernels: every function is optimised once, where it ends up.

Numba optimises and emits machine code for every function that it compiles, twice over, so that reference counts can be removed
in between. Kernels count no references, and a function without a wrapper cannot be called from outside: its callers carry a copy
of it. So kernels that only other kernels call are linked into their callers as intermediate code, neither optimised nor emitted
by themselves, and those that Python calls are optimised once, as a whole. That saves about a fifth of the compile time; the
machine code is as fast.
"""

from __future__ import annotations

from typing import Any, ClassVar

import llvmlite.binding as llvm
from numba.core import typed_passes as typed
from numba.core import untyped_passes as untyped
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_machinery import PassManager

# Numba's passes without those for what kernels do not use: closures, `with`, exceptions, literals as arguments, expressions of whole arrays
PASSES = (
    *(untyped.TranslateByteCode, untyped.FixupArgs, untyped.IRProcessing, untyped.GenericRewrites, untyped.ReconstructSSA),
    *(typed.NopythonTypeInference, typed.PreLowerStripPhis, typed.InlineOverloads),
    *(typed.NoPythonSupportedFeatureValidation, typed.IRLegalization, typed.NativeLowering, typed.NoPythonBackend),
)
ENVIRONMENT = "_ZN08NumbaEnv"  # prefix of the variables that hold a function's constants: Numba writes to them when it loads one


class WholeLibrary(JITCodeLibrary):
    """The code of a kernel that Python calls, with all that it calls.

    What it calls becomes private: then arguments that a function does not use are not passed, which for the layout are over a hundred numbers at
    every call, and no symbol is left that a function of the same name in other machine code could be mistaken for.
    """

    def _optimize_final_module(self) -> None:
        for one in self._final_module.functions:
            if not one.is_declaration and one.linkage == llvm.Linkage.linkonce_odr:
                one.linkage = llvm.Linkage.private
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class InlinedLibrary(JITCodeLibrary):
    """The code of one kernel for its callers. Its machine code defines only the variables that Numba writes to."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        whole = self._final_module
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True
        self._shared_module = self._get_module_for_linking()
        self._finalized = False
        variables = [str(one) for one in whole.global_variables if one.name.startswith(ENVIRONMENT)]
        self._final_module = llvm.parse_assembly("\n".join(variables))
        self._final_module.name = whole.name
        super()._finalize_final_module()


class Settings(Flags):
    """Settings of one compilation, which do not change. Numba compares all of them at every look-up of a function: here they are read once."""

    __slots__ = ("_all",)

    def __init__(self, settings: Flags) -> None:
        super().__init__(settings)
        self._all = super().values()

    def values(self) -> dict[str, Any]:
        """All settings by name."""
        return self._all


class WholeCompiler(Compiler):
    """Numba's compiler of plain functions, with a library of another kind for the result."""

    library: ClassVar[type[JITCodeLibrary]] = WholeLibrary

    def define_pipelines(self) -> list[PassManager]:
        """The passes of a compilation."""
        passes = PassManager("kernels")
        for one in PASSES:
            passes.add_pass(one, one.__name__)
        passes.finalize()
        return [passes]

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        self.state.library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags = Settings(self.state.flags)
        return super().compile_extra(func)


class InliningCompiler(WholeCompiler):
    """The compiler of kernels that only other kernels call."""

    library: ClassVar[type[JITCodeLibrary]] = InlinedLibrary
