"""Videos of a run: .mp4 with ffmpeg (installed with the extra `viz`), .gif with Pillow."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError, SettingsError, warn
from poinsot.files.appearing import appearing, report_os_errors
from poinsot.model.guard import NUMBER, PATH, TEXT, TRUTH, WHOLE, instance, maybe, settings_door, several
from poinsot.model.words import suggestion
from poinsot.progress import bar
from poinsot.view.frames import Stage
from poinsot.view.page_frames import PageStage, missing, page_stage
from poinsot.view.solid_frames import SolidStage

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

TICK = 0.01  # s, the time unit of .gif
FASTEST = 50  # frames per second, the most that programs show of a .gif
COLOURS = 128  # of a .gif
LARGEST_SIDE = 16_384  # pixels
MOST_FRAMES = 1_000_000
LIKE = ("page", "solids", "sticks")
TRAIL = 2.0  # s
WORDS = {PageStage: "like the page", SolidStage: "as shaded solids", Stage: "as sticks"}

AnyStage = Stage | SolidStage | PageStage


@settings_door(
    path=PATH,
    **dict.fromkeys(("fps", "speed", "trail"), NUMBER),
    **{name: maybe(NUMBER) for name in ("start", "end")},
    size=several(WHOLE, "width and height in pixels, two whole numbers"),
    paths=maybe(instance((list, tuple), "a list of bodies or points")),
    view=maybe(several(NUMBER, "elevation and azimuth, two numbers of degrees")),
    progress=maybe(TRUTH),
    like=maybe(TEXT),
)
def write_video(
    run: Trajectory,
    path: Any,
    *,
    fps: float = 30,
    speed: float = 1.0,
    size: tuple[int, int] = (1280, 720),
    start: float | None = None,
    end: float | None = None,
    paths: Sequence[Any] | None = None,
    trail: float = TRAIL,
    view: tuple[float, float] | None = None,
    progress: bool | None = None,
    like: str | None = None,
) -> Path:
    """Write a video of the run; returns its path.

    Parameters
    ----------
    path : of the file; its ending, .mp4 or .gif, selects the format
    fps : frames per second; between outputs poses are interpolated
    speed : 1 is real time, 0.5 slow motion
    size : width and height in pixels; odd numbers are rounded down, since videos need even ones
    start, end : part of the run, s
    paths : bodies, or points of them, that leave a trail; default: up to six free ends
    trail : length of the trails, s of the run; `float("inf")` for all
    view : elevation and azimuth in degrees from which a motion in space is seen
    progress : whether a bar is shown; default: in a terminal, when it takes longer than a second
    like : "page": as the page shows it, drawn by a headless Chromium; "solids": the same solids, shaded, with shadows, drawn by
        matplotlib, which is much faster; "sticks": lines with axes, drawn by matplotlib. Default: like the page where Chromium and
        Playwright are found, else solids, and a line on stderr says which; `progress=False` leaves it out. A page has no `paths`, `trail`
        and `view`: with these the default is solids. With "page" where something is missing, solids are drawn and a warning says so
    """
    check_like(like)
    path = Path(path)
    write = {".mp4": _write_mp4, ".gif": _write_gif}.get(path.suffix.lower())
    if write is None:
        raise SettingsError(f"a video must be an .mp4 or .gif file, not '{path.name}'")
    for name, value in (("fps", fps), ("speed", speed), ("trail", trail)):
        if not value > 0 or (name != "trail" and not np.isfinite(value)):
            raise SettingsError(f"{name} must be a positive number, not {value!r}")
    if path.suffix.lower() == ".gif" and fps > FASTEST:
        raise SettingsError(
            f"a .gif shows at most {FASTEST} frames per second, not {fps:g}; write .mp4, or give fps={FASTEST}"
        )
    if view is not None and (len(view) != 2 or not np.all(np.isfinite(view))):
        raise SettingsError(f"view must be elevation and azimuth, two numbers of degrees, not {view!r}")
    times = frame_times(run, fps, speed, start, end)
    with report_os_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    given = paths is not None or view is not None
    if like == "page" and given:
        raise SettingsError("a video like the page has no paths= and view=; leave them out, or write it with like='solids'")
    with ExitStack() as opened:
        stage, why = _stage(opened, run, times, _even(size), like, (paths, trail, view))
        words = f"{path.name} is drawn {WORDS[type(stage)]}{', not like the page: ' + why if why else ''}"
        if like == "page" and why:
            warn(words, UserWarning)
        elif like is None and progress is not False:
            print(words, file=sys.stderr)
        new = opened.enter_context(appearing(path))
        advance = opened.enter_context(bar(progress, path.name, 0.0, float(len(times))))
        frames = opened.enter_context(closing(_with_progress(stage, advance)))
        write(new, stage, frames, fps)
    return path


def check_like(like: str | None) -> None:
    """Raise a SettingsError for a look of videos that there is not."""
    if like is not None and like not in LIKE:
        raise SettingsError(f"like must be 'page', 'solids' or 'sticks', not {like!r}; {suggestion(like, LIKE)}")


def _stage(
    opened: ExitStack, run: Trajectory, times: np.ndarray, size: tuple[int, int], like: str | None, shown: tuple[Any, float, Any]
) -> tuple[AnyStage, str]:
    """What draws the frames, closed with `opened`, and why it is not like the page, where that was possible to want; `shown`: paths, trail, view."""
    if like == "sticks":
        return Stage(run, times, size, *shown), ""
    if like == "solids":
        return SolidStage(run, times, size, *shown), ""
    own = like is None and (shown[0] is not None or shown[1] != TRAIL or shown[2] is not None)
    why = "which has no paths=, trail= and view=" if own else missing()
    if not why:
        try:
            return opened.enter_context(page_stage(run, times, size)), ""
        except PoinsotError as error:  # a Chromium that cannot draw
            if like == "page":
                raise
            why = str(error).split("; write")[0]
    return SolidStage(run, times, size, *shown), why


def frame_times(run: Trajectory, fps: float, speed: float, start: float | None, end: float | None) -> np.ndarray:
    """Times of the frames, s of the run."""
    first, last = (float(run.t[0]), float(run.t[-1])) if len(run.t) else (0.0, 0.0)
    if len(run.t) < 2:
        raise SettingsError("a run with a single output has no motion to show in a video")
    begin, stop = first if start is None else float(start), last if end is None else float(end)
    if not first - 1e-9 <= begin < stop <= last + 1e-9:
        raise SettingsError(f"a video must start before it ends, between {first:g} and {last:g} s")
    if (stop - begin) * fps / speed > MOST_FRAMES:
        raise SettingsError(f"a video of {(stop - begin) * fps / speed:.3g} frames is too long; increase speed= or decrease fps=")
    count = int((stop - begin) * fps / speed + 1e-6) + 1
    if count < 2:
        raise SettingsError(
            f"{stop - begin:g} s at speed {speed:g} are shorter than one of {fps:g} frames per second; decrease speed="
        )
    return np.clip(begin + np.arange(count) * (speed / fps), first, last)


def _even(size: tuple[int, int]) -> tuple[int, int]:
    if len(size) != 2 or not all(64 <= n <= LARGEST_SIDE for n in size):
        raise SettingsError(f"the size of a video must be from 64 by 64 to {LARGEST_SIDE} by {LARGEST_SIDE} pixels, not {tuple(size)}")
    width, height = (int(n) // 2 * 2 for n in size)
    return width, height


def _with_progress(stage: AnyStage, advance: Any) -> Generator[np.ndarray, None, None]:
    """Frames (height, width, 3) of bytes, one after the other."""
    for k in range(len(stage.scene.t)):
        yield stage.frame(k)
        advance(k + 1.0)


def _write_mp4(path: Path, stage: AnyStage, frames: Iterable[np.ndarray], fps: float) -> None:
    try:
        import imageio_ffmpeg

        imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        raise PoinsotError(".mp4 videos need ffmpeg: pip install 'poinsot[viz]', or write a .gif") from None
    writer = imageio_ffmpeg.write_frames(
        str(path),
        stage.size,
        fps=fps,
        codec="libx264",
        quality=8,
        macro_block_size=2,
        output_params=["-movflags", "+faststart"],
    )
    with closing(writer):
        writer.send(None)
        for frame in frames:
            writer.send(frame)
    _check_whole(path)


def _check_whole(path: Path) -> None:
    """Raise when ffmpeg, which reports no error, could not write all: an .mp4 is a sequence of boxes, each with its size and name."""
    size, at, names = path.stat().st_size, 0, set()
    with open(path, "rb") as file:
        while at < size:
            file.seek(at)
            head = file.read(16).ljust(16, b"\0")
            length = int.from_bytes(head[:4], "big")
            names.add(head[4:8])
            at += int.from_bytes(head[8:], "big") if length == 1 else length or size
    if at != size or not {b"moov", b"mdat"} <= names:
        raise OSError("ffmpeg could not write all of it; is the disk full?")


def _write_gif(path: Path, stage: AnyStage, frames: Iterable[np.ndarray], fps: float) -> None:
    from PIL import Image

    palette = Image.fromarray(stage.frame(len(stage.scene.t) - 1)).quantize(
        COLOURS, Image.Quantize.MAXCOVERAGE
    )  # where trails are drawn already
    entries = np.array(palette.getpalette()).reshape(-1, 3)
    entries[entries.min(axis=1) >= 248] = 255  # make the nearly white background exactly white
    palette.putpalette(entries.ravel().tolist())
    images = (Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames)
    ends = np.round(np.arange(len(stage.scene.t) + 1) / fps / TICK).astype(int)  # whole ticks, without accumulated error
    lasting = (1000 * TICK * np.diff(ends)).astype(int).tolist()
    next(images).save(path, save_all=True, append_images=images, duration=lasting, loop=0, disposal=1)
