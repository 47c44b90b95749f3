"""Tables for engineers: names, magnitudes, reactions along the axes of joints, summaries, files for spreadsheets."""

import subprocess
import sys

import numpy as np
import pandas
import pytest

import poinsot as po
from mechanisms import geared_pair, loaded_four_bar, screw_press, spring_chain
from poinsot.results.columns import without_residue
from poinsot.results.quantities import Quantity, names, quantity
from poinsot.results.summary import over_time
from systems import pendulum

TILT, MASS, ARM, SPEED = 0.6, 3.0, 0.4, 7.0


def rotor(gravity, axis, arm, rate):
    s = po.System("rotor", gravity=gravity)
    body = s.body("body", po.Sphere(0.1, mass=MASS), position=arm)
    s.revolute(s.ground, body, at=(0, 0, 0), axis=axis, name="hinge").set(rate=rate)
    return po.simulate(s, 1.0, step=0.01)


@pytest.fixture(scope="module")
def spun():
    """A mass on an arm that turns about x without gravity: it is pulled inwards by m w^2 r."""
    return rotor(None, "x", (0.2, ARM, 0), SPEED)


def test_reactions_in_the_frame_of_the_joint(spun):
    hinge, pull = spun["hinge"], MASS * SPEED**2 * ARM
    assert hinge.radial_force == pytest.approx(pull, rel=1e-12) and np.abs(hinge.axial_force).max() < 1e-10
    assert hinge.force_body == pytest.approx(np.tile([0, -pull, 0], (len(spun), 1)), abs=1e-9)
    assert np.ptp(hinge.force[:, 1]) > pull
    assert hinge.torque_body == pytest.approx(np.tile([0, 0, -0.2 * pull], (len(spun), 1)), abs=1e-9)  # (0.2, r, 0) x (0, -pull, 0)
    assert hinge.radial_torque == pytest.approx(0.2 * pull, rel=1e-12) and np.abs(hinge.axial_torque).max() < 1e-10


def test_a_body_at_rest_on_a_tilted_axis():
    """It hangs below its axis; the joint carries the weight, part of it along the axis."""
    axis = np.array([np.sin(TILT), 0.0, np.cos(TILT)])
    down = np.cos(TILT) * axis - np.array([0, 0, 1.0])
    hinge = rotor((0, 0, -9.81), axis, ARM * down / np.linalg.norm(down), 0.0)["hinge"]
    assert hinge.axial_force == pytest.approx(MASS * 9.81 * np.cos(TILT), rel=1e-9)
    assert hinge.radial_force == pytest.approx(MASS * 9.81 * np.sin(TILT), rel=1e-9)


def test_axes_as_seen_from_the_first_body():
    """Of moving joints of several kinds: along the axis carried by the first body, in the world."""
    runs = [po.simulate(make(), 0.1, step=0.01) for make in (spring_chain, screw_press)]
    seen = 0
    for run, joint in [(one, joint) for one in runs for joint in one.system.joints]:
        axes = dict(joint.axes())
        if "axis" not in axes or "axis2" in axes:
            with pytest.raises(AttributeError, match="has no result 'axial_force': it has (two axes|no axis); use force_body"):
                run[joint].axial_force  # noqa: B018
            assert f"{joint.name}.axial_force" not in run.names() and "axial_force" not in dir(run[joint])
            continue
        drawn = quaternion_matrix(joint.first.rotation)
        axis = run[joint.first.name].rotation @ drawn.T @ np.array(axes["axis"])
        for what in ("force", "torque"):
            vector = getattr(run[joint], what)
            along = np.sum(vector * axis, axis=1)
            size = np.abs(vector).max() + 1.0
            assert getattr(run[joint], f"axial_{what}") == pytest.approx(along, abs=1e-8 * size)
            assert getattr(run[joint], f"radial_{what}") ** 2 + along**2 == pytest.approx(np.sum(vector**2, axis=1), abs=1e-8 * size**2)
            assert np.sum(getattr(run[joint], f"{what}_body") ** 2, axis=1) == pytest.approx(np.sum(vector**2, axis=1), rel=1e-9, abs=1e-12)
        seen += 1
    assert seen >= 2


