"""One word for one thing: what is set is read by the same word, former words are refused with the present one, and old files load."""

import numpy as np
import pytest

import poinsot as po
from poinsot.files.models.read_write import read_text


def joints():
    """A cart on a ball, a slider, and a loose body: one joint with one coordinate, one ball, one with two numbers, one free."""
    s = po.System("joints", gravity=(0, 0, -9.81))
    bodies = [s.body(f"b{k}", po.Box(0.3, 0.2, 0.1, mass=1.0 + k), position=(k, 0, 0)) for k in range(4)]
    s.revolute(s.ground, bodies[0], at=(0, 0, 0), axis="y", name="hinge").set(angle=0.2, rate=1.5)
    s.spherical(bodies[0], bodies[1], at=(0.5, 0, 0), name="ball").set(rotation=((1, 2, 3), 0.7), rate=(0.4, -0.2, 0.9))
    s.cylindrical(bodies[1], bodies[2], at=(1.5, 0, 0), axis="x", name="tube").set(angle_rate=0.3, displacement_rate=-0.1)
    s.free(s.ground, bodies[3], name="loose").set(rotation=("z", 0.5), velocity=(1.0, 2.0, 3.0), angular_velocity_body=(0.1, 0.2, 0.3))
    return s


@pytest.fixture(scope="module")
def run():
    return po.simulate(joints(), 0.2, step=0.01, formulation="tree", integrator="gauss4")


def test_what_is_set_is_read_by_the_same_word(run):
    for name, values in joints().initial.items():
        for word, value in values.items():
            assert word == "rotation" or np.array(getattr(run[name.name], word)[0]) == pytest.approx(np.squeeze(value), abs=1e-14)
    assert run["loose"].rate == pytest.approx(np.hstack([run["loose"].velocity, run["loose"].angular_velocity_body]), abs=0)


def test_angular_velocity_of_a_joint_is_that_between_its_bodies(run):
    """In the axes of the first frame: from the world angular velocities of the two bodies."""
    seen = run["b1"].angular_velocity - run["b0"].angular_velocity
    first = np.einsum("nji,nj->ni", run["b0"].rotation, seen)  # b0 is drawn parallel to the world, so its axes are those of the joint's first frame
    assert run["ball"].angular_velocity == pytest.approx(first, abs=1e-12)
    assert run["loose"].angular_velocity == pytest.approx(run["b3"].angular_velocity, abs=1e-12)
    assert np.abs(run["ball"].angular_velocity - run["ball"].rate).max() > 0.1


def test_former_words_are_refused_with_the_present_one(run):
    s = joints()
    for joint, former, present in (("hinge", "angle_rate", "rate"), ("ball", "rotation_rate", "rate"), ("loose", "position_rate", "velocity"),
                                   ("loose", "rotation_rate", "angular_velocity_body")):  # fmt: skip
        with pytest.raises(po.ModelError, match=rf"cannot set '{former}'; .* it is called {present}="):
            s[joint].set(**{former: 1.0})
        with pytest.raises(AttributeError, match=f"has no result '{former}'; .*it is called '{present}'"):
            getattr(run[joint], former)
        with pytest.raises(po.SettingsError, match=rf"no result '{joint}\.{former}'; it is called '{joint}\.{present}'"):
            run.plot(f"{joint}.{former}")
        with pytest.raises(po.ModelError, match=rf"no parameter '{former}' to change; .*it is called '{joint}\.{present}'"):
            po.prepare(s, step=0.01).run(0.1, change={f"{joint}.{former}": 1.0})
    with pytest.raises(KeyError, match=r"did you mean 'hinge\.rate'"):
        po.assemble(s)["hinge.angle_rate"]
    with pytest.raises(po.ModelError, match="did you mean 'rate'"):
        s.add(po.Feedback(print, [s.add(po.Motor(s["hinge"]))], ["hinge.angle_rate"]))
    with pytest.raises(TypeError, match="motion: has no argument 'follows'; it takes coordinate, signal, name"):
        po.Motion(s["hinge"].angle, follows=np.sin)


OLD = """\
poinsot: 1
system: old
gravity: none
bodies:
- body: a
  box: {x: 1, y: 1, z: 1, mass: 1}
- body: b
  box: {x: 1, y: 1, z: 1, mass: 1}
- body: c
  box: {x: 1, y: 1, z: 1, mass: 1}
joints:
- {revolute: hinge, first: ground, second: a, at: [0, 0, 0], axis: y}
- {spherical: ball, first: a, second: b, at: [0, 0, 0]}
- {prismatic: slide, first: b, second: c, at: [0, 0, 0], axis: x}
drives:
- {motion: m, coordinate: slide.displacement, follows: sin(3*t)}
initial:
  hinge: {angle_rate: 2.0}
  ball: {rotation_rate: [1, 2, 3]}
"""


def test_files_with_former_words_load_and_are_written_with_the_present_ones():
    s = read_text(OLD)
    assert s.initial[s["hinge"]] == {"rate": (2.0,)} and s.initial[s["ball"]] == {"rate": (1.0, 2.0, 3.0)}
    assert s["m"].signal.at(0.5)[0] == pytest.approx(np.sin(1.5))
    again = s.to_yaml()
    assert "signal: \"sin(" in again and "hinge: {rate: 2.0}" in again and "follows" not in again and "_rate" not in again
    with pytest.raises(po.ModelError, match="motion 'm': has no 'follows'"):
        read_text(OLD.replace("follows: sin(3*t)", "follows: sin(3*t), signal: t"))
