"""The command line as people and programs use it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as po
from loops import four_bar
from mechanisms import spring_chain
from poinsot.cli import app
from systems import chain


def poinsot(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "four_bar.yaml"
    four_bar().to_yaml(path)
    return path


COMMANDS = ["run", "check", "compare", "view", "plot", "summary", "export", "reproduce", "examples", "resume", "info", "app"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command):
    found = poinsot(command, "--help")
    assert found.exit_code == 0 and "--json" in found.output and "--quiet" in found.output
    summary = poinsot("--help").output
    assert f"  {command} " in summary and "..." not in summary.split("Commands:")[1]


def test_units_are_not_eaten():
    text = poinsot("run", "--help").output
    assert "How long to run [s]." in text and "[rad," in text and "[s]." in text.split("--step")[1]


def test_version_and_completion():
    assert poinsot("--version").output == f"poinsot {po.__version__}\n"
    assert "--install-completion" in poinsot("--help").output
    shell = {**os.environ, "_POINSOT_COMPLETE": "complete_bash", "COMP_WORDS": "poinsot re", "COMP_CWORD": "1"}
    code = "import sys; from poinsot.cli import app; sys.argv = ['poinsot']; app(prog_name='poinsot')"
    done = subprocess.run([sys.executable, "-c", code], env=shell, capture_output=True, text=True, check=False)
    assert {"reproduce", "resume"} <= set(done.stdout.split()), done.stderr


def test_run_writes_what_was_asked_for(model, tmp_path):
    results, page, plots = tmp_path / "out.h5", tmp_path / "page.html", tmp_path / "plots.svg"
    found = poinsot("run", model, "--duration", "0.5", "--step", "0.01", "-o", results, "--html", page, "--plot", plots)
    assert found.exit_code == 0, found.output
    assert "Audit of 'four-bar'" in found.output and f"Results: {results}" in found.output
    assert page.stat().st_size > 100_000 and plots.read_text().startswith("<?xml")
    same = po.simulate(four_bar(), 0.5, step=0.01)
    assert np.array_equal(po.load(results).raw, same.raw)


def test_without_a_step_closed_models_run_with_adaptive_ones(model):
    found = poinsot("run", model, "--duration", "0.1", "--json")
    assert json.loads(found.stdout)["audit"]["integrator"] == "dop853"
    found = poinsot("run", model, "--duration", "0.1", "--formulation", "directors", "--json")
    assert json.loads(found.stdout)["audit"]["step"] == 0.01


def test_run_to_an_accuracy(model, tmp_path):
    found = poinsot("run", model, "--duration", "0.2", "--accuracy", "1e-4", "-o", tmp_path / "run.h5")
    assert found.exit_code == 0 and "0.0001 was asked for" in found.output
    assert po.load(tmp_path / "run.h5").audit.accuracy == 1e-4
    found = poinsot("run", model, "--duration", "0.2", "--accuracy", "1e-4", "--change", "base.rate=3", "-o", tmp_path / "changed.h5")
    assert found.exit_code == 0 and "tree with dop853, tolerances of" in found.output
    changed = po.load(tmp_path / "changed.h5")
    assert changed["base"].rate[0] == pytest.approx(3.0) and changed.audit.accuracy == 1e-4


def test_run_for_programs(model, tmp_path):
    found = poinsot("run", model, "--duration", "0.1", "--step", "0.005", "--json", "--change", "base.rate=3")
    data = json.loads(found.output)
    assert data["audit"]["steps"] == 20 and data["written"] == {}
    assert poinsot("run", model, "--duration", "0.1", "--quiet").output == ""
    found = poinsot("run", model, "--duration", "0.1", "--step", "0.01", "--estimate-error", "-o", tmp_path / "e.h5", "--json")
    assert json.loads(found.output)["audit"]["error_position"] > 0
    assert po.load(tmp_path / "e.h5").audit.error_position > 0


def test_open_models_take_adaptive_steps(tmp_path):
    chain(2).to_yaml(tmp_path / "chain.yaml")
    found = poinsot("run", tmp_path / "chain.yaml", "--duration", "0.5")
    assert "adaptive steps" in found.output, found.output


def test_check_says_whether_a_model_runs(model, tmp_path):
    found = poinsot("check", model)
    assert found.exit_code == 0 and "1 degree of freedom, 3 redundant constraints." in found.output
    data = json.loads(poinsot("check", model, "--json").output)
    assert data["degrees_of_freedom"] == 1 and data["runs"] and len(data["redundant"]) == 3
    bad = po.System("bad", gravity=None)
    bad.body("loose", mass=-1.0, inertia=(1, 1, 1))
    bad.to_yaml(tmp_path / "bad.yaml")
    found = poinsot("check", tmp_path / "bad.yaml")
    assert found.exit_code == 1 and "1. body 'loose'" in found.output


def test_view_info_and_resume(model, tmp_path):
    results = tmp_path / "out.h5"
    poinsot("run", model, "--duration", "0.2", "--step", "0.01", "-o", results, "--quiet")
    found = poinsot("view", results, "--no-open")
    assert found.exit_code == 0 and (tmp_path / "out.html").exists(), found.output
    assert poinsot("view", results, results, "-o", tmp_path / "two.html", "--no-open").exit_code == 0
    found = poinsot("info", results)
    assert "finished" in found.output and "formulation directors" in found.output and "Computed with: poinsot" in found.output
    assert json.loads(poinsot("info", results, "--json").output)["complete"]
    assert poinsot("info", results, "--model").output.startswith("poinsot:")
    assert "'four-bar': 3 bodies, 4 joints" in poinsot("info", model).output
    assert "nothing to resume" in poinsot("resume", results).output


def test_view_of_a_model_draws_it(model, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    found = poinsot("view", model, "--no-open")
    page = tmp_path / "four_bar-drawing.html"
    assert found.exit_code == 0 and found.output == f"Page: {page}\n" and "1 freedom. Nothing was run." in page.read_text() and opened == []
    robot = Path(__file__).parents[2] / "examples" / "models" / "ur5.urdf"
    found = poinsot("view", robot, "--html", tmp_path / "ur5.html", "--base", "free", "--open", "--json")
    assert json.loads(found.output) == {"written": {"page": str(tmp_path / "ur5.html")}} and opened == [(tmp_path / "ur5.html").as_uri()]
    assert "7 bodies" in (tmp_path / "ur5.html").read_text() and "12 freedoms" in (tmp_path / "ur5.html").read_text()
    crane = robot.with_name("crane_arm.xml")
    assert poinsot("view", crane, "-o", tmp_path / "crane.html", "--no-open").exit_code == 0
    for words, said in (
        ((model, model), "a drawing has a page of its own; give one model"),
        ((model, "--plot", tmp_path / "plots.svg"), "has no results for plots and videos"),
        (("out.h5", "--base", "free"), "--base: only for models, and out.h5 holds results"),
        ((tmp_path / "none.yaml",), "none.yaml: cannot be read: No such file"),
        ((model, "--html", tmp_path / "page.png"), "--output writes .html"),
    ):
        found = poinsot("view", *words, "--no-open")
        assert found.exit_code == 2 and said in found.output, (words, found.output)


def test_resume_with_functions_of_a_script(tmp_path, monkeypatch):
    from poinsot.files.runs import stream

    class Stopped(Exception):
        pass

    def stop(self, p):
        raise Stopped

    results, script = tmp_path / "out.h5", tmp_path / "script.py"
    script.write_text("import sys\nfrom mechanisms import spring_chain\n\ndef build():\n    return spring_chain(damped=True)\n")
    with monkeypatch.context() as patch:
        patch.setattr(stream.Stream, "keep", stop)
        with pytest.raises(Stopped):
            po.simulate(spring_chain(damped=True), 0.5, step=0.01, stream=results)
    found = poinsot("info", results)
    assert "unfinished: 0 of 0.5 s; `poinsot resume" in found.output
    found = poinsot("resume", results)
    assert found.exit_code == 2 and "motor" in found.output
    found = poinsot("resume", results, "--system", f"{script}:build")
    assert found.exit_code == 0 and "continues from t = 0 s" in found.output, found.output
    assert "no function 'other'" in poinsot("resume", results, "--system", f"{script}:other").output or po.load(results).complete


def test_examples_are_listed_copied_and_run(tmp_path):
    found = poinsot("examples")
    assert "four_bar" in found.output and "A four-bar linkage" in found.output
    assert set(json.loads(poinsot("examples", "--json").output)) >= {"chain", "top", "crane"}
    assert poinsot("examples", "chain", "--copy", tmp_path / "here").exit_code == 0
    assert (tmp_path / "here" / "chain.py").exists()
    assert "there is no example 'none'" in poinsot("examples", "none").output


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["run", "none.yaml"], 2, "none.yaml"),
        (["run", "{model}", "--step", "-1"], 2, "step must be a positive time"),
        (["run", "{model}", "--formulation", "moving-frame"], 2, "'moving-frame' does not accept"),
        (["run", "{model}", "--html", "nowhere/page.html"], 2, "there is no folder"),
        (["run", "{model}", "--plot", "plot.xyz"], 2, "--plot writes .svg, .pdf, .png"),
        (["run", "{model}", "--change", "x"], 2, "element.parameter=number"),
        (["run", "{model}", "--change", "none.mass=1"], 2, "there is no 'none.mass'"),
        (["view", "none.h5"], 2, "no such file"),
        (["resume", "none.h5"], 2, "no such file"),
        (["info", "none.h5"], 2, "no such file"),
        (["reproduce", "nobody1900"], 2, "there is no study 'nobody1900'"),
        (["run"], 2, "Missing argument"),
        (["fly"], 2, "No such command"),
    ],
)
def test_errors_are_one_block_without_a_traceback(words, code, text, model):
    found = poinsot(*[word.format(model=model) for word in words])
    assert found.exit_code == code and text in found.output, found.output
    assert "Traceback" not in found.output


def test_runs_that_fail_have_their_own_code_and_debug_shows_where(model, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise po.ConvergenceError("the stages do not converge")

    monkeypatch.setattr("poinsot.simulation.Ready.run", fail)
    found = poinsot("run", model)
    assert found.exit_code == 3 and found.output == "ConvergenceError: the stages do not converge\n"
    monkeypatch.setattr("poinsot.simulation.Ready.run", lambda *_, **__: 1 / 0)
    found = poinsot("run", model)
    assert found.exit_code == 70 and "ZeroDivisionError: division by zero (--debug shows the traceback)" in found.output
    monkeypatch.setenv("POINSOT_DEBUG", "")
    found = poinsot("--debug", "run", model)
    assert isinstance(found.exception, ZeroDivisionError)
    monkeypatch.setenv("POINSOT_DEBUG", "")


def test_a_reader_that_leaves_is_no_error():
    code = "from poinsot.cli import app; app(['examples'])"
    first_line = f"{sys.executable} -c \"{code}\" | head -c 1"
    done = subprocess.run(["bash", "-c", first_line], capture_output=True, text=True, check=False)
    assert done.stderr == "", done.stderr


def test_warnings_are_one_line_without_places_in_programs(model):
    command = [sys.executable, "-m", "poinsot", "run", str(model), "--duration", "0.1", "--change", "base.angle=0.1", "--quiet"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == ""
    lines = found.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("warning: system 'four-bar': to close its loops") and ".py" not in lines[0]
