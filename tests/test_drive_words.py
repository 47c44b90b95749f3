"""Faults of drives are reported before they run."""

import re

import numpy as np
import pytest

import poinsot as po
from test_drives import WAVE, arm, cart_pole, pendulum


def says(error, *words):
    """A context that expects an error with all these words."""
    return pytest.raises(error, match="(?s)" + "".join(f"(?=.*{re.escape(word)})" for word in words))


def driven(*drives):
    """The two-link arm with what is added to it; motors of both joints are given."""
    s, shoulder, elbow = arm()
    for drive in drives:
        s.add(drive(s, shoulder, elbow))
    return s


def servo(outputs, target, joints, name="servo", **law):
    def make(s, shoulder, elbow):
        motors = [s.add(po.Motor({"shoulder": shoulder, "elbow": elbow}[joint], **law)) for joint in joints]
        return po.Servo([{"shoulder": shoulder, "elbow": elbow}[o].angle for o in outputs], target, motors, name=name)

    return make


def run(s, **settings):
    return po.simulate(s, 0.1, **{"step": 0.02, **settings})


def test_outputs_start_on_their_signals():
    with says(po.AssemblyError, "servo 'servo'", "elbow.angle is 0 ", "its signal 0.1", "po.assemble"):
        run(driven(servo(["elbow"], lambda t: 0.1, ["elbow"])))
    with says(po.AssemblyError, "elbow.angle is 0 per s", "its signal 2 per s"):
        run(driven(servo(["elbow"], po.Signal(lambda t: 2 * t, lambda t: 2.0, lambda t: 0.0), ["elbow"])))
    s, bar, _, _, _ = pendulum()
    s.add(po.Motion(bar.at((0, 0, -0.5)).y, lambda t: 0.2, name="aside"))
    with says(po.AssemblyError, "motion 'aside'", "bar(0.0, 0.0, -0.5).y is 0 ", "0.2"):
        run(s)


def test_motions_of_joints_bring_their_start_with_them_unless_something_else_was_set():
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, lambda t: 0.2 + t))
    assert run(s)["hinge"].angle[0] == pytest.approx(0.2) and run(s)["hinge"].rate[0] == pytest.approx(1.0)
    hinge.set(angle=0.3)
    with says(po.ModelError, "revolute 'hinge' was set to angle = 0.3", "starts at 0.2"):
        run(s)


def test_sizes():
    with says(po.ModelError, "2 outputs and 1 input;", "its signal has 1 number for 2 coordinates"):
        run(driven(servo(["elbow", "shoulder"], lambda t: 0.0, ["elbow"])))
    with says(po.ModelError, "its signal has 2 numbers for 1 coordinate"):
        run(driven(servo(["elbow"], lambda t: (0.0, 0.0), ["elbow"])))


def test_motors_with_and_without_law():
    with says(po.ModelError, "its input motor 'motor1' has a law"):
        run(driven(servo(["elbow"], WAVE, ["elbow"], law=2.0)))
    s, rail = cart_pole()
    s.add(po.Motor(rail, name="idle"))
    with says(po.ModelError, "motor 'idle': has no law", "po.Servo"):
        run(s)
    s, rail = cart_pole()
    s.add(po.Motor(rail, torque=1.0))
    with says(po.ModelError, "prismatic 'rail' slides there; give force= (N), not torque="):
        run(s)
    s, rail = cart_pole()
    s.add(po.Motor(s["pivot"], force=1.0))
    with says(po.ModelError, "revolute 'pivot' turns there; give torque= (N m), not force="):
        run(s)
    with says(po.ModelError, "give one law"):
        po.Motor(rail, 1.0, force=2.0)


def test_inputs_are_motors_of_this_system():
    s, shoulder, elbow = arm()
    with says(po.ModelError, "inputs must be motors without a law"):
        s.add(po.Servo([elbow.angle], WAVE, [elbow]))
    s.add(po.Servo([elbow.angle], WAVE, [po.Motor(elbow, name="loose")]))
    with says(po.ModelError, "motor 'loose' is not part of this system; add it first"):
        run(s)
    s, shoulder, elbow = arm()
    s.add(po.Motion(arm()[1].angle, WAVE))
    with says(po.ModelError, "shoulder.angle belongs to another system"):
        run(s)


