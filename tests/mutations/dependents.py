"""Which definitions of the package depend on those that a change of one file touches: only their kernels are recompiled.

Numba does not notice that a callee changed. Here every statement at the top of a module is a definition; it depends on the definitions whose
names it uses, in its own module or imported, and so on along these uses.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

Name = tuple[str, str]  # a module, and a name in it
INNER = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Definition(NamedTuple):
    """A statement at the top of a module: its code without positions, the names it binds, and those it uses."""

    code: str
    binds: set[str]
    uses: set[Name]


class Uses:
    """Who uses whom in a package."""

    def __init__(self, package: Path):
        self.package = package
        paths = sorted(package.rglob("*.py"))
        self.definitions = {_module(path.relative_to(package)): self.read(path) for path in paths}
        self.users: dict[Name, set[Name]] = defaultdict(set)
        for module, definitions in self.definitions.items():
            _note_users(self.users, module, definitions)

    def read(self, path: Path, text: str | None = None) -> list[Definition]:
        """The definitions of a module, or of another text in its place."""
        return _definitions(
            _module(path.relative_to(self.package)), path.read_text() if text is None else text, self.package
        )

    def dependents(self, file: str, text: str) -> set[Name]:
        """Every (module, name) whose meaning can change when the file (relative to the package) gets another text."""
        module = _module(Path(file))
        old, new = self.definitions[module], self.read(self.package / file, text)
        stay = {d.code for d in old} & {d.code for d in new}
        changed = {(module, name) for d in old + new if d.code not in stay for name in d.binds}
        users: dict[Name, set[Name]] = defaultdict(set)
        _note_users(users, module, new)
        waiting = list(changed)
        while waiting:
            name = waiting.pop()
            found = {user for of in (self.users, users) for used in (name, (name[0], "*")) for user in of.get(used, ())}
            waiting += found - changed
            changed |= found
        return changed


def _note_users(users: dict[Name, set[Name]], module: str, definitions: list[Definition]) -> None:
    for definition in definitions:
        for used in definition.uses:
            users[used].update((module, name) for name in definition.binds)


def _module(path: Path) -> str:
    return ".".join((path.parent if path.name == "__init__.py" else path.with_suffix("")).parts)


def _definitions(module: str, text: str, package: Path) -> list[Definition]:
    tree = ast.parse(text)
    imported = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "poinsot":
            home = (node.module or "").removeprefix("poinsot").removeprefix(".")
            for alias in node.names:
                inner = f"{home}.{alias.name}".removeprefix(".")
                imported[alias.asname or alias.name] = (
                    (inner, "*") if _is_module(package, inner) else (home, alias.name)
                )
    definitions = []
    for node in tree.body:
        named = isinstance(node, ast.FunctionDef | ast.ClassDef)
        binds: set[str] = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
        uses: set[Name] = set()
        attributes = {id(n.value): n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
        local = _local(node) if isinstance(node, ast.FunctionDef) else set()
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id not in local:
                if isinstance(part.ctx, ast.Store) and not named:
                    binds.add(part.id)
                home, name = imported.get(part.id, (module, part.id))
                uses.add((home, attributes.get(id(part), "*") if name == "*" else name))
            elif isinstance(part, ast.alias) and not named:  # what is imported can be imported from here
                binds.add(part.asname or part.name)
                uses.add(imported.get(part.asname or part.name, (module, part.name)))
        definitions.append(Definition(ast.dump(node), binds, uses))
    return definitions


def _local(function: ast.FunctionDef) -> set[str]:
    """Arguments and variables of a function; those of functions and comprehensions within it are their own."""
    names = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names.add(part.id)
        elif not isinstance(part, INNER):
            waiting += ast.iter_child_nodes(part)
    return names


def _is_module(package: Path, name: str) -> bool:
    path = package.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()
