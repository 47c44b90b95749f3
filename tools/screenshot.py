"""A picture of a page that `run.write_html` wrote, as the browser shows it: `docs/images/page.png` is made so.

    python examples/scissor_lift.py
    python tools/screenshot.py out/scissor_lift.html docs/images/page.png --time 5.2 --show velocities

Needs the extra `browser` (Playwright), the Chromium of the machine, and Pillow, which comes with matplotlib. The scene is
drawn in software, so that the picture does not depend on the machine. The picture keeps up to 256 colours.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from pathlib import Path

SOFTWARE = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


def screenshot(
    page: Path, picture: Path, *, time: float | None, trails: str, shown: list[str], width: int, height: int, dark: bool
) -> None:
    """Open a page, set its time (s; None: the middle of the run), switch on what is to be seen, and write a .png."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        sys.exit("there is no Chromium on this machine")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=SOFTWARE)
        view = {"width": width, "height": height}
        tab = browser.new_page(viewport=view, color_scheme="dark" if dark else "light")
        tab.goto(page.resolve().as_uri())
        tab.locator("html[data-drawn]").wait_for(state="attached", timeout=60_000)
        end = tab.evaluate("poinsot.clock.end")
        tab.evaluate(f"poinsot.clock.set({0.5 * end if time is None else time})")
        tab.select_option("#trails", trails)
        for button in shown:
            tab.evaluate(f"poinsot.toolbar.toggle('{button}')")
        tab.evaluate("document.activeElement.blur(); poinsot.view.draw()")
        tab.mouse.move(0, 0)
        tab.wait_for_timeout(300)
        taken = tab.screenshot()
        browser.close()
    image = Image.open(io.BytesIO(taken)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)
    print(f"{picture}: {image.width} x {image.height}, {picture.stat().st_size / 1e3:.0f} kB")


def main() -> None:
    """Read the command line."""
    words = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    words.add_argument("page", type=Path, help="a page, .html")
    words.add_argument("picture", type=Path, help="where the picture goes, .png")
    words.add_argument("--time", type=float, help="s; default: the middle of the run")
    words.add_argument("--trails", choices=["", "given", "tip", "com"], default="tip", help="of given points, of tips, of centres of mass, or none")
    shown = ["velocities", "loads", "reactions", "labels", "jointnames", "spins", "momenta", "axes"]
    words.add_argument("--show", nargs="*", default=[], choices=shown)
    words.add_argument("--size", nargs=2, type=int, default=[1400, 900], metavar=("WIDTH", "HEIGHT"), help="pixels")
    words.add_argument("--dark", action="store_true")
    given = words.parse_args()
    wide, tall = given.size
    screenshot(
        given.page, given.picture, time=given.time, trails=given.trails, shown=given.show, width=wide, height=tall,
        dark=given.dark,
    )  # fmt: skip


if __name__ == "__main__":
    main()
