"""Frames of a video as the page shows a run: its scene in a headless Chromium, driven by Playwright (the extra `browser`)."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.view.page import write_html

if TYPE_CHECKING:
    from poinsot.results.trajectory import Trajectory

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-sandbox"]
POSES = (2, 20_000)  # smallest and largest number of poses in the page
PATIENCE = 60_000  # ms for the first picture

# the scene fills the window, above all else, with the time in its corner
ALONE = """() => {
  const scene = document.getElementById("scene");
  Object.assign(scene.style, { position: "fixed", inset: "0", zIndex: "1000", height: "100vh", width: "100vw" });
  const time = document.createElement("div");
  Object.assign(time.style, { position: "absolute", left: "2%", top: "3%", font: "16px monospace" });
  time.id = "videotime";
  scene.append(time);
  poinsot.view.resize();
}"""
SHOW = """([t, words]) => {
  poinsot.clock.set(poinsot.clock.start + t);
  document.getElementById("videotime").textContent = words;
  poinsot.view.draw();
}"""


def missing() -> str:
    """What is missing to draw like the page, in words; empty: nothing."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "Playwright is missing (pip install 'poinsot[browser]')"
    if find_spec("PIL") is None:
        return "Pillow is missing (pip install 'poinsot[viz]')"
    return "" if _program() else "there is no Chromium on this machine"


def _program() -> str | None:
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


class PageStage:
    """The scene of a page at the times of frames; what `Stage` of `frames.py` is for sticks, and `SolidStage` of `solid_frames.py` for solids."""

    def __init__(self, page: Any, run: Trajectory, times: np.ndarray, size: tuple[int, int]):
        self.page, self.size, self.scene, self.start = page, size, SimpleNamespace(t=times), float(run.t[0])
        self.digits = max(1, int(np.ceil(-np.log10(max(np.diff(times).min(), 1e-9)))))

    def frame(self, k: int) -> np.ndarray:
        """Frame k: bytes (height, width, 3)."""
        from PIL import Image

        t = float(self.scene.t[k])
        self.page.evaluate(SHOW, [t - self.start, f"t = {t:.{self.digits}f} s"])
        picture = Image.open(io.BytesIO(self.page.screenshot(type="png"))).convert("RGB")
        return np.ascontiguousarray(picture)


@contextmanager
def page_stage(run: Trajectory, times: np.ndarray, size: tuple[int, int]) -> Iterator[PageStage]:
    """The page of a run, opened for frames at these times (s)."""
    from playwright.sync_api import Error, sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as running:
        file = write_html(run, Path(folder) / "run.html", frames=int(np.clip(2 * len(times), *POSES)), max_bytes=50_000_000)
        browser = running.chromium.launch(executable_path=_program(), args=SOFTWARE)
        try:
            page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="light")
            page.goto(file.as_uri())
            page.wait_for_selector("html[data-drawn]", state="attached", timeout=PATIENCE)
            if not page.evaluate("Boolean(poinsot.view)"):
                raise PoinsotError("this Chromium has no WebGL, so that it cannot draw; write the video with like='solids'")
            page.evaluate(ALONE)
            yield PageStage(page, run, times, size)
        except Error as error:
            raise PoinsotError(f"Chromium could not draw the video ({str(error).splitlines()[0]}); write it with like='solids'") from None
        finally:
            browser.close()
