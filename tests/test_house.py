"""The house stays tidy: rooms import only rooms above them, methods know no joint by name, nothing is recompiled."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import poinsot as po
from poinsot import _sources, integrators
from systems import chain, oscillator, pendulum

SOURCE = Path(po.__file__).parent
ROOMS = [  # each may use those before it
    "_cache", "_sources", "notice", "errors", "build", "warmup",
    "algebra", "tables", "model", "elements", "layout", "linear", "integrators", "formulations", "results", "analysis", "control",
    "progress", "choices", "interrupts", "calls", "driver", "plans", "remembered", "equations", "kept", "starts", "events", "agenda", "diagnosis",
    "launches", "failures", "accuracy", "stepping", "simulation",
    "files", "view", "comparison", "sweeps", "live", "studies", "cli",
]  # fmt: skip
DOWNWARD = {  # one-line lazy imports of methods
    ("model/system.py", "analysis"),
    ("model/system.py", "files"),
    ("model/system.py", "view"),
    ("results/trajectory.py", "view"),
    ("results/trajectory.py", "files"),
    ("results/tabled.py", "files"),
    ("simulation.py", "files"),
    ("accuracy/choice.py", "files"),
    ("results/trajectory.py", "analysis"),
    ("results/euler.py", "view"),
    ("results/poinsot_motion.py", "view"),
    ("analysis/workspace.py", "view"),
    ("files/runs/reader.py", "sweeps"),
    ("files/runs/resume.py", "sweeps"),
}


def modules():
    return sorted(path for path in SOURCE.rglob("*.py") if path.name not in ("__init__.py", "__main__.py") or path.parent != SOURCE)


def room_of(name):
    return name.split(".")[1] if name.startswith("poinsot.") else None


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_rooms_use_only_rooms_above(path):
    relative = path.relative_to(SOURCE)
    own = relative.parts[0].removesuffix(".py")
    assert own in ROOMS, f"{own} is no room of the house"
    for node in ast.walk(ast.parse(path.read_text())):
        names = [node.module] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            room = room_of(name or "")
            if room and room != own and (str(relative), room) not in DOWNWARD:
                assert ROOMS.index(room) < ROOMS.index(own), f"{relative} imports {name}"


def kernel_modules():
    return [path for path in modules() if _sources.KERNEL.search(path.read_text())]


def test_kernels_depend_on_few_modules():
    """So that they stay compiled when the others change: a kernel's module imports what the kernels need, the rest within functions."""
    assert len(kernel_modules()) > 40
    reached = set().union(*map(_sources.reached, kernel_modules()))
    rooms = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in reached}
    late = set(ROOMS[ROOMS.index("progress") :])
    assert late == set(_sources.AFTER)
    assert not rooms & ({"model"} | late), sorted(str(path.relative_to(SOURCE)) for path in reached)
    assert {path.relative_to(SOURCE).as_posix() for path in reached if path.relative_to(SOURCE).parts[0] == "layout"} <= {"layout/extent.py"}


def test_what_kernels_depend_on_is_imported_where_it_is_looked_for():
    """`_sources.py` reads imports from the first column on; what is imported otherwise must be unknown to kernels."""
    for path in kernel_modules():
        tree = ast.parse(path.read_text())
        for node in tree.body:
            if isinstance(node, ast.If):
                assert ast.unparse(node.test) == "TYPE_CHECKING", path
            assert not isinstance(node, ast.Try | ast.With), path
        names = {n.name for node in tree.body for n in getattr(node, "names", []) if isinstance(node, ast.Import | ast.ImportFrom)}
        assert "*" not in names, path
        origins = [node.module for node in tree.body if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("poinsot")]
        assert all(not node.level for node in tree.body if isinstance(node, ast.ImportFrom)), path
        found = _sources.reached(path)
        assert all((file := _sources.module_file(origin)) is None or file in found or file.name == "__init__.py" for origin in origins), path