def quaternion_matrix(q):
    w, x, y, z = q
    return np.array(
        [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    )  # fmt: skip


def test_names_have_the_shapes_of_their_values():
    for make in (spring_chain, loaded_four_bar, geared_pair, pendulum):
        run = po.simulate(make(), 0.02, step=0.01)
        found = run.names()
        assert list(found) == names(run) and len(found.table) == len(found) > 20
        for one in found.table:
            whole = quantity(run, one.name)
            assert (whole.values.shape[1:], whole.unit) == (one.shape, one.unit), one.name
        lines = repr(found).splitlines()
        assert lines[0].split() == ["result", "unit", "shape", "meaning"] and lines[-1] == f"{len(found)} results at 3 times"
        body = run.system.bodies[0]
        assert list(found[body]) == list(found[body.name]) == [name for name in found if name.startswith(f"{body.name}.")]
        assert found[0] == "energy" and found[-2:] == list(found)[-2:]
        with pytest.raises(po.SettingsError, match=f"no results of '{body.name}x'; did you mean '{body.name}'"):
            found[body.name + "x"]


def test_magnitudes_and_degrees(spun):
    assert quantity(spun, "hinge.force.norm").values == pytest.approx(MASS * SPEED**2 * ARM, rel=1e-12)
    turned = quantity(spun, "hinge.angle").in_degrees()
    assert turned.unit == "deg" and turned.values[-1] == pytest.approx(np.degrees(SPEED)) and quantity(spun, "energy").in_degrees().unit == "J"
    for name, words in (("energy.norm", "it is a single number"), ("body.quaternion.norm", "it is not a vector"), ("hinge.force.nrm", "and norm")):
        with pytest.raises(po.SettingsError, match=words):
            quantity(spun, name)


def test_plots_over_another_result(spun):
    figure = spun.plot("hinge.force.norm", ("hinge.force.y", "hinge.force.z"), over="hinge.angle", degrees=True)
    top, bottom = figure.axes
    assert bottom.get_xlabel() == "angle of hinge [deg]" and top.get_ylabel().replace("\n", " ") == "magnitude of reaction force in hinge [N]"
    assert top.lines[0].get_xdata() == pytest.approx(np.degrees(SPEED * spun.t)) and len(bottom.lines) == 2
    assert bottom.lines[0].get_ydata() == pytest.approx(spun["hinge"].force[:, 1])
    assert spun.plot(degrees=True).axes[2].get_ylabel().endswith("[deg]")
    for arguments, words in (
        ({"over": "hinge.angel"}, "did you mean hinge.angle"), ({"over": "body.position"}, "over must be a single number, .* body.position.x"),
        ({"over": 3}, "over must be a text"), ({"degrees": 1}, "degrees must be True or False"),
    ):  # fmt: skip
        with pytest.raises(po.SettingsError, match=words):
            spun.plot("energy", **arguments)
    with pytest.raises(po.SettingsError, match="name the results to draw over 'hinge.angle'"):
        spun.plot(over="hinge.angle")
    with pytest.raises(TypeError, match="did you mean over="):
        spun.plot("energy", ovr="t")


def test_means_over_uneven_times():
    t = np.sort(np.concatenate([[0, 3], np.random.default_rng(1).uniform(0, 3, 4000) ** 2 / 3]))
    assert over_time(t, t**2) == pytest.approx(3.0, rel=1e-5) and over_time(t, np.sin(t) ** 2) == pytest.approx(0.5 - np.sin(6) / 12, rel=1e-5)
    assert abs(np.mean(t**2) - 3.0) > 0.5
    assert over_time(np.array([2.0]), np.array([7.0])) == 7.0


def test_summary(spun):
    table = spun.summary("hinge.angle", "hinge.force", "hinge.force.norm", "hinge.axial_force")
    angle, across = table["hinge.angle"], table["hinge.force.y"]
    pull = MASS * SPEED**2 * ARM
    assert (angle.smallest, angle.t_smallest, angle.t_largest, angle.unit) == (0.0, 0.0, 1.0, "rad")
    assert [angle.largest, angle.mean, angle.rms] == pytest.approx([SPEED, SPEED / 2, SPEED / np.sqrt(3)], rel=1e-4)
    assert across.t_smallest == 0.0 and across.t_largest == pytest.approx(np.pi / SPEED, abs=0.01) and across.peak == pytest.approx(pull)
    assert table["hinge.force.norm"].rms == pytest.approx(pull) and table["hinge.axial_force"].peak == 0.0
    assert spun.summary("hinge.angle", degrees=True)["hinge.angle"].largest == pytest.approx(np.degrees(SPEED))
    frame = table.to_dataframe()
    assert frame.loc["hinge.angle", "rms"] == angle.rms and list(frame.index) == [line.name for line in table] and len(table) == 6
    assert "hinge.force.norm   N" in repr(table) and table.to_dict()["hinge.angle"]["unit"] == "rad"
    assert {"hinge.angle", "hinge.rate", "hinge.force.norm", "hinge.torque.norm", "energy"} <= set(spun.summary().to_dict())
    with pytest.raises(po.SettingsError, match="did you mean 'hinge.angle'"):
        table["hinge.angel"]
    with pytest.raises(po.SettingsError, match="did you mean hinge.angle"):
        spun.summary("hinge.angel")


def test_reactions_that_are_not_unique_are_named():
    table = po.simulate(loaded_four_bar(), 0.02, step=0.01).summary("*.force", "*.angle", "*.axial_force", "energy")
    joints = {name.split(".")[0] for name in table.ambiguous}
    assert joints and len(table.ambiguous) == 4 * len(joints) and not any("angle" in name for name in table.ambiguous)
    assert repr(table).splitlines()[-1].startswith("Not unique, because constraints are redundant: ") and "<p>Not unique" in table._repr_html_()


def test_files_for_spreadsheets(spun, tmp_path):
    residue = np.abs(spun["hinge"].force[:, 0]).max()
    wanted = ["hinge.angle", "hinge.force", "hinge.*_torque", "energy"]
    torques = ["hinge.axial_torque [N m]", "hinge.radial_torque [N m]"]
    header = ["t [s]", "hinge.angle [rad]", *(f"hinge.force.{c} [N]" for c in "xyz"), *torques, "energy [J]"]
    text = pandas.read_csv(spun.to_csv(tmp_path / "x.csv", *wanted), dtype=str).astype(float)
    sheets = pandas.read_excel(spun.to_excel(tmp_path / "x.xlsx", *wanted), sheet_name=None)
    for table in (text, sheets["results"]):
        assert list(table) == header and len(table) == len(spun)
        assert table["hinge.angle [rad]"].to_numpy() == pytest.approx(spun["hinge"].angle, rel=1e-15, abs=0)  # .xlsx has 16 digits
        assert table["hinge.force.y [N]"].to_numpy() == pytest.approx(spun["hinge"].force[:, 1], abs=1e-12 * MASS * SPEED**2)
        assert residue < 1e-10 and not table["hinge.force.x [N]"].any() and not table["hinge.axial_torque [N m]"].any()
    assert np.array_equal(text["t [s]"], spun.t) and np.array_equal(text["hinge.angle [rad]"], spun["hinge"].angle)  # .csv has all
    assert sheets["summary"].loc[0, "largest"] == pytest.approx(SPEED) and "cost" in sheets["audit"].to_numpy()
    kept = pandas.read_csv(spun.to_csv(tmp_path / "kept.csv", "hinge.force", degrees=True, keep_residue=True), dtype=str).astype(float)
    assert np.array_equal(kept["hinge.force.x [N]"], spun["hinge"].force[:, 0])
    assert "hinge.angle [deg]" in pandas.read_csv(spun.to_csv(tmp_path / "usual.csv", degrees=True))
    for call, words in (
        (lambda: spun.to_csv(tmp_path / "x.txt"), r"must be a \.csv file"), (lambda: spun.to_excel(tmp_path / "x.xls"), r"must be an \.xlsx file"),
        (lambda: spun.to_csv(tmp_path / "x.csv", "hinge.forc"), "did you mean hinge.force"),
        (lambda: spun.to_csv(tmp_path / "x.csv", "knee.*"), "no result of this run matches 'knee"),
        (lambda: spun.to_csv(tmp_path / "x.csv", 3), "selected by its name"), (lambda: spun.to_csv(3), "path must be the path of a file"),
    ):  # fmt: skip
        with pytest.raises(po.SettingsError, match=words):
            call()


def test_residue_of_a_component_is_compared_with_its_vector():
    whole = Quantity("j.force", np.arange(2.0), np.array([[1e-15, 500.0], [3e-16, 400.0]]), ("x", "z"), "N", "force")
    x, z = (without_residue(part.values, part.magnitude) for part in whole.parts())
    assert not x.any() and z.tolist() == [500.0, 400.0]


def test_formulas_in_names_are_text(tmp_path):
    s = po.System("=1+1", gravity=(0, 0, -9.81))
    s.revolute(s.ground, s.body("=cmd()", po.Sphere(0.1, mass=1.0), position=(1, 0, 0)), at=(0, 0, 0), axis="y", name="=SUM(A1)")
    import openpyxl

    sheet = openpyxl.load_workbook(po.simulate(s, 0.02, step=0.01).to_excel(tmp_path / "x.xlsx"))["results"]
    headings = {cell.value: cell.data_type for cell in sheet[1]}
    assert headings["=SUM(A1).angle [rad]"] == headings["=cmd().position.x [m]"] == "s"


def test_elements_views_and_tables_are_short(spun):
    s = spun.system
    assert repr(s["hinge"]) == "<Revolute 'hinge': ground to body, about x at (0, 0, 0)>"
    assert repr(s["body"]) == "<Body 'body': 3 kg, at (0.2, 0.4, 0)>"
    spring = po.Spring(s["body"], s.ground, at=((0.2, 0.4, 0), (0, 0, 1)), stiffness=10.0, length=1.0)
    assert repr(spring) == "<Spring: body to ground, stiffness 10, damping 0, length 1>"
    assert repr(spun["hinge"]).startswith("<results of revolute 'hinge': angle, ") and "rate" in repr(spun["hinge"])
    assert "position" in repr(spun["body"]) and repr(po.Motor(s["hinge"], 2.0, name="m")) == "<Motor 'm': hinge, law 2>"
    assert repr(po.Motor.__new__(po.Motor)) == "<Motor>"


def test_notebooks_show_tables_with_escaped_names():
    s = po.System("<script>", gravity=(0, 0, -9.81))
    s.revolute(s.ground, s.body("<b>", po.Sphere(0.1, mass=1.0), position=(1, 0, 0)), at=(0, 0, 0), axis="y", name="<i>")
    run = po.simulate(s, 0.02, step=0.01)
    for shown in (run.audit, s.check(), run.names(), run.summary()):
        html = shown._repr_html_()
        assert html.startswith("<table>") and "<script>" not in html and "<b>" not in html and "<i>" not in html
    assert repr(run.audit) == str(run.audit)
    assert "&lt;script&gt;" in run.audit._repr_html_() and "<td" in s.check()._repr_html_() and ">cost<" in run.audit._repr_html_()


def test_python_m_poinsot():
    found = subprocess.run([sys.executable, "-m", "poinsot", "--version"], capture_output=True, text=True, check=True)
    assert found.stdout == f"poinsot {po.__version__}\n"
