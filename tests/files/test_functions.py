"""Files name functions but do not contain them: placeholders, fingerprints, and differences between two models."""

import functools
import math

import pytest
from file_models import feedback, path, planar, spatial, swing, torque_of_time, two_columns

import poinsot as po
from poinsot.files.models.functions import file_names, fingerprint
from poinsot.files.models.read_write import differences, function_references, read_text, same_model
from poinsot.layout.freeze import freeze
from poinsot.model.missing import MissingFunction
from systems import chain


def hinged(law=torque_of_time, **arguments):
    s = po.System("hinged", gravity=None)
    body = s.body("body", po.Sphere(0.1, mass=1.0))
    hinge = s.revolute(s.ground, body, at=(0, 0, 0), axis="z", name="hinge")
    s.add(po.Motor(hinge, law, name="motor", **arguments))
    return s


def test_without_its_functions_a_system_is_looked_at_but_not_run():
    s = read_text(hinged().to_yaml(), "m.yaml")
    law = s["motor"].law
    assert isinstance(law, MissingFunction)
    assert (law.name, law.sha256) == ("torque_of_time", fingerprint(torque_of_time))
    frozen = freeze(s)
    assert not frozen.loads.callbacks[0].compiled
    check = s.check()
    assert check.freedoms == 1
    assert not check.ok
    words = "motor 'motor': law: its function 'torque_of_time' is named in the model file, which contains no code; give it: po.read("
    assert check.faults[0].startswith(words)
    for run in (lambda: po.simulate(s, 1.0, step=0.1), lambda: po.prepare(s, step=0.1), lambda: po.dynamics(s), lambda: law(0.0)):
        with pytest.raises(po.ModelError, match="its function 'torque_of_time' is named in the model file"):
            run()


@pytest.mark.parametrize("build", [spatial, planar, two_columns], ids=lambda f: f.__name__)
def test_every_function_is_reported_when_it_is_missing(build):
    s = build()
    read = read_text(s.to_yaml())
    freeze(read)
    references = function_references(s)
    assert references == function_references(read)
    missing = [f for f in read.check(rank=False).faults if "its function" in f]
    assert len(missing) == len(references)
    assert [d.signal.size for d in read.drives] == [d.signal.size for d in s.drives]


def test_references_name_element_argument_and_function():
    found = function_references(planar())
    assert found["servo", "target"] == ("path", fingerprint(path))
    assert found["servo", "target.rate"][0] == "path_rate"
    assert found["swing", "signal"] == ("swing", fingerprint(swing))
    assert found["m3", "law.rate"] == ("cos", None)
    assert found["torque1", "vector"] == ("torque_of_time", fingerprint(torque_of_time))
    assert function_references(chain(2)) == {}


def test_functions_are_given_by_their_name_or_by_element_and_argument():
    text = hinged().to_yaml()
    for key in ("torque_of_time", "motor.law"):
        s = read_text(text, functions={key: torque_of_time})
        assert s["motor"].law is torque_of_time
        assert po.simulate(s, 0.1, step=0.05)["motor"].effort[-1] == torque_of_time(0.1)


def test_another_function_is_refused_or_warned_about():
    text = hinged().to_yaml()
    with pytest.raises(po.ModelError, match=r"m.yaml:20: motor 'motor': law: the function given for 'torque_of_time' is not the one"):
        read_text(text, "m.yaml", {"torque_of_time": swing})
    with pytest.warns(UserWarning, match="motor 'motor': law: the function given for 'torque_of_time' is not the one"):
        assert read_text(text, "m.yaml", {"torque_of_time": swing}, strict=False)["motor"].law is swing
    unknown = text.replace(fingerprint(torque_of_time), "null").replace('"null"', "null")
    assert read_text(unknown, functions={"torque_of_time": swing})["motor"].law is swing
    with pytest.raises(po.ModelError, match="the value given for function 'torque_of_time' is not a function: 5"):
        read_text(text, functions={"torque_of_time": 5})


def test_functions_that_are_not_wanted_are_a_fault():
    with pytest.raises(po.ModelError, match="m.yaml: the model has no function 'torqu'; it has torque_of_time"):
        read_text(hinged().to_yaml(), "m.yaml", {"torqu": torque_of_time, "torque_of_time": torque_of_time})


