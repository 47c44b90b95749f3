"""`poinsot summary`, `export` and `plot`: the tables and figures of a results file."""

import json

import pandas
import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot.cli import app
from systems import pendulum


def poinsot(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "out.h5"
    po.simulate(pendulum(), 0.5, step=0.01).save(path)
    return path


def test_summary(file):
    run = po.load(file)
    found = poinsot("summary", file, "pin.angle", "pin.force.norm", "--degrees", "--json")
    assert found.exit_code == 0, found.output
    table = json.loads(found.output)["summary"]
    assert table == run.summary("pin.angle", "pin.force.norm", degrees=True).to_dict() and table["pin.angle"]["unit"] == "deg"
    assert poinsot("summary", file, "pin.angle").output.strip() == repr(run.summary("pin.angle"))
    listed = json.loads(poinsot("summary", file, "--names", "--json").output)["names"]
    assert [one["name"] for one in listed] == list(run.names()) and listed[0]["unit"] == "J"
    wrong = poinsot("summary", file, "pin.angel")
    assert wrong.exit_code == 2 and "did you mean pin.angle" in wrong.output


def test_export(file, tmp_path):
    run = po.load(file)
    for name in ("x.csv", "x.xlsx"):
        found = poinsot("export", file, "-o", tmp_path / name, "--columns", "pin.angle,pin.force", "--columns", "energy", "--degrees")
        assert found.exit_code == 0 and name in found.output and "51 rows" in found.output
        table = (pandas.read_csv if name.endswith("csv") else pandas.read_excel)(tmp_path / name)
        assert list(table) == ["t [s]", "pin.angle [deg]", "pin.force.x [N]", "pin.force.y [N]", "energy [J]"]
        assert table["energy [J]"].to_numpy() == pytest.approx(run.energy, rel=1e-12)
    misspelt = ("-o", tmp_path / "x.csv", "--columns", "pin.forse")
    for words, message in ((("-o", "x.ods"), "must be a .csv or .xlsx file"), (misspelt, "did you mean pin.force")):
        wrong = poinsot("export", file, *words)
        assert wrong.exit_code == 2 and message in wrong.output


def test_plot(file, tmp_path):
    found = poinsot("plot", file, "pin.force", "pin.force.x,pin.force.y", "--over", "pin.angle", "--degrees", "-o", tmp_path / "x.svg")
    assert found.exit_code == 0, found.output
    assert "angle of pin [deg]" in (tmp_path / "x.svg").read_text()
    misspelt = ("energy", "--over", "pin.angel", "-o", tmp_path / "x.svg")
    for words, message in ((("-o", "x.doc"), ".svg, .pdf or .png"), (misspelt, "did you mean pin.angle")):
        wrong = poinsot("plot", file, *words)
        assert wrong.exit_code == 2 and message in wrong.output
