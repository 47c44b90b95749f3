"""How commands end when they are interrupted or cannot write: Ctrl-C, existing files, folders without access."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import poinsot as po
from cli.test_commands import poinsot
from systems import chain


@pytest.fixture
def model(tmp_path):
    chain(4, angle=1.0).to_yaml(tmp_path / "chain.yaml")
    return tmp_path / "chain.yaml"


def _begun(path):
    """Whether a file holds a run already."""
    try:
        return len(po.load(path)) > 0
    except po.FileError:
        return False


def interrupted(*words):
    """A command that gets Ctrl-C as soon as it has written something."""
    code = "from poinsot.cli import app; app()"
    command = [sys.executable, "-c", code, *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        results = words[words.index("-o") + 1]
        wait = time.perf_counter() + 300
        while not _begun(results) and process.poll() is None and time.perf_counter() < wait:
            time.sleep(0.05)
        time.sleep(0.5)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate()
    return process.returncode, out, err


def test_ctrl_c_has_its_code_and_tells_how_to_go_on(model, tmp_path):
    results = tmp_path / "out.h5"
    words = ("run", model, "--duration", "600", "--step", "0.001", "--formulation", "tree", "-o", results)
    code, out, err = interrupted(*words)
    assert code == 130, (out, err)
    assert f"`poinsot resume {results}` continues from here." in out and "stopped       by Ctrl-C" in out
    found = poinsot("run", model, "--duration", "1", "-o", results)
    assert found.exit_code == 2 and "unfinished run" in found.output
    found = poinsot("run", model, "--duration", "1", "--step", "0.01", "--estimate-error", "-o", results)
    assert found.exit_code == 2 and "unfinished run" in found.output
    with pytest.raises(po.FileError, match="unfinished run"):
        po.simulate(chain(2), 0.1, step=0.01).save(results)


def test_copies_of_examples_do_not_overwrite(tmp_path):
    assert poinsot("examples", "chain", "--copy", tmp_path).exit_code == 0
    (tmp_path / "chain.py").write_text("mine")
    found = poinsot("examples", "chain", "--copy", tmp_path)
    assert found.exit_code == 2 and "exists already" in found.output and (tmp_path / "chain.py").read_text() == "mine"


def test_errors_are_json_for_programs(model, tmp_path):
    found = poinsot("run", model, "--json", "--step", "-1")
    assert found.exit_code == 2 and json.loads(found.stdout)["error"] == "SettingsError"
    (tmp_path / "bad.yaml").write_text("poinsot: 1\nsystem: bad\n")
    found = poinsot("check", tmp_path / "bad.yaml", "--json")
    assert found.exit_code == 1 and not json.loads(found.stdout)["runs"] and json.loads(found.stdout)["faults"]


@pytest.mark.parametrize("option", ["--html", "--plot", "--video", "-o"])
def test_folders_in_the_place_of_files(option, model, tmp_path):
    suffix = {"--html": ".html", "--plot": ".svg", "--video": ".gif", "-o": ".h5"}[option]
    (tmp_path / f"x{suffix}").mkdir()
    found = poinsot("run", model, option, tmp_path / f"x{suffix}")
    assert found.exit_code == 2 and "is a folder" in found.output


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--start", "nan"], "start must be a time"),
        (["--duration", "1e300"], "more than 1e\\+15 steps|not converge|not finite"),
        (["--step", "1e-300"], "more than 1e\\+15 steps"),
        (["--output-step", "1e-9", "--duration", "1000"], "outputs of .* numbers need .* GB"),
        (["--integrator", "gauss4", "--rtol", "1e-6"], "takes fixed steps"),
    ],
)
def test_settings_that_nothing_can_hold(words, text, model):
    import re

    found = poinsot("run", model, *words)
    assert found.exit_code in (2, 3) and re.search(text, found.output), found.output
    assert "None s" not in found.output


def test_ctrl_c_writes_what_was_asked_for_and_its_run_can_be_resumed(model, tmp_path):
    results, page = tmp_path / "out.h5", tmp_path / "page.html"
    words = ("run", model, "--duration", "40", "--step", "0.00005", "--output-step", "0.1", "--formulation", "tree")
    code, out, err = interrupted(*words, "-o", results, "--html", page, "--json")
    assert code == 130 and page.exists() and "by Ctrl-C" in json.loads(out)["audit"]["stopped"], (out, err)
    assert not po.load(results).complete
    assert poinsot("resume", results, "-q").exit_code == 0
    whole = po.simulate(po.read(model), 40.0, step=0.00005, output_step=0.1, formulation="tree")
    assert (po.load(results).raw == whole.raw).all()


def test_ctrl_c_twice_still_has_its_code(model, tmp_path, monkeypatch):
    def run(*arguments, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr("poinsot.simulation.Ready.run", run)
    found = poinsot("run", model, "--duration", "1")
    assert found.exit_code == 130 and "stopped by Ctrl-C" in found.output
