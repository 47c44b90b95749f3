"""The documentation site: what it is made of. `make docs` builds it, and takes a warning for an error."""

import importlib.util
import inspect
import re
from pathlib import Path

import pytest

import poinsot as po
from poinsot.model.joints import JOINTS

DOCS = Path(__file__).parents[1] / "docs"


def module(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / "site" / f"{name}.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_every_public_name_is_in_the_reference():
    text = "\n".join(page.read_text() for page in (DOCS / "api").glob("*.md"))
    named = set(re.findall(r"poinsot\.(\w+)", text))
    assert {*po.__all__} - named == set()
    assert {f"poinsot.control.{name}" for name in po.control.__all__} <= set(re.findall(r"poinsot\.control\.\w+", text))
    assert "autoclass:: poinsot.model.joints.JointMaking\n   :members:" in text


def documented():
    """Functions and classes whose arguments users give."""
    yield from ((f"System.{joint.kind}", getattr(po.System, joint.kind)) for joint in JOINTS)
    yield from ((f"System.{name}", getattr(po.System, name)) for name in ("body", "join"))
    for name in ("Spring", "TorsionSpring", "JointSpring", "JointDamper", "Stop", "Bushing", "Motor", "Force", "Torque", "UserForce"):
        yield name, getattr(po, name)
    for name in ("Distance", "Gear", "Lock", "Rolling", "KnifeEdge", "AxisConstraint", "VelocityRows", "Motion", "Servo", "Feedback"):
        yield name, getattr(po, name)
    for name in ("simulate", "compare", "sweep", "assemble", "jacobian", "follow", "workspace", "sample", "reduce", "dynamics"):
        yield name, getattr(po, name)
    for name in ("Box", "Cylinder", "Rod", "Sphere", "Disc", "Composite"):
        yield name, getattr(po, name)
    for name in ("step", "spline", "table"):
        yield f"signals.{name}", getattr(po.signals, name)
    for name in po.control.__all__:
        yield f"control.{name}", getattr(po.control, name)


@pytest.mark.parametrize("name, thing", [*documented()], ids=lambda value: value if isinstance(value, str) else "")
def test_docstrings_say_what_every_argument_is(name, thing):
    text = inspect.getdoc(thing)
    head, _, parameters = text.partition("Parameters\n----------\n")
    assert head.strip() and parameters, f"{name} has no section Parameters"
    listed = {word.strip(" *") for line in parameters.splitlines() if (entry := re.match(r"([\w*, ]+) :", line)) for word in entry[1].split(",")}
    wanted = {p.name for p in inspect.signature(thing).parameters.values() if p.name not in ("self", "system", "data", "follows")}
    assert wanted <= listed, f"{name}: {wanted - listed} not described"


def test_docstrings_are_rewritten_for_the_site():
    lines = ["What it is.", "", "Parameters", "----------", "a, b : in m", "    and more", "c : text : with a colon", "", "d : prose"]
    wanted = ["a, b", "    in m", "    and more", "c", "    text : with a colon", "", "d", "    prose"]
    assert module("docstrings").rewrite(lines) == [*lines[:4], *wanted]


def test_what_precedes_a_colon_in_a_property_is_no_type():
    """Napoleon takes it for one, and would put it below the rest of the sentence."""
    lines, text = [":type: Gap"], property(doc="Gap: |p - q|, m.")
    module("docstrings").as_written(None, "method", "gap", text, None, lines)
    assert lines == [":type: Gap"]
    module("docstrings").as_written(None, "property", "gap", text, None, lines)
    assert lines == ["Gap: \\|p - q\\|, m.", ""]


def test_the_gallery_has_every_example_with_a_title_and_a_picture(tmp_path):
    root, pictures = DOCS.parent, DOCS / "images" / "gallery"
    folder = Path(module("examples").prepare(root / "examples", pictures, tmp_path / "gallery"))
    for path in (root / "examples").glob("*.py"):
        text = (folder / path.name).read_text()
        compile(text, path.name, "exec")
        assert text.splitlines()[2] == "=" * len(text.splitlines()[1])
        assert f"images/gallery/{path.stem}.png" in text, f"{path.stem} has no picture: python docs/site/gallery_pictures.py"
        assert path.read_text().splitlines()[-1] == text.splitlines()[-1]


def test_pictures_of_the_joints_are_those_of_the_script(tmp_path, monkeypatch):
    pictures = module("joint_pictures")
    monkeypatch.setattr(pictures, "FOLDER", tmp_path)
    pictures.main()
    kept = {path.stem for path in (DOCS / "images" / "joints").glob("*.svg")}
    shown = re.findall(r"images/joints/(\w+)\.svg", (DOCS / "joints.md").read_text())
    assert {path.stem for path in tmp_path.iterdir()} == kept == {*shown} <= {joint.kind for joint in JOINTS} and len(shown) == 9