def test_every_kernel_is_used():
    """By name, in a module that imports it, in its own, or by a formulation from outside; other tests do not count."""
    defined, used = {}, set()
    for path in [*modules(), Path(__file__).parent / "formulations" / "trial_formulation.py"]:
        tree = ast.parse(path.read_text())
        for node in tree.body:
            decorators = getattr(node, "decorator_list", [])
            names = {getattr(d.func if isinstance(d, ast.Call) else d, "id", "") for d in decorators}
            if names & {"kernel", "helper", "internal"}:
                defined[node.name] = path.name
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                used |= {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                used.add(node.func.id)
    assert len(defined) > 100
    assert {name: path for name, path in defined.items() if name not in used} == {}


def kernels(*rooms):
    """Path and definition of every kernel of some rooms."""
    for path in modules():
        if path.relative_to(SOURCE).parts[0] in rooms:
            for node in ast.parse(path.read_text()).body:
                decorators = {getattr(d.func if isinstance(d, ast.Call) else d, "id", "") for d in getattr(node, "decorator_list", [])}
                if decorators & {"kernel", "helper", "internal", "handed", "compiled"}:
                    yield path, node


def test_kernels_take_few_arguments():
    """At most eight: what belongs together is passed on together."""
    found = {f"{path.relative_to(SOURCE)}: {node.name}": len(node.args.args) for path, node in kernels("formulations", "integrators")}
    assert len(found) > 200
    assert {name: count for name, count in found.items() if count > 8} == {}


def test_kernels_say_what_they_touch():
    """Parts of the work array and of the state have names; no kernel computes positions from the head of the pattern."""
    for path in modules():
        if path.relative_to(SOURCE).parts[0] in ("formulations", "integrators"):
            found = re.findall(r"\b(?:work|y)\[p\[.*|\bpattern\[at\..*|\bp\[at\..*", path.read_text())
            assert not found, f"{path.relative_to(SOURCE)}: {found}"


OWN_IN_EVERY_MODULE = {"NAME", "LAWS", "SIGNATURE"}


def test_constants_mean_one_thing():
    """A constant that kernels in absolute coordinates or of integrators see is defined in one module; numbers of single methods aside."""
    defined = {}
    for path in modules():
        relative = path.relative_to(SOURCE).as_posix()
        if re.match(r"(elements|linear|tables|integrators|formulations/(absolute|directors|contract))\b(?!/dop)", relative):
            for node in ast.parse(path.read_text()).body:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
                names = {n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name) and n.id.isupper()}
                for name in names - OWN_IN_EVERY_MODULE:
                    defined.setdefault(name, set()).add(relative)
    assert len(defined) > 150
    assert {name: sorted(where) for name, where in defined.items() if len(where) > 1} == {}


def test_sources_cite_only_what_readers_have():
    """Files of this repository, and publications; no plans or notes that lie elsewhere."""
    root = SOURCE.parents[1]
    for path in [p for folder in ("src", "tests", "examples", "benchmarks", "docs") for p in (root / folder).rglob("*")]:
        if path.suffix in (".py", ".md", ".js") and path != Path(__file__) and path.name != "three.bundle.js":
            cited = re.findall(r"\bDESIGN\b|`?\bnotes/[\w.]+|\bpapers/[\w.]*|\bshared/[\w.]+|\bstyle/README", path.read_text(encoding="utf-8"))
            assert not cited, f"{path.relative_to(root)} cites {cited}"


@pytest.mark.parametrize("room", ["formulations", "integrators", "linear"])
def test_no_joint_is_known_by_name(room):
    from poinsot.model.joints import JOINTS

    words = "|".join(joint.kind for joint in JOINTS if joint.kind not in ("fixed", "free", "planar"))
    for path in (SOURCE / room).rglob("*.py") if (SOURCE / room).exists() else []:
        found = re.findall(rf"\b({words})\b", path.read_text(), flags=re.IGNORECASE)
        assert not found, f"{path.relative_to(SOURCE)} names {found}"
        own = path.name == "registry.py" or path.parent.name == "planar"  # a formulation has the name of a joint
        names = re.findall(r"[\"'](fixed|free)[\"']" if own else r"[\"'](fixed|free|planar)[\"']", path.read_text())
        assert not names, f"{path.relative_to(SOURCE)} names {names}"


