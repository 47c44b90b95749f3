"""Videos like the page: the scene in Chromium, frame by frame; solids and a warning where there is none."""

import os

import numpy as np
import pytest

import poinsot as po
from poinsot.view import page_frames, video
from systems import pendulum


@pytest.fixture(scope="module")
def run():
    return po.simulate(pendulum(), 1.0, step=0.02)


def test_frames_show_the_solids_where_they_are(run, tmp_path):
    lacking = page_frames.missing()
    if lacking:
        assert not os.environ.get("CI"), lacking
        pytest.skip(lacking)
    times = np.array([0.0, 0.4, 0.8])
    with page_frames.page_stage(run, times, (320, 200)) as stage:
        first, later, again = stage.frame(0), stage.frame(1), stage.frame(0)
    assert first.shape == (200, 320, 3) and np.array_equal(first, again)
    assert np.mean(np.abs(first.astype(int) - later) > 8) > 0.005  # the body has moved
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 200  # shaded
    path = run.write_video(tmp_path / "page.gif", like="page", fps=5, size=(320, 200))
    from PIL import Image

    with Image.open(path) as film:
        assert film.n_frames == 6 and film.size == (320, 200)


def test_without_chromium_solids_are_drawn_and_said(run, tmp_path, monkeypatch):
    monkeypatch.setattr(video, "missing", lambda: "there is no Chromium on this machine")
    with pytest.warns(UserWarning, match=r"x\.gif is drawn as shaded solids, not like the page: there is no Chromium"):
        assert run.write_video(tmp_path / "x.gif", like="page", fps=5, size=(160, 90)).exists()


def test_wrong_words(run, tmp_path):
    both = {"like": "page", "view": (1, 2)}
    for options, words in (({"like": "pag"}, "did you mean 'page'"), ({"like": 3}, "like must be a text"), (both, "no paths= and view=")):
        with pytest.raises(po.SettingsError, match=words):
            run.write_video(tmp_path / "x.gif", **options)
