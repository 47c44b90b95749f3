"""FMUs: valid by FMPy, and simulated by it the same motion as in a run with the same inputs."""

import sys

import numpy as np
import pytest
from typer.testing import CliRunner

import poinsot as po
from poinsot.cli import app

fmpy = pytest.importorskip("fmpy")
pytest.importorskip("pythonfmu3")

from fmpy.validation import validate_fmu  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
STEP = 0.02


def crank():
    s = po.System("crank", gravity=(0, 0, -9.81))
    rod = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, -1)))
    hinge = s.revolute(s.ground, rod, at=(0, 0, 0), axis="y", name="hinge")
    s.add(po.TorsionSpring(hinge, stiffness=5.0, name="spring"))
    s.add(po.Motor(hinge, torque=0.0, name="motor"))
    s.add(po.Force(rod, (0, 0, 0), name="wind"))
    hinge.set(angle=0.3)
    return s


def four_bar():
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    places = ((0, 0, 0), (0, 0, 1), (2, 0, 1.5), (2, 0, 0))
    bars = [s.body(name, po.Rod(radius=0.02, mass=1.0), between=ends) for name, ends in zip(("a", "b", "c"), zip(places, places[1:]))]
    bodies = [s.ground, *bars, s.ground]
    for k, (first, second) in enumerate(zip(bodies, bodies[1:])):
        s.revolute(first, second, at=places[k], axis="y", name=f"j{k}")
    s.add(po.Motor(s["j0"], torque=0.0, name="motor"))
    return s


def held(values):
    """The sampled input of an FMU as a function of time."""
    return lambda t: float(values[min(int(t / STEP + 1e-9), len(values) - 1)])


def signals(**columns):
    n = len(next(iter(columns.values())))
    return np.array(list(zip(np.arange(n) * STEP, *columns.values())), dtype=[("time", float), *((name, float) for name in columns)])


def simulated(path, duration, inputs=None, **options):
    return fmpy.simulate_fmu(str(path), stop_time=duration, step_size=STEP, output_interval=STEP, input=inputs, **options)


def test_the_same_motion_as_a_run(tmp_path):
    path = po.write_fmu(crank(), tmp_path / "crank.fmu", inputs=["motor", "wind"], outputs=["hinge.angle", "rod.position", "energy"], step=0.01)
    assert validate_fmu(str(path)) == []
    rng = np.random.default_rng(1)
    torque, force = rng.normal(size=51), rng.normal(size=51)
    found = simulated(path, 1.0, signals(motor=torque, **{"wind.x": force}))
    same = po.System("same", gravity=(0, 0, -9.81))
    rod = same.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, -1)))
    hinge = same.revolute(same.ground, rod, at=(0, 0, 0), axis="y", name="hinge")
    same.add(po.TorsionSpring(hinge, stiffness=5.0))
    hinge.set(angle=0.3)
    push = held(force)
    same.add(po.Motor(hinge, held(torque)))
    same.add(po.Force(rod, lambda t: (push(t), 0.0, 0.0)))
    run = po.simulate(same, 1.0, step=0.01, output_step=STEP, formulation="tree", integrator="gauss4")
    assert np.allclose(found["time"], run.t, atol=1e-12)
    assert np.abs(found["hinge.angle"] - run["hinge"].angle).max() < 1e-12
    assert np.abs(found["rod.position.x"] - run["rod"].position[:, 0]).max() < 1e-12
    assert np.ptp(found["hinge.angle"]) > 0.1


def test_a_closed_system(tmp_path):
    path = po.write_fmu(four_bar(), tmp_path / "bar.fmu", outputs=["j0.angle", "j2.angle"], rtol=1e-10, atol=1e-10)
    assert validate_fmu(str(path)) == []
    torque = np.linspace(0, 3, 26)
    found = simulated(path, 0.5, signals(motor=torque))
    same = four_bar()
    same.loads.clear()
    same.by_name.pop("motor")
    same.add(po.Motor(same["j0"], held(torque)))
    run = po.simulate(same, 0.5, step=0.001, output_step=STEP)
    assert np.abs(found["j2.angle"] - run["j2"].angle).max() < 1e-8 and np.ptp(found["j0.angle"]) > 0.05


