"""`poinsot sweep`: grids from the command line, files that are continued, tables, errors in words."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot.cli import app
from systems import oscillator


@pytest.fixture
def model(tmp_path):
    s = oscillator(damping=0.1)
    s["slide"].set(displacement=1.0)
    s.to_yaml(tmp_path / "model.yaml")
    return tmp_path / "model.yaml"


def call(*words):
    return CliRunner().invoke(app, ["sweep", *map(str, words)])


def test_a_grid_is_swept_into_a_file(model, tmp_path):
    written = ["-o", tmp_path / "s.h5", "--plot", tmp_path / "s.png"]
    settings = ["--duration", 0.2, "--step", 0.02, "--record", "energy, last(slide.displacement)", *written]
    found = call(model, "--vary", "spring.stiffness=1:9:3", "--vary", "mass.mass=1,2", *settings)
    assert found.exit_code == 0, found.output
    assert "6 variants (3 x 2)" in found.output and (tmp_path / "s.png").exists()
    loaded = po.load(tmp_path / "s.h5")
    alone = po.sweep(
        po.read(model), {"spring.stiffness": [1, 5, 9], "mass.mass": [1, 2]}, 0.2, step=0.02, record=["energy", po.last("slide.displacement")]
    )
    for name in loaded.names:
        assert np.array_equal(loaded.values(name), alone.values(name))
    again = call(tmp_path / "s.h5", "--json")
    assert json.loads(again.output)["complete"] and json.loads(again.output)["variants"] == 6


def test_a_table_and_failures(model, tmp_path):
    found = call(model, "--vary", "mass.mass=1,-1", "--vary", "integrator=rk4,gauss2", "--duration", 0.2, "--step", 0.02, "-o", tmp_path / "s.csv")
    assert found.exit_code == 0 and "2 of 4" in found.output
    lines = (tmp_path / "s.csv").read_text().splitlines()
    assert len(lines) >= 5 and "mass.mass" in lines[0] and "audit.energy_drift" in lines[0]


@pytest.mark.parametrize(
    "words, message",
    [
        ([], "say what varies"),
        (["--vary", "mass.mass"], "write name=first:last:number"),
        (["--vary", "mass.mas=1,2"], "did you mean 'mass'"),
        (["--vary", "mass.mass=1,2", "--record", "lst(energy)"], "last(...)"),
        (["--vary", "mass.mass=1,2", "-o", "s.txt"], ".h5 or .csv"),
        (["--vary", "mass.mass=1,2", "--engine", "thread"], "did you mean 'threads'"),
    ],
)
def test_errors_in_words(model, words, message):
    found = call(model, *words, "--duration", 0.1, "--step", 0.02)
    assert found.exit_code == 2 and message in found.output, found.output
