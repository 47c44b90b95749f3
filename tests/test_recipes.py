"""The recipes of CONTRIBUTING.md: a joint, a force with a potential and a constraint are added in as many files as it says, and all tests hold."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recipes import COUNTS, RECIPES

ROOT = Path(__file__).parents[1]
MOST = {"A joint": 3, "A force": 4, "A constraint other than a joint": 3, "An integrator": 2, "A formulation": 2}  # files, tests and docs included
WORDS = ("no", "one", "two", "three", "four", "five")


def followed(recipe):
    """The files of a recipe as they are when it was followed."""
    texts = {}
    for file, edits in recipe.edits.items():
        text = (ROOT / file).read_text()
        for before, added in edits:
            assert text.count(before) == 1, f"{file}: {before}"
            text = text.replace(before, before + added)
        texts[file] = text
    shown = "System('every element': {bodies} bodies, {joints} joints, {forces} forces)"
    docs, added = "docs/model-files.md", "".join(text for _, text in recipe.edits["docs/model-files.md"])
    more = {"bodies": "{body:" in added, "joints": recipe.heading == "A joint", "forces": recipe.heading == "A force"}
    assert shown.format(**COUNTS) in texts[docs]
    texts[docs] = texts[docs].replace(shown.format(**COUNTS), shown.format(**{name: COUNTS[name] + more[name] for name in COUNTS}))
    return texts


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_a_recipe_fits_the_sources(recipe):
    assert len(followed(recipe)) <= MOST[recipe.heading]


def test_contributing_counts_files():
    text = (ROOT / "CONTRIBUTING.md").read_text()
    counted = {what: WORDS.index(count) for what, count in re.findall(r"^###? (.*): (\w+) files$", text, re.M)}
    assert counted == {recipe.heading: len(recipe.edits) for recipe in RECIPES} | {"An integrator": 2, "A formulation": 2}
    assert all(counted[what] <= most for what, most in MOST.items())


@pytest.mark.long
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.heading)
def test_a_recipe_is_enough(recipe, tmp_path):
    """In a copy of the repository, by the tests that look at every element."""
    for part in ("src", "tests", "docs", "examples", "benchmarks"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (path for path in ROOT.iterdir() if path.is_file()):
        shutil.copy(path, tmp_path)
    for file, text in followed(recipe).items():
        (tmp_path / file).write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=short", "-p", "no:xdist", "-m", "not long"]
    places = os.environ | {"PYTHONPATH": str(tmp_path / "src")}
    done = subprocess.run([*command, *recipe.tests.split(), "tests/test_house.py"], cwd=tmp_path, env=places, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:]