def test_parameters_and_the_start_time(tmp_path):
    given = {"spring.stiffness": 7.0, "rod.mass": 2.0, "initial.hinge.angle": 0.5, "gravity[2]": -3.0}
    keys = [name.removeprefix("initial.") for name in given]
    path = po.write_fmu(crank(), tmp_path / "my crank-2.fmu", parameters=keys, step=STEP)
    assert validate_fmu(str(path)) == []
    described = {one.name: one for one in fmpy.read_model_description(str(path)).modelVariables}
    assert (described["spring.stiffness"].variability, described["rod.mass"].variability) == ("tunable", "fixed")
    assert float(described["initial.hinge.angle"].start) == 0.3 and float(described["gravity[2]"].start) == -9.81
    found = fmpy.simulate_fmu(str(path), start_time=1.0, stop_time=1.4, step_size=STEP, output_interval=STEP, start_values=given)
    run = po.prepare(crank(), step=STEP).run(0.4, change={name.removeprefix("initial."): value for name, value in given.items()})
    assert found["time"][0] == 1.0 and np.abs(found["hinge.angle"] - run["hinge"].angle).max() < 1e-12
    assert found["hinge.angle"][0] == 0.5 and found["hinge.rate"][-1] == pytest.approx(run["hinge"].rate[-1], abs=1e-12)


def test_steps_divide_communication_steps(tmp_path):
    path = po.write_fmu(crank(), tmp_path / "crank.fmu", outputs=["hinge.angle"], step=0.013)
    found = simulated(path, 0.4)
    run = po.simulate(crank(), 0.4, step=0.01, output_step=STEP)
    assert np.abs(found["hinge.angle"] - run["hinge"].angle).max() < 1e-12


def test_it_says_what_cannot_be(tmp_path, monkeypatch):
    s = crank()
    path = tmp_path / "x.fmu"
    wrong = {
        "no element 'moter'": {"inputs": ["moter"]},
        "revolute 'hinge' is not a motor, force or torque": {"inputs": ["hinge"]},
        "this run has no result 'hinge.angel'": {"outputs": ["hinge.angel"]},
        "has no parameter 'stifness'": {"parameters": ["spring.stifness"]},
        "rod.com is not one number": {"parameters": ["rod.com"]},
        "would be called 'motor'": {"inputs": ["motor", "motor"]},
    }
    for words, given in wrong.items():
        with pytest.raises((po.ModelError, po.SettingsError)) as error:
            po.write_fmu(s, path, **given)
        assert words in str(error.value)
    with pytest.raises(po.SettingsError, match="ends in .fmu"):
        po.write_fmu(s, tmp_path / "x.zip")
    other = crank()
    other.add(po.Motor(other["hinge"], lambda t: np.sin(t), name="waving"))
    with pytest.raises(po.ModelError, match="uses functions of yours"):
        po.write_fmu(other, path)
    monkeypatch.setitem(sys.modules, "pythonfmu3", None)
    with pytest.raises(po.ModelError, match=r"pip install 'poinsot\[fmu\]'"):
        po.write_fmu(s, path)
    assert not path.exists()


def test_a_wrong_time_or_value_stops_it(tmp_path):
    from poinsot.files.fmu.stepping import Stepping

    stepping = Stepping(crank(), {"step": 0.01}, {"motor.law": 0.0})
    stepping.advance(0.0, STEP)
    with pytest.raises(po.SettingsError, match="is at t = 0.02 s and cannot step from 0.01 s"):
        stepping.advance(0.01, STEP)
    stepping.set("motor.law", float("nan"))
    with pytest.raises(po.ModelError):
        stepping.advance(STEP, STEP)


def test_from_a_shell(tmp_path):
    model = tmp_path / "crank.yaml"
    crank().to_yaml(model)
    made = CliRunner().invoke(app, ["fmu", str(model), "--result", "hinge.angle", "--parameter", "rod.mass", "--step", "0.01"])
    assert made.exit_code == 0, made.output
    assert validate_fmu(str(tmp_path / "crank.fmu")) == []
    wrong = CliRunner().invoke(app, ["fmu", str(model), "-o", str(tmp_path / "crank.zip")])
    assert wrong.exit_code == 2 and "ends in .fmu" in wrong.output
