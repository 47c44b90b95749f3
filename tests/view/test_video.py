"""Videos: as long as the run, every frame where the system is, nothing left over from the frame before."""

import sys

import numpy as np
import pytest

import poinsot as po
from poinsot.view.frames import Stage, coloured
from poinsot.view.video import frame_times
from systems import chain

SMALL = (322, 181)  # odd, on purpose


@pytest.fixture(scope="module")
def pendulum():
    """A planar rod, hanging on a spring, too."""
    s = po.System("rod", plane="xy", gravity=(0, -9.81))
    rod = s.body("rod", po.Rod(0.02, mass=1.0), between=((0, 0), (1, 0)))
    s.revolute(s.ground, rod, at=(0, 0), name="pin")
    s.add(po.Spring(s.ground, rod, at=((1, 1), (1, 0)), stiffness=5.0, length=1.0))
    return po.simulate(s, 1.0, step=0.05)


def seen(path):
    """Size, frames per second, and all frames of a video."""
    import imageio_ffmpeg

    reader = imageio_ffmpeg.read_frames(str(path))
    about = next(reader)
    frames = [np.frombuffer(frame, np.uint8).reshape(*about["size"][::-1], 3) for frame in reader]
    reader.close()
    return about["size"], about["fps"], frames


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_mp4_has_the_frames_of_real_time(pendulum, tmp_path):
    path = pendulum.write_video(tmp_path / "new" / "rod.mp4", fps=20, size=SMALL, like="sticks")
    size, fps, frames = seen(path)
    assert path.name == "rod.mp4" and size == (322, 180) and fps == 20 and len(frames) == 21
    slow = seen(pendulum.write_video(tmp_path / "slow.mp4", fps=20, speed=0.5, size=SMALL, start=0.5, end=1.0, like="sticks"))[2]
    assert len(slow) == 21
    drawn = Stage(pendulum, frame_times(pendulum, 20, 1.0, None, None), (322, 180), None, 2.0, None)
    apart = np.array([[np.abs(film.astype(float) - drawn.frame(k)).mean() for k in (0, 6, 13)] for film in (frames[0], frames[6], frames[13])])
    assert np.array_equal(apart.argmin(axis=1), [0, 1, 2]) and np.diag(apart).max() < 0.6


def test_times_of_frames(pendulum):
    assert frame_times(pendulum, 10, 1.0, None, None) == pytest.approx(np.arange(11) / 10)
    assert frame_times(pendulum, 10, 0.5, 0.5, None) == pytest.approx(0.5 + np.arange(11) / 20)
    assert frame_times(pendulum, 10, 3.0, None, None) == pytest.approx([0.0, 0.3, 0.6, 0.9])


def test_gif_keeps_the_time_in_ticks(pendulum, tmp_path):
    from PIL import Image

    with Image.open(pendulum.write_video(tmp_path / "rod.gif", fps=30, size=SMALL, like="sticks")) as film:
        lasting = []
        for k in range(film.n_frames):
            film.seek(k)
            lasting.append(film.info["duration"])
        assert film.size == (322, 180) and film.n_frames == 31 and film.info.get("loop") == 0
        assert sum(lasting) == pytest.approx(1033, abs=6) and {30, 40} == set(lasting)
        assert film.convert("RGB").getpixel((1, 1)) == (255, 255, 255)


def test_frames_show_the_rod_where_it_is_and_nothing_else(pendulum):
    stage = Stage(pendulum, pendulum.t, (640, 360), (), 1.0, None)
    first = stage.frame(0)
    later = stage.frame(10)
    assert np.array_equal(stage.frame(0), first) and not np.array_equal(first, later)
    blue = np.array([31, 119, 180])
    middle = pendulum["rod"].com[10]
    x, y = stage.axes.transData.transform(middle)
    assert np.abs(later[360 - 1 - int(y), int(x)].astype(int) - blue).max() < 40
    x, y = stage.axes.transData.transform(pendulum["rod"].com[0])
    assert np.abs(first[360 - 1 - int(y), int(x)].astype(int) - blue).max() < 40
    assert later[360 - 1 - int(y), int(x)].min() > 200
    assert stage.clock.get_text() == "t = 0.00 s" and stage.axes.get_xlabel() == "x [m]"