def test_coordinates_and_signals():
    for wrong, words in ((lambda s, a, b: b, "revolute 'elbow' is not a coordinate"), (lambda s, a, b: 3.0, "3.0 is not a coordinate")):
        with says(po.ModelError, words) as found:
            run(driven(lambda s, a, b, wrong=wrong: po.Motion(wrong(s, a, b), WAVE)))
        assert len(found.value.faults) == 1
    with says(po.ModelError, "must follow a po.Signal or a function of time, not 0.3"):
        driven(lambda s, a, b: po.Motion(a.angle, 0.3))
    s, bar, _, _, _ = pendulum()
    s.add(po.Motion(bar.angle, WAVE))
    with says(po.ModelError, "bar.angle", "in planar systems only"):
        run(s)
    s = po.System("ball", gravity=None)
    s.add(po.Motion(po.model.coordinate.Coordinate(s.spherical(s.ground, s.body("b", po.Sphere(0.1, mass=1)), at=(0, 0, 1)), "rotation"), WAVE))
    with says(po.ModelError, "is not a scalar coordinate of spherical"):
        run(s)


def test_nothing_is_driven_twice():
    once = servo(["elbow"], WAVE, ["elbow"], name="once")
    with says(po.ModelError, "motion 'again': elbow.angle is already prescribed by servo 'once'; prescribe it once"):
        run(driven(once, lambda s, a, b: po.Motion(b.angle, WAVE, name="again")))
    with says(po.ModelError, "servo 'again': motor 'motor1' is already an input of servo 'once'"):
        run(driven(once, lambda s, a, b: po.Servo([a.angle], WAVE, [s["motor1"]], name="again")))
    with says(po.ModelError, "servo 'servo': elbow.angle is already prescribed by servo 'servo'; prescribe it once"):
        run(driven(servo(["elbow", "elbow"], lambda t: (0.0, 0.0), ["elbow", "shoulder"])))


def test_inputs_without_grip():
    s, rail = cart_pole()
    apart = s.body("apart", po.Sphere(0.1, mass=1.0))
    slide = s.prismatic(s.ground, apart, axis="x", name="slide")
    s.add(po.Servo([slide.displacement], WAVE, [s.add(po.Motor(rail))], name="deaf"))
    with says(po.RunError, "at t = 0 s", "the inputs do not control the outputs of deaf", "singular output-input matrix"):
        run(s)


def test_targets_out_of_reach():
    s, shoulder, elbow = arm()
    tip = s["lower"].end
    motors = [s.add(po.Motor(joint)) for joint in (shoulder, elbow)]
    far = po.signals.step(0, 1, (1.2, 0.4), begin=tip.world[:2])
    s.add(po.Servo([tip.x, tip.y], far, motors, name="reach"))
    with says(po.ConvergenceError, "reach may prescribe what is out of reach") as found:
        po.simulate(s, 1.0, step=0.02)
    place = found.value.trajectory["lower"].point(tip.position)[-1]
    assert 0.88 < np.linalg.norm(place) < 0.9  # almost stretched


@pytest.mark.parametrize("above", [-1e-2, 0.0, 1e-2])
def test_the_centre_of_percussion_of_a_crane_has_no_grip(above):
    """A push at the trolley turns rope and load about this point of the load, and so does not accelerate it."""
    s = po.System("crane", plane="xz", gravity=(0, -9.81))
    trolley = s.body("trolley", mass=10.0, inertia=1.0, position=(0, 0))
    rope = s.body("rope", mass=0.1, inertia=0.001, position=(0, 0))
    load = s.body("load", mass=5.0, inertia=0.5, position=(0, -2))
    rail = s.prismatic(s.ground, trolley, axis="x", at=(0, 0), name="rail")
    s.revolute(trolley, rope, at=(0, 0))
    winch = s.prismatic(rope, load, axis="z", at=(0, -2), name="winch")
    point = load.at((0, above - (0.001 + 0.5) / (5.0 * 2.0)))
    place = point.world
    motors = [s.add(po.Motor(joint)) for joint in (rail, winch)]
    s.add(po.Servo([point.x, point.z], lambda t: (1e-3 * t**3, place[2]), motors))
    if above == 0.0:
        with says(po.RunError, "singular output-input matrix"):
            run(s)
    else:
        assert run(s).audit.energy_drift < 1e-12


