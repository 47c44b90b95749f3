"""The time line of the page marks contacts of stops and events where they are."""

import json
import re

import numpy as np
import pytest

import poinsot as po
from poinsot.view.happenings import MOST, happenings


def bouncing():
    """A mass without gravity between two walls 1 m apart, at 2 m/s: it reaches a wall every half second, nearly."""
    s = po.System("between walls", gravity=None)
    body = s.body("mass", po.Sphere(0.05, mass=1.0), position=(0.5, 0, 0))
    slide = s.prismatic(s.ground, body, at=(0.5, 0, 0), axis="x", name="slide")
    slide.set(rate=2.0)
    s.add(po.Stop(slide, -0.5, 0.5, stiffness=1e5, name="walls"))
    return s


def test_contacts_are_marked_in_order():
    run = po.simulate(bouncing(), 2.0, step=1e-4, output_step=1e-3)
    marks = happenings(run)
    touching = run.contacts[0].end - run.contacts[0].t  # a free flight takes half a second
    assert [mark["t"] for mark in marks] == pytest.approx([0.25 + k * (0.5 + touching) for k in range(4)], abs=1e-4)
    assert "walls: beyond its upper limit" in marks[0]["words"] and "lower" in marks[1]["words"]
    assert marks == sorted(marks, key=lambda mark: mark["t"])


def test_events_are_marked_too_and_reach_the_page(tmp_path):
    s = bouncing()
    kick = po.Event(1.1, po.Impulse(s["mass"], (0.5, 0, 0)), name="kick")
    run = po.simulate(s, 2.0, step=1e-4, output_step=1e-3, events=[kick])
    marks = happenings(run)
    assert [round(mark["t"], 2) for mark in marks if "kick" in mark["words"]] == [1.1] and len(marks) == 5
    page = run.write_html(tmp_path / "page.html").read_text()
    data = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.S).group(1))
    assert data["runs"][0]["happenings"] == marks


def test_many_marks_are_thinned_and_none_are_no_fault():
    class Many:
        contacts = ()

        class record:
            impulses = [type("Jump", (), {"t": float(t), "event": "e", "what": "w"})() for t in np.arange(3 * MOST)]

    found = happenings(Many())
    assert len(found) == MOST and found[0]["t"] == 0.0 and found[-1]["t"] == 3 * MOST - 1
    free = po.System("free", gravity=None)
    free.body("mass", po.Sphere(0.05, mass=1.0))
    assert happenings(po.simulate(free, 0.1, step=0.01)) == []