def test_trails_follow_free_ends_and_what_is_asked_for(pendulum):
    stage = Stage(pendulum, pendulum.t, (160, 90), None, 0.22, None)
    stage.frame(10)
    assert stage.trails[0].get_xydata() == pytest.approx(pendulum["rod"].point((0.5, 0))[6:11])
    whole = Stage(pendulum, pendulum.t, (160, 90), [pendulum.system["rod"].start], np.inf, None)
    whole.frame(20)
    assert whole.trails[0].get_xydata().shape == (21, 2) and np.abs(whole.trails[0].get_xydata()).max() < 1e-12


def test_motions_in_space_are_drawn_in_space_from_a_point_of_view():
    s = chain(2)
    s["joint2"].set(rotation=("y", 0.5))
    run = po.simulate(s, 0.5, step=0.01)
    stage = Stage(run, run.t[::10], (160, 90), None, 1.0, (30.0, 45.0))
    assert (stage.axes.elev, stage.axes.azim) == (30, 45) and stage.axes.get_zlabel() == "z [m]"
    assert not np.array_equal(stage.frame(0), stage.frame(5))
    assert np.array(stage.bodies[0].get_data_3d()).T[-1] == pytest.approx(run["link1"].point((0, 0, -1))[50])


def test_bodies_of_one_colour_are_one_line_with_gaps():
    lines = [np.full((4, 1 if k == 11 else 2, 3), float(k)) for k in range(12)]
    groups = coloured(lines)
    assert [(colour, spots) for colour, spots, _ in groups][:3] == [(0, False), (1, False), (1, True)] and len(groups) == 11
    assert groups[0][2][2, :, 0] == pytest.approx([0, 0, np.nan, 10, 10], nan_ok=True) and groups[2][2].shape == (4, 1, 3)


def test_wrong_settings_are_told(pendulum, tmp_path, monkeypatch):
    for ending in ("rod.avi", "rod"):
        with pytest.raises(po.SettingsError, match=f"an .mp4 or .gif file, not '{ending}'"):
            pendulum.write_video(tmp_path / ending)
    for name in ("fps", "speed", "trail"):
        for value in (0, -1.0, float("nan")):
            with pytest.raises(po.SettingsError, match=f"{name} must be a positive number"):
                pendulum.write_video(tmp_path / "rod.mp4", **{name: value})
    with pytest.raises(po.SettingsError, match="at most 50 frames"):
        pendulum.write_video(tmp_path / "rod.gif", fps=60)
    with pytest.raises(po.SettingsError, match="between 0 and 1 s"):
        pendulum.write_video(tmp_path / "rod.mp4", start=0.5, end=0.2)
    with pytest.raises(po.SettingsError, match="decrease speed="):
        pendulum.write_video(tmp_path / "rod.mp4", end=0.01)
    with pytest.raises(po.SettingsError, match="64 by 64"):
        pendulum.write_video(tmp_path / "rod.mp4", size=(10, 10), like="sticks")
    with pytest.raises(po.SettingsError, match="single output"):
        frame_times(po.Trajectory(pendulum.frozen, pendulum.formulation, pendulum.t[:1], pendulum.raw[:1], None), 30, 1.0, None, None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(po.PoinsotError, match=r"pip install 'poinsot\[viz\]', or write a .gif"):
        pendulum.write_video(tmp_path / "rod.mp4", like="sticks")
    assert not list(tmp_path.iterdir())


def test_a_video_that_fails_leaves_nothing_and_keeps_what_was_there(pendulum, tmp_path, monkeypatch):
    (tmp_path / "rod.mp4").write_text("before")
    draw = Stage.frame
    monkeypatch.setattr(Stage, "frame", lambda stage, k: draw(stage, k) if k < 3 else 1 / 0)
    for ending in ("mp4", "gif"):
        with pytest.raises(ZeroDivisionError):
            pendulum.write_video(tmp_path / f"rod.{ending}", fps=10, size=SMALL, like="sticks")
    assert [file.name for file in tmp_path.iterdir()] == ["rod.mp4"] and (tmp_path / "rod.mp4").read_text() == "before"


def test_progress_is_shown_when_asked_for(pendulum, tmp_path, capfd):
    pendulum.write_video(tmp_path / "rod.gif", fps=5, size=(160, 90), progress=True, like="sticks")
    assert "rod.gif" in capfd.readouterr().err
    pendulum.write_video(tmp_path / "rod.gif", fps=5, size=(160, 90), like="sticks")
    assert capfd.readouterr().err == ""
