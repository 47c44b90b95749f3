"""The gallery: copies of the examples with a title, their committed picture and the command that runs them, for sphinx-gallery."""

import ast
import shutil
from pathlib import Path

HEAD = """Gallery
=======

Every example is one program; the tests run all of them. They print what they find, and write pictures, a page for the browser and
the results to `out/`.

"""


def prepare(examples: Path, pictures: Path, folder: Path) -> str:
    """Write the folder that sphinx-gallery reads, and return it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "README.txt").write_text(HEAD)
    for path in sorted(examples.glob("*.py")):
        (folder / path.name).write_text(page(path, pictures / f"{path.stem}.png"))
    return str(folder)


def page(path: Path, picture: Path) -> str:
    """The source of an example, with a title of its own, its picture, and how it is run."""
    source = path.read_text()
    tree = ast.parse(source)
    words = ast.get_docstring(tree) or ""
    first = tree.body[0]
    code = "\n".join(source.splitlines()[first.end_lineno :]).strip("\n")
    title = path.stem.replace("_bar", "-bar").replace("_", " ").capitalize().replace("Rpr", "RPR").replace("Ur5", "UR5")
    image = f".. image:: /images/gallery/{picture.name}\n   :alt: {title}\n\n" if picture.exists() else ""
    head = f'"""\n{title}\n{"=" * len(title)}\n\n{words}\n\n{image}Run it by ``python examples/{path.name}``.\n"""\n'
    thumbnail = f"# sphinx_gallery_thumbnail_path = 'images/gallery/{picture.name}'\n" if picture.exists() else ""
    return f"{head}\n{thumbnail}{code}\n"