def test_methods_and_formulations_are_known_by_what_they_can_do():
    """Outside the registries no name of theirs is compared."""
    from poinsot.formulations import registry as formulations
    from poinsot.integrators import registry as integrators

    names = "|".join([*formulations.names(), *integrators.all_names(), "energy-momentum"])
    for path in modules():
        if path.name != "registry.py" and path.parent.name != "studies":  # studies choose as users do
            found = re.findall(rf"(?:==|!=|\bin|startswith\(|endswith\()\s*[(\[{{]?\s*[\"'](?:{names})[\"']", path.read_text())
            assert not found, f"{path.relative_to(SOURCE)}: {found}"


def test_names_of_methods_and_formulations_stand_in_the_registries_alone():
    """And in their own modules; studies choose as users do. What is a field of a table, or the kind of a joint, is no name of a formulation."""
    from poinsot.formulations import registry as formulations
    from poinsot.integrators import registry as integrators
    from poinsot.model.joints import JOINTS

    homes = {name: entry.module for table in (formulations.FORMULATIONS, integrators.METHODS) for name, entry in table.items()}
    homes = {name: module for name, module in homes.items() if name not in {joint.kind for joint in JOINTS}}
    for path in modules():
        relative = path.relative_to(SOURCE)
        if path.name == "registry.py" or relative.parts[0] in ("studies", "tables"):
            continue
        module = ".".join(["poinsot", *relative.with_suffix("").parts])
        tree = ast.parse(path.read_text())
        fields = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
        strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in fields]
        found = [name for name in homes if name in strings and not f"{module}.".startswith(f"{homes[name]}.")]
        assert not found, f"{relative} names {found}"


def test_private_names_stay_in_their_modules():
    """What begins with an underscore is used by the module that defines it, and by subclasses; `_sources` and `_cache` are modules of the package."""
    others = {"_replace", "_fields", "_asdict", "_getframe", "_getvalue", "_cache", "_module_pass_manager"}  # of named tuples, Python, Numba
    for path in modules():
        tree = ast.parse(path.read_text())
        own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        own |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and of_itself(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("poinsot."):
                private = [alias.name for alias in node.names if alias.name.startswith("_")]
                assert not private, f"{path.relative_to(SOURCE)} imports {private} from {node.module}"
            if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr) and not of_itself(node):
                assert node.attr in own | others, f"{path.relative_to(SOURCE)}:{node.lineno} uses {ast.unparse(node)}"


def of_itself(node):
    """Whether an attribute is that of the object or class in whose methods it stands."""
    return ast.unparse(node.value) in ("self", "cls", "super()", "type(self)")


def test_modules_are_short():
    root = SOURCE.parents[1]
    for path in [p for folder in ("src", "tests", "examples", "benchmarks") for p in (root / folder).rglob("*.py")]:
        assert len(path.read_text().splitlines()) <= 400, path


def test_nothing_is_recompiled_when_the_model_changes():
    from numba.core import event

    for system in (chain(2), pendulum()):  # spatial, and planar
        po.simulate(system, 0.02, step=0.01)
    with event.install_recorder("numba:compile") as recorder:
        for system in (chain(5), oscillator(damping=0.3), chain(1)):
            po.simulate(system, 0.02, step=0.01)
    assert not recorder.buffer


@pytest.mark.parametrize("integrator", integrators.names())
def test_every_integrator_runs_every_open_system(integrator):
    steps = {"step": 0.005} if integrators.find(integrator).step is not None else {"rtol": 1e-11, "atol": 1e-12}
    run = po.simulate(chain(3), 0.1, integrator=integrator, **steps)
    best = po.simulate(chain(3), 0.1, step=0.0025, integrator="gauss4")
    bound = {2: 1e-4, 4: 1e-7}.get(integrators.find(integrator).order, 1e-9)
    assert np.abs(run["link3"].position[-1] - best["link3"].position[-1]).max() < bound


def test_import_is_light():
    """Neither Numba's compiler nor any kernel is touched by importing the package; the time itself is measured by make bench."""
    code = "import sys, poinsot; print('numba' in sys.modules, 'scipy' in sys.modules, 'matplotlib' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["False", "False", "False"]