def test_jumps():
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, po.signals.table([0, 1, 2], [0, 1, 0]), name="zigzag"))
    with says(po.ModelError, "motion 'zigzag': its signal jumps in rate", "po.signals.spline"):
        po.simulate(s, 1.5, step=0.02)
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, po.signals.Polynomials([0, 1, 2], [[0.0], [1.0]]), name="leap"))
    with says(po.ModelError, "motion 'leap': its signal jumps in value"):
        po.simulate(s, 1.5, step=0.02)
    s, _, hinge, inertia, moment = pendulum()
    parabolas = po.signals.Polynomials([0, 1, 2], [[0.0, 0.0, 1.0], [1.0, 2.0, -1.0]])
    s.add(po.Motion(hinge.angle, parabolas, name="parabolas"))
    with pytest.warns(po.DriveWarning, match="motion 'parabolas': its signal jumps in acceleration"):
        result = po.simulate(s, 2.0, step=0.02)
    with pytest.warns(po.DriveWarning) as found:
        po.simulate(s, 1.0, step=0.02)
    assert found[0].filename == __file__
    angle, _, acceleration = np.array([parabolas.at(t)[:, 0] for t in result.t]).T
    inside = np.abs(result.t - 1.0) > 1e-9
    torque = inertia * acceleration + 9.81 * moment * np.sin(angle)
    assert result["parabolas"].effort[inside] == pytest.approx(torque[inside], abs=1e-10)
    assert result.audit.energy_drift < 1e-12


def test_pieces_count_while_the_run_lasts():
    """A signal of pieces may start in motion, and jump after the run."""
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, po.signals.table([0, 1, 2], [0, 1, 0])))
    assert run(s)["hinge"].rate == pytest.approx(1.0, abs=1e-13)
    with says(po.ModelError, "jumps in rate"):
        po.simulate(s, 1.0, step=0.02)


def test_check_says_what_follows():
    s = driven(servo(["elbow", "shoulder"], lambda t: (0, 0), ["elbow", "shoulder"]))
    assert "Servo 'servo': elbow.angle, shoulder.angle follow a signal by motor1, motor2." in str(s.check())
    s = driven(lambda s, a, b: po.Motion(s["lower"].end.x, WAVE, name="push"))
    assert "Motion 'push': lower.end.x follows a signal." in str(s.check())
    for point, words in (((0, 0), "lower"), ((0.125, 0.05), "lower.at((0.125, 0.05))")):
        s = driven(lambda s, a, b, point=point: po.Motion(s["lower"].at(point).y, WAVE, name="push"))
        assert f"Motion 'push': {words}.y follows a signal." in str(s.check())


def test_settings_that_do_not_fit():
    s = driven(lambda s, a, b: po.Motion(b.angle, WAVE, name="motion"))
    with says(po.SettingsError, "motion 'motion'", "energy-momentum-6"):
        run(s, integrator="energy-momentum-4")
    for formulation in ("tree:momentum", "moving-frame"):
        with says(po.FormulationError, f"which '{formulation}' does not support; 'directors' does"):
            run(s, formulation=formulation)
    with says(po.FormulationError, "motion 'motion' prescribes accelerations"):
        po.dynamics(s, "directors").acceleration()


def test_functions_that_fail():
    def fails(t):
        if t > 0.05:
            raise ZeroDivisionError("no more")
        return 0.0

    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, fails, name="motion"))
    with pytest.raises(ZeroDivisionError) as found:
        run(s)
    assert "raised by the function of motion 'motion'" in found.value.__notes__[0] and len(found.value.trajectory.t) >= 2
    s, _, hinge, _, _ = pendulum()
    s.add(po.Motion(hinge.angle, lambda t: np.nan if t > 0.05 else 0.0, name="motion"))
    with says(po.CallbackError, "motion 'motion' returned a number that is not finite"):
        run(s)
