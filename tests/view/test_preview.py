"""The drawing of a system: what its page contains, that it compiles nothing, and what is said of faults and gaps."""

import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import poinsot as po
from loops import four_bar
from poinsot.view.page import page_html
from poinsot.view.preview import moved
from poinsot.view.resample import unpack
from systems import chain

HOSTILE = "</script><img src=x onerror=alert(1)>"
FRESH = """
import sys, time
import poinsot as po
s = po.read(sys.argv[1]) if len(sys.argv) > 3 else po.System("four-bar", gravity=(0, 0, -9.81))
if not s.bodies:
    ends = [(0, 0, 0), (0, 0, 1), (2, 0, 1.5), (2, 0, 0)]
    parent = s.ground
    for k in range(3):
        link = s.body(f"link{k}", po.Rod(0.02, mass=1.0), between=(ends[k], ends[k + 1]))
        s.revolute(parent, link, at=ends[k], axis="y")
        parent = link
    s.revolute(parent, s.ground, at=ends[3], axis="y")
po.write_html(s, sys.argv[2])
print(time.process_time())
"""


def told(page):
    """The data of a page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


def drawn(system, **options):
    """What the page of a drawing says."""
    return told(page_html(system, **options))["preview"]


def test_screws_are_those_of_matrices():
    """exp of 4x4 twists, by squaring many times a small step."""
    rng = np.random.default_rng(3)
    poses = np.concatenate([rng.normal(size=(5, 3)), Rotation.random(5, random_state=1).as_quat()[:, [3, 0, 1, 2]]], axis=1)
    twists = rng.normal(size=(5, 6))
    twists[0, 3:] = 0.0
    twists[1, 3:] *= 1e-10
    for pose, twist, found in zip(poses, twists, moved(poses, twists)):
        w = twist[3:]
        small = np.eye(4)
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        step = np.block([[skew, (twist[:3] - np.cross(w, pose[:3]))[:, None]], [np.zeros((1, 4))]]) / 2**20
        small = small + step + step @ step / 2
        for _ in range(20):
            small = small @ small
        turned = small[:3, :3] @ Rotation.from_quat(pose[[4, 5, 6, 3]]).as_matrix()
        assert found[:3] == pytest.approx(small[:3, :3] @ pose[:3] + small[:3, 3], abs=1e-8)
        assert Rotation.from_quat(found[[4, 5, 6, 3]]).as_matrix() == pytest.approx(turned, abs=1e-8)


def test_nothing_is_compiled_and_it_takes_less_than_a_second(tmp_path):
    """In fresh processes without any compiled kernels; processor time, since the machine may be busy."""
    cache, model = tmp_path / "cache", tmp_path / "model.yaml"
    cache.mkdir()
    chain(4).to_yaml(model)
    times = []
    for more in ([], ["read"]):
        words = [sys.executable, "-c", FRESH, str(model), str(tmp_path / "page.html"), *more]
        done = subprocess.run(words, env={**os.environ, "POINSOT_CACHE": str(cache)}, capture_output=True, text=True, check=True)
        times.append(float(done.stdout))
        assert done.stderr == "" and (tmp_path / "page.html").stat().st_size > 100_000
    assert [path for path in cache.rglob("*") if path.is_file()] == []
    assert min(times) < 1.0


def test_a_four_bar_is_shown_with_its_freedom():
    page = drawn(four_bar())
    assert page["facts"] == "Drawing: 3 bodies, 4 joints, 1 freedom. Nothing was run."
    (freedom,) = page["freedoms"]
    assert freedom["words"] == "base turns, with elbow, knee and foot"
    assert freedom["detail"] == "per rad of base: elbow -1 rad, knee 0.6667 rad, foot -0.6667 rad"
    assert page["faults"] == page["gaps"] == page["notes"] == []
    swings = unpack(page["swings"]).reshape(1, 3, 6)
    assert np.abs(swings[0, 1, 3:]).max() < 1e-6 and 0.05 < swings[0, 1, 0] < 0.5  # the coupler moves along x
    assert ["crank", "1 kg, centre of mass at (0, 0, 0.5) m"] in page["tables"][0]["rows"]
    assert ["knee", "revolute, coupler to rocker, at (2, 0, 1.5) m, axis y; coordinates: angle"] in page["tables"][1]["rows"]
    assert len(page["axes"]) == 4 and len(page["lines"]) == 6


def test_gaps_are_marked_with_their_size():
    s = four_bar(gap=0.25)
    s.add(po.Distance(s.ground, s["crank"], at=((1, 0, 0), (0, 0, 1)), length=1.0, name="rod"))
    page = drawn(s)
    foot, rod = page["gaps"]
    words = "revolute 'foot': its point on 'rocker' and its point on 'ground' are 0.25 m apart. Before a run assembly closes the gap, if it can."
    assert foot["name"] == "foot" and foot["size"] == 0.25 and foot["words"] == words
    ends = [s["rocker"].world(foot["points"][0]), foot["points"][1]]
    assert foot["bodies"] == [3, 0] and ends[0] == pytest.approx([2, 0, 0]) and ends[1] == pytest.approx([2.25, 0, 0])
    assert rod["words"] == "distance 'rod': it is drawn 0.4142 m longer than it keeps."
    assert "2 gaps, the largest 0.4142 m" in page["facts"] and page["notes"] == []


def test_a_joint_away_from_its_bodies_is_seen():
    s = four_bar()
    s.revolute(s["crank"], s["rocker"], at=(0.5, 0, 3), axis="y", name="lost")
    page = drawn(s)
    text = dict(page["tables"][1]["rows"])["lost"]
    assert "2.062 m from the shape of crank and 2.121 m from the shape of rocker" in text
    lines = [(body, s.bodies[body - 1].world(end).tolist()) for body, _, end in page["lines"]]
    assert sum(np.allclose(end, (0.5, 0, 3)) for _, end in lines) == 2
    assert page["freedoms"] == []


def test_a_drawing_with_faults_is_shown_as_far_as_it_can_be():
    s, other = four_bar(), four_bar()
    s.body("nowhere", po.Box(1, 1, 1, mass=1.0), position=(np.nan, 0, 0))
    s.body("light", mass=-1.0, inertia=(1, 1, 1), position=(1, 0, 1))
    s.revolute(s["crank"], s["rocker"], at=(1, 0, 1), axis=(0, 0, 0), name="zero")
    s.revolute(s["crank"], other["rocker"], at=(1, 0, 1), axis="y", name="foreign")
    s.revolute(s["nowhere"], s["crank"], at=(1, 0, 1), axis="y", name="lost")
    page = drawn(s)
    words = "\n".join(page["faults"])
    for part in ("body 'nowhere': position and com must be finite", "mass must be", "'zero': axis (0.0, 0.0, 0.0) is not a direction", "'foreign': "):
        assert part in words
    for gone in ("body 'nowhere'", "revolute 'zero'", "revolute 'foreign'", "revolute 'lost'"):
        assert f"{gone}: is not drawn." in page["faults"]
    assert [name for name, _ in page["tables"][0]["rows"]] == ["crank", "coupler", "rocker", "light"]
    assert len(page["freedoms"]) == 1 + 6
    empty = drawn(po.System("empty", gravity=None))
    assert empty["freedoms"] == [] and "has no bodies" in empty["faults"][0]


def test_long_lists_are_cut_and_that_is_said():
    page = drawn(chain(150, angle=0.0), max_bytes=1_000_000)
    assert page["count"] == 450 and 0 < len(page["freedoms"]) < 450
    assert page["notes"][0] == f"Of 450 freedoms the first {len(page['freedoms'])} are in this page."
    assert len(unpack(page["swings"])) == len(page["freedoms"]) * 150 * 6


def test_names_are_never_markup_and_notes_tell_of_the_start():
    s = po.System(HOSTILE, gravity=None)
    s.revolute(s.ground, s.body(HOSTILE + "b", po.Rod(0.1, mass=1.0), between=((0, 0, 0), (1, 0, 0))), at=(0, 0, 0), axis="z", name=HOSTILE + "j")
    s.joints[0].set(angle=0.5)
    page = page_html(s, description=HOSTILE)
    assert HOSTILE not in page
    data = told(page)
    assert data["title"] == HOSTILE and "at the start of a run: angle = 0.5" in data["preview"]["tables"][1]["rows"][0][1]
    cell = s._repr_html_()
    assert HOSTILE not in cell and cell.startswith("<iframe") and 'sandbox="allow-scripts"' in cell


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda s, path: po.write_html(s, path, plots=["energy"]), "plots=: only for runs, and 'four-bar' is a system that has not run"),
        (lambda s, path: po.write_html(s, path, names=["a"], frames=7), "names=, frames=: only for runs"),
        (lambda s, path: po.write_html([s, s], path), "'four-bar' is a system that has not run; give it alone"),
        (lambda s, path: po.write_html(s, path, max_bytes=1000), "max_bytes must be a number of at least"),
        (lambda s, path: po.write_html(s, path.with_suffix(".png")), "give one that ends in .html"),
        (lambda s, path: s.show(path), "show: takes"),
    ],
)
def test_wrong_calls_are_explained(call, words, tmp_path):
    with pytest.raises((po.SettingsError, TypeError), match=re.escape(words)):
        call(four_bar(), tmp_path / "page.html")


def test_show_opens_a_browser_or_writes_into_the_notebook(tmp_path, monkeypatch, capsys):
    opened, shown = [], []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda address: not opened.append(address))
    s = four_bar()
    s.name = "../four bars/"
    path = s.show()
    assert opened == [path.as_uri()] and path.name == "four-bars.html" and tmp_path in path.parents
    monkeypatch.setattr("webbrowser.open", lambda address: False)
    path = s.show()
    assert f"the drawing is in {path}" in capsys.readouterr().err
    shell = SimpleNamespace(kernel=None, display_pub=SimpleNamespace(publish=shown.append))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert s.show() is None and shown[0]["text/html"].startswith("<iframe") and shown[0]["text/plain"].startswith("System(")
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=SimpleNamespace))  # a terminal: no kernel
    assert s.show() is not None
