"""What a comparison writes: files that read back, the page, the picture, and the command that does all this."""

import json

import numpy as np
import pytest
from test_compare import QUICK, double_pendulum
from typer.testing import CliRunner

import poinsot as po
from poinsot.cli import app

CHOSEN = {"formulations": ["tree", "tree:momentum"], "integrators": ["rk4", "dop853"]}


@pytest.fixture(scope="module")
def found():
    return po.compare(double_pendulum(), 0.5, step=0.02, tolerances=[1e-6], **CHOSEN, **QUICK)


def test_a_saved_comparison_is_the_same_when_read(found, tmp_path):
    found.save(tmp_path / "found.json")
    again = po.Comparison.load(tmp_path / "found.json")
    assert str(again) == str(found) and again.to_dict() == found.to_dict()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rows": 3}', "no json"])
def test_other_files_are_refused_in_words(tmp_path, text):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(po.FileError, match=r"bad\.json"):
        po.Comparison.load(tmp_path / "bad.json")


def test_the_page_overlays_runs_and_the_picture_has_curves(found, tmp_path):
    page = found.write_html(tmp_path / "page.html").read_text()
    assert "tree:momentum" in page and len(page) > 100_000
    figure = found.plot()
    assert len(figure.axes) >= 2 and any(len(axes.lines) >= 2 for axes in figure.axes)
    figure.savefig(tmp_path / "plot.png")


def test_a_table_for_pandas(found):
    pytest.importorskip("pandas")
    table = found.to_dataframe()
    assert len(table) == len(found.rows) == 8 and np.isfinite(table["seconds"]).all()


def test_the_command(tmp_path):
    double_pendulum().to_yaml(tmp_path / "model.yaml")
    options = ["--duration", "0.2", "--step", "0.02", "--formulation", "tree", "--integrator", "rk4", "--workers", "1"]
    files = ["-o", str(tmp_path / "found.json"), "--html", str(tmp_path / "page.html"), "--plot", str(tmp_path / "plot.png")]
    run = CliRunner().invoke(app, ["compare", str(tmp_path / "model.yaml"), *options, *files])
    assert run.exit_code == 0 and "agree to" in run.output, run.output
    assert all((tmp_path / name).stat().st_size > 1000 for name in ("found.json", "page.html", "plot.png"))
    shown = CliRunner().invoke(app, ["compare", str(tmp_path / "found.json"), "--json"])
    assert shown.exit_code == 0 and len(json.loads(shown.stdout)["rows"]) == 3


def test_the_command_fails_where_all_runs_do(tmp_path):
    double_pendulum().to_yaml(tmp_path / "model.yaml")
    chosen = ["--duration", "20", "--step", "0.001", "--formulation", "tree", "--integrator", "rk4", "--workers", "1", "--time-limit", "1e-6"]
    files = ["-o", str(tmp_path / "found.json"), "--html", str(tmp_path / "x.html")]
    run = CliRunner().invoke(app, ["compare", str(tmp_path / "model.yaml"), *chosen, *files])
    assert run.exit_code == 3 and "No run reached its end" in run.output and "time_limit" in run.output, run.output
    assert (tmp_path / "found.json").exists() and not (tmp_path / "x.html").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--duration", "-1"], "duration"), (["--step", "0"], "step"), (["--formulation", "trees"], "no formulation"), (["--integrator", "rk5"], "rk5")],
)
def test_wrong_options_are_refused_in_words(tmp_path, options, words):
    double_pendulum().to_yaml(tmp_path / "model.yaml")
    run = CliRunner().invoke(app, ["compare", str(tmp_path / "model.yaml"), *options])
    assert run.exit_code not in (0, None) and words in run.output + str(run.exception)