def follow(gain, table=(1.0, 2.0)):
    def law(t):
        return gain * table[0] * helper(t)

    return law


def helper(t, scale=1.0):
    return LEVEL * scale * t


LEVEL = 0.5


def test_fingerprints_see_source_constants_and_what_is_called(monkeypatch):
    assert fingerprint(follow(1.0)) == fingerprint(follow(1.0))
    different = [follow(1.0), follow(2.0), follow(1.0, (2.0, 2.0)), torque_of_time, feedback, lambda t: 1.0, lambda t: 2.0]
    different += [functools.partial(helper, scale=2.0), functools.partial(helper, scale=3.0), Law(1.0), Law(2.0), Law(1.0).other, Law(2.0).other]
    assert len({fingerprint(f) for f in different}) == len(different)
    assert fingerprint(math.sin) is None
    pair = (lambda t: 1.0 + t, lambda t: 2.0 + t)
    assert fingerprint(pair[0]) != fingerprint(pair[1])
    before = fingerprint(follow(1.0))
    monkeypatch.setitem(globals(), "LEVEL", 0.6)
    assert fingerprint(follow(1.0)) != before
    names = {}
    exec("def typed(t):\n    return 2.0 * t\n", names)
    assert fingerprint(names["typed"]) is not None


class Law:
    def __init__(self, gain):
        self.gain = gain

    def __call__(self, t):
        return self.gain * t

    def other(self, t):
        return 2.0 * self.gain * t


def test_functions_of_one_name_are_told_apart():
    s = hinged(follow(1.0))
    s.add(po.Motor(s["hinge"], follow(2.0), name="second"))
    s.add(po.Motor(s["hinge"], s["motor"].law, name="third"))
    assert list(file_names(s)) == ["follow.<locals>.law", "follow.<locals>.law#2"]
    read = read_text(s.to_yaml(), functions={"follow.<locals>.law": follow(1.0), "follow.<locals>.law#2": follow(2.0)})
    assert read["second"].law(1.0) == 2 * read["third"].law(1.0)


def test_differences_in_words():
    text = hinged().to_yaml()
    assert same_model(text, hinged())
    assert same_model(text, read_text(text))
    found = differences(text, hinged(swing))
    assert found[0] == "motor 'motor': law: function: torque_of_time in the stored model, swing in the given one"
    assert found[1].startswith("motor 'motor': law: sha256: ")
    assert len(found) == 2
    assert differences(text.replace(fingerprint(torque_of_time), "0" * 64), hinged()) == [
        "motor 'motor': law: the function 'torque_of_time' has changed: its source or its constants differ"
    ]
    other = hinged()
    other["hinge"].set(angle=0.1)
    other.add(po.JointDamper(other["hinge"], 0.2, name="damper"))
    changed = text.replace("mass: 1.0", "mass: 2.0").replace("gravity: none", "gravity: [0, 0, -1]")
    assert differences(changed, other) == [
        "gravity: [0, 0, -1] in the stored model, none in the given one",
        "body 'body': sphere: mass: 2.0 in the stored model, 1.0 in the given one",
        "joint damper 'damper': is only in the given model",
        "initial values: hinge: is given only in the given model",
    ]
    assert differences(other, text)[-2:] == [
        "joint damper 'damper': is only in the stored model",
        "initial values: hinge: is given only in the stored model",
    ]
    swapped = chain(2)
    swapped.bodies.reverse()
    assert differences(chain(2), swapped) == ["bodies: are in a different order"]
    for wrong in ("5", "", "bodies: 5", "bodies: [5, {}]"):
        with pytest.raises(po.ModelError, match="stored model: is not a Poinsot model"):
            differences(wrong, hinged())


def test_what_cannot_be_written_says_so():
    s, other = chain(2), chain(2)
    other.add(po.Spring(s["link1"], other["link1"], at=((0, 0, 0), (0, 0, 1)), stiffness=1.0))
    with pytest.raises(po.ModelError, match="spring 'spring1': body 'link1' is not an element of system 'pendulum'"):
        other.to_yaml()
    s.body("link1", po.Sphere(0.1, mass=1))
    with pytest.raises(po.ModelError, match="the name 'link1' is used twice"):
        s.to_yaml()
