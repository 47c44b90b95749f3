"""Draws the moving picture of the README, a delta robot on its path, as its page shows it: `python docs/site/moving_picture.py`.

Needs the extra `browser` and a Chromium.
"""

import base64
import importlib.util
import io
import shutil
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
FRAMES, SECONDS, WIDTH, COLOURS, PAPER = 48, 4.0, 520, 48, "#f6f7f9"
DRAW = "t => { poinsot.clock.set(t); poinsot.view.draw(); return poinsot.view.canvas.toDataURL(); }"


def page(folder: Path) -> tuple[Path, float]:
    """Run the example; the path of its page, and its duration (s)."""
    spec = importlib.util.spec_from_file_location("delta_robot", ROOT / "examples" / "delta_robot.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    run = module.main(folder=folder)
    return next(folder.glob("*.html")), float(run.t[-1])


def main() -> None:
    """Frames at equal times, as one GIF."""
    path, duration = page(Path(tempfile.mkdtemp()))
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=["--no-sandbox"])
        view = browser.new_page(viewport={"width": 1100, "height": 620})
        view.goto(path.as_uri())
        view.wait_for_function("window.poinsot")
        drawn = [view.evaluate(DRAW, float(t)) for t in np.linspace(0, duration, FRAMES, endpoint=False)]
        browser.close()
    frames = []
    for text in drawn:
        image = Image.open(io.BytesIO(base64.b64decode(text.partition(",")[2]))).convert("RGBA")
        paper = Image.new("RGBA", image.size, PAPER)
        paper.alpha_composite(image)
        size = (WIDTH, round(WIDTH * image.height / image.width))
        frames.append(paper.convert("RGB").resize(size, Image.Resampling.LANCZOS).quantize(COLOURS))
    target = ROOT / "docs" / "images" / "delta_robot.gif"
    frames[0].save(target, save_all=True, append_images=frames[1:], duration=round(1000 * SECONDS / FRAMES), loop=0, optimize=True)
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
