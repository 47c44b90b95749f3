"""Strobe pictures, and poses between outputs."""

from types import SimpleNamespace

import numpy as np
import pytest

import poinsot as po
from loops import four_bar
from poinsot.view.drawing import coil, followed, free_ends, poses
from systems import chain


@pytest.fixture(scope="module")
def linkage():
    s = four_bar()
    s["base"].set(rate=2.0)
    return po.simulate(s, 1.0, step=0.01)


def legend(figure):
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()]


def test_so_many_instants_or_given_times(linkage):
    assert legend(linkage.snapshots(5)) == ["0 s", "0.25 s", "0.5 s", "0.75 s", "1 s"]
    assert legend(linkage.snapshots([0.1, 0.3])) == ["0.1 s", "0.3 s"]
    assert legend(linkage.snapshots(1)) == ["1 s"]
    for wrong in ([], [2.0], [-0.1]):
        with pytest.raises(po.SettingsError, match="between 0 and 1 s"):
            linkage.snapshots(wrong)
    with pytest.raises(po.SettingsError, match="must be positive, not 0"):
        linkage.snapshots(0)


def test_bodies_are_drawn_where_they_are(linkage):
    axes = linkage.snapshots([0.5]).axes[0]
    crank = axes.lines[0].get_xydata()
    where = [linkage["crank"].point(p)[50, [0, 2]] for p in linkage.system["crank"].ends]
    assert crank == pytest.approx(np.array(where))


def test_paths_of_bodies_and_of_points(linkage):
    figure = linkage.snapshots(3, paths=["coupler", linkage.system["crank"].end])
    assert legend(figure)[:2] == ["path of coupler", "path of crank"]
    middle, end = (line.get_xydata() for line in figure.axes[0].lines[:2])
    assert middle == pytest.approx(linkage["coupler"].com[:, [0, 2]])
    assert end == pytest.approx(linkage["crank"].point(linkage.system["crank"].ends[1])[:, [0, 2]])
    for wrong in ("cuopler", "base", "ground", 3):
        with pytest.raises(po.ModelError, match="it has crank, coupler, rocker"):
            linkage.snapshots(3, paths=[wrong])


def test_the_end_of_a_chain_is_followed_and_links_between_by_their_middle():
    run = po.simulate(chain(3), 0.1, step=0.01)
    assert followed(run, "link3")[2] == pytest.approx([0, 0, -1]) and followed(run, "link2")[2] == pytest.approx([0, 0, 0])
    assert followed(run, run.system["link3"])[1] == 3 and free_ends(run) == ["link3"]
    assert run.snapshots(2, paths=["link3"]).axes[0].lines[0].get_xydata() == pytest.approx(run["link3"].point((0, 0, -1))[:, 1:])


def test_poses_at_outputs_are_the_outputs_and_between_them_nearly_the_motion(linkage):
    places, turns = poses(linkage, linkage.t)
    assert np.array_equal(places[:, 2], linkage["coupler"].position)
    assert turns[:, 2] == pytest.approx(linkage["coupler"].rotation, abs=1e-15)
    fine = po.simulate(linkage.system, 1.0, step=0.005)
    between, turned = poses(linkage, fine.t[1::2])
    bound = 0.01**2 / 8 * np.abs(fine["coupler"].acceleration).max()  # of a straight line between outputs
    assert 0.5 * bound < np.abs(between[:, 2] - fine["coupler"].position[1::2]).max() < 1.01 * bound
    assert np.abs(turned[:, 2] - fine["coupler"].rotation[1::2]).max() < 1e-3
    assert np.abs(turned[:, 2] @ turned[:, 2].transpose(0, 2, 1) - np.eye(3)).max() < 1e-14


def test_a_time_that_occurs_twice_is_no_gap():
    motion = np.zeros((3, 13))
    motion[:, 3], motion[:, 0] = 1.0, (0.0, 1.0, 2.0)
    run = SimpleNamespace(t=np.array([0.0, 1.0, 1.0]), motion=motion, frozen=SimpleNamespace(layout=SimpleNamespace(bodies=[0])))
    assert poses(run, np.array([0.5, 1.0]))[0][:, 0, 0] == pytest.approx([0.5, 1.0])


def test_attitudes_take_the_shorter_way():
    motion = np.zeros((2, 13))
    motion[0, 3], motion[1, 3:5] = 1.0, (-np.cos(0.2), -np.sin(0.2))  # by 0.4 rad about x, with the other sign
    run = SimpleNamespace(t=np.array([0.0, 1.0]), motion=motion, frozen=SimpleNamespace(layout=SimpleNamespace(bodies=[0])))
    turn = poses(run, np.array([0.5]))[1][0, 0]
    assert np.arctan2(turn[2, 1], turn[1, 1]) == pytest.approx(0.2)


@pytest.mark.parametrize("span", [((0, 0), (3.0, 4)), ((0, 0, 0), (2.0, 3, 6))])
def test_springs_are_coils_from_end_to_end(span):
    ends = np.array(span)
    line = coil(ends, 0.1)
    along = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    assert np.array_equal(line[[0, -1]], ends) and np.all(np.diff((line - ends[0]) @ along) > 0)
    beside = np.linalg.norm(line - ends[0] - np.outer((line - ends[0]) @ along, along), axis=1)
    assert beside.max() == pytest.approx(0.1)
    assert np.array_equal(coil(ends[[0, 0]], 0.1), ends[[0, 0]])
