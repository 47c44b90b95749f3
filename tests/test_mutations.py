"""Every mutation of the catalogue still fits the sources; `make mutate` sees whether it is caught."""

import sys
from pathlib import Path

import pytest

import poinsot

sys.path.insert(0, str(Path(__file__).parent / "mutations"))
from catalogue import MUTATIONS  # noqa: E402

SOURCE = Path(poinsot.__file__).parent


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.file}: {m.what}")
def test_mutation_fits(mutation):
    assert (SOURCE / mutation.file).read_text().count(mutation.old) == 1
    assert mutation.old != mutation.new
