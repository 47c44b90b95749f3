"""Runs the examples and keeps one picture of each for the gallery: `python docs/site/gallery_pictures.py [NAME ...]`, some minutes for all."""

import importlib.util
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "images" / "gallery"
WIDTH, COLOURS = 640, 64  # pixels; of the palette
PREFERRED = ("strobe", "paths", "path", "torques")  # of several pictures that an example writes, by what is in their names


def picture(path: Path) -> Path:
    """Run an example, and return the picture that shows most; a strobe picture of its run where it writes none."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    folder = Path(tempfile.mkdtemp())
    run = module.main(folder=folder)
    if not list(folder.glob("*.png")):
        run.snapshots(6).savefig(folder / "strobe.png", dpi=150)
    found = sorted(folder.glob("*.png"), key=lambda one: next((k for k, word in enumerate(PREFERRED) if word in one.stem), 9))
    return found[0]


def shrink(source: Path, target: Path) -> None:
    """A small copy."""
    image = Image.open(source).convert("RGB")
    size = (WIDTH, round(image.height * WIDTH / image.width))
    image.resize(size, Image.Resampling.LANCZOS).quantize(COLOURS).save(target, optimize=True)


def main(names: list[str]) -> None:
    """All examples, or those named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in sorted((ROOT / "examples").glob("*.py")):
        if not names or path.stem in names:
            shrink(picture(path), FOLDER / f"{path.stem}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
