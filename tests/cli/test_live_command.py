"""`poinsot app`: serves a page until Ctrl-C, and refuses what cannot be a slider."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from cli.test_commands import poinsot
from systems import chain


@pytest.fixture
def model(tmp_path):
    chain(2, angle=1.0).to_yaml(tmp_path / "chain.yaml")
    return tmp_path / "chain.yaml"


def test_a_page_is_served_until_ctrl_c(model):
    words = ["app", model, "--slider", "link1.mass=10:90", "--slider", "link2.mass", "--duration", "0.5", "--step", "0.01", "--no-open"]
    command = [sys.executable, "-c", "from poinsot.cli import app; app()", *map(str, words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        url = first.rpartition(" ")[2].strip()
        assert first.startswith("Live page of 'pendulum': http://127.0.0.1:"), process.communicate()
        assert process.stdout.readline() == "Ctrl-C ends it.\n"
        page = urllib.request.urlopen(url, timeout=30).read().decode()
        assert '"name":"link1.mass","low":10.0,"high":90.0' in page and '"name":"link2.mass"' in page
        body = json.dumps({"values": {"link1.mass": 60}}).encode()
        request = urllib.request.Request(url + "run", body, {"Content-Type": "application/json"})
        assert "data" in json.loads(urllib.request.urlopen(request, timeout=60).read())
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and out.startswith("Closed after ") and out.endswith("s: 1 run computed.\n"), (out, err)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url, timeout=5)


@pytest.mark.parametrize(
    "slider, words",
    [
        ("link1.mass=10", "write name=lowest:highest"),
        ("link1.mass=a:b", "write name=lowest:highest"),
        ("=1:2", "write name=lowest:highest"),
        ("link1.mas=10:90", "did you mean 'mass'?"),
        ("link1.mass=60:90", "which its range from 60 to 90 does not contain"),
    ],
)
def test_wrong_sliders(model, slider, words):
    found = poinsot("app", model, "--slider", slider, "--duration", "0.1", "--step", "0.01", "--no-open")
    assert found.exit_code == 2 and words in found.output, found.output
