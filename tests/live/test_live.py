"""The live page without a browser: sliders and their changes, what the server answers and refuses, and that only the newest values count."""

import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import numpy as np
import pytest

import poinsot as po
from poinsot.interrupts import stop_run_of
from poinsot.live import newest
from poinsot.live.newest import Newest, Superseded
from poinsot.live.ranges import suitable
from poinsot.live.server import AT_ONCE, LARGEST_BODY
from poinsot.live.sliders import change_of, read_sliders, rotation_vector
from systems import chain


def loop():
    """A four-bar of hinges with a spring; the foot cannot turn far."""
    s = po.System("loop", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    base = s.revolute(s.ground, crank, at=(0, 0, 0), axis="y", name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis="y", name="elbow")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis="y", name="knee")
    s.revolute(rocker, s.ground, at=(2, 0, 0), axis="y", name="foot")
    s.add(po.TorsionSpring(base, stiffness=5.0, name="spring"))
    base.set(rate=2.0)
    return s


SLIDERS = {"spring.stiffness": (1, 50), "foot.angle": (-1.5, 1.5, 0.01), "coupler.mass": (1.0, 8.0)}


def served(system, duration=0.5, **options):
    return po.app(system, duration, **{"step": 0.01, "open": False, "block": False} | options)


@pytest.fixture(scope="module")
def live():
    with served(loop(), sliders=SLIDERS) as found:
        yield found


def post(live, what, values, **headers):
    content = json.dumps({"values": values}).encode()
    request = urllib.request.Request(live.url + what, content, {"Content-Type": "application/json"} | headers)
    return urllib.request.urlopen(request, timeout=60).read()


def answer(live, **values):
    return json.loads(post(live, "run", {name.replace("__", "."): value for name, value in values.items()}))


def refused(live, method="GET", path=None, body=None, **headers):
    """Status and words of a request that is refused."""
    where = urlsplit(live.url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=30)
    connection.request(method, where.path if path is None else path, body, headers)
    reply = connection.getresponse()
    words = reply.read().decode()
    connection.close()
    return reply.status, words


# --- what is served ------------------------------------------------------------------------------------------------


def test_the_page_may_ask_its_own_server_and_no_other(live, tmp_path):
    page = urllib.request.urlopen(live.url)
    text = page.read().decode()
    assert "connect-src 'self';" in text.split("</head>")[0] and "default-src 'none'" in text and '"sliders"' in text
    assert page.headers["Referrer-Policy"] == "no-referrer" and page.headers["Cache-Control"] == "no-store"
    assert live.url.startswith("http://127.0.0.1:") and live.run.write_html(tmp_path / "a.html").read_text().count("connect-src") == 0


def test_an_answer_is_the_run_of_a_system_written_with_the_values(live):
    found = answer(live, coupler__mass=4.0)
    assert set(found) == {"data", "values", "computed", "packed", "notes"} and found["values"]["coupler.mass"] == 4.0
    right = po.prepare(loop(), step=0.01).run(0.5, change={"coupler.mass": 4.0})
    assert np.array_equal(live.run["coupler"].position, right["coupler"].position)
    assert live.values == {"spring.stiffness": 5.0, "foot.angle": 0.0, "coupler.mass": 4.0}
    entry = found["data"]["runs"][0]
    assert entry["audit"].partition("\n")[0] == str(right.audit).partition("\n")[0] and entry["end"] == 0.5
    sliders = live._variants.sliders
    assert change_of(sliders, {slider.name: slider.value for slider in sliders}) == {}
    assert change_of(sliders, {"coupler.mass": 4.0}) == {"coupler.mass": 4.0}
    back = answer(live)  # all sliders at their start: nothing is held
    assert np.array_equal(live.run.motion, po.simulate(loop(), 0.5, step=0.01).motion) and back["values"]["foot.angle"] == 0.0


def test_a_run_that_fails_is_explained_and_the_last_one_stays(live):
    answer(live, foot__angle=0.2)
    kept, failed = live.run, live.failed
    found = answer(live, foot__angle=1.4)
    with pytest.raises(po.AssemblyError) as right:
        po.prepare(loop(), step=0.01).run(0.5, change={"foot.angle": 1.4})
    assert found == {"error": str(right.value), "values": found["values"]} and found["values"]["foot.angle"] == 1.4
    assert live.run is kept and live.values["foot.angle"] == 0.2 and live.failed == failed + 1 and "failed" in live.summary()


def test_a_variant_is_a_model_file(live, tmp_path):
    (tmp_path / "variant.yaml").write_bytes(post(live, "model", {"spring.stiffness": 12.5, "foot.angle": 0.1}))
    model = po.read(tmp_path / "variant.yaml")
    assert model["spring"].stiffness == 12.5 and model.initial[model["foot"]] == {"angle": (0.1,)} and model["coupler"].mass == 2.0


def test_a_variant_with_functions_names_them(tmp_path):
    s = chain(1)
    push = s.add(po.UserForce(lambda t, x, params, out: None, bodies=[s["link1"]], params=[1.0], name="push"))
    with served(s, sliders=["push.params[0]"]) as live:
        (tmp_path / "variant.yaml").write_bytes(post(live, "model", {"push.params[0]": 1.5}))
    assert list(po.read(tmp_path / "variant.yaml", {"push.function": push.function})["push"].params) == [1.5]


# --- what is refused -----------------------------------------------------------------------------------------------


def test_requests_without_the_token_or_for_another_host_get_nothing(live):
    where = urlsplit(live.url)
    for path in ("/", "/run", "/wrong/", where.path[:-2] + "/", "//", where.path.upper(), "/%2e%2e/"):
        assert refused(live, path=path)[0] == 403, path
        assert refused(live, "POST", path, "{}")[0] == 403, path
    for host in ("example.com", f"example.com:{where.port}", "127.0.0.1", f"127.0.0.1:{where.port}.example.com", ""):
        status, words = refused(live, Host=host)
        assert status == 403 and where.path.strip("/") not in words, host
    json_type = {"Content-Type": "application/json"}
    assert refused(live, "POST", where.path + "run", "{}", Origin="http://example.com", **json_type)[0] == 403
    assert refused(live, path=where.path + "x")[0] == 404 and refused(live, "POST", where.path + "x", "{}")[0] == 404
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "HEAD"):
        assert refused(live, method)[0] == 405, method
    assert refused(live, Host=f"localhost:{where.port}")[0] == 200


@pytest.mark.parametrize(
    "body, status, words",
    [
        ('{"values": {"spring.stiffness": 51}}', 400, "spring.stiffness must be a number from 1 to 50, not 51"),
        ('{"values": {"spring.stiffness": "5"}}', 400, "must be a number from 1 to 50"),
        ('{"values": {"spring.stiffness": true}}', 400, "must be a number from 1 to 50"),
        ('{"values": {"spring.stiffness": NaN}}', 400, "NaN is not a number"),
        ('{"values": {"spring.stiffness": 1e999}}', 400, "must be a number from 1 to 50"),
        ('{"values": {"gravity": 5}}', 400, "there is no slider 'gravity'; there are spring.stiffness, foot.angle, coupler.mass"),
        ('{"values": [1]}', 400, "must be an object"),
        ("{}", 400, "must be an object"),
        ("[]", 400, "must be an object"),
        ("{", 400, "not JSON"),
        ("[" * 9000, 400, "not JSON"),
        ("x" * (LARGEST_BODY + 1), 413, "larger than 16384 bytes"),
    ],
)
def test_wrong_values_are_refused_in_words(live, body, status, words):
    computed = live.computed
    for what in ("run", "model"):
        found = refused(live, "POST", urlsplit(live.url).path + what, body, **{"Content-Type": "application/json"})
        assert found[0] == status and words in json.loads(found[1])["error"], found
    assert live.computed == computed


def test_requests_must_be_json_of_a_stated_length(live):
    path = urlsplit(live.url).path + "run"
    assert refused(live, "POST", path, "{}", **{"Content-Type": "text/plain"})[0] == 415
    assert refused(live, "POST", path, "{}", **{"Content-Type": "application/json", "Content-Length": "-1"})[0] == 411
    assert refused(live, "POST", path, iter([b"{}"]), **{"Content-Type": "application/json"})[0] == 411  # in chunks


def test_many_connections_do_not_exhaust_it(live):
    where = urlsplit(live.url)
    idle = [http.client.HTTPConnection(where.hostname, where.port, timeout=5) for _ in range(AT_ONCE)]
    for connection in idle:
        connection.connect()
    time.sleep(0.3)
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(live.url, timeout=5)
    for connection in idle:
        connection.close()
    time.sleep(0.3)
    assert urllib.request.urlopen(live.url, timeout=5).status == 200


# --- the newest ----------------------------------------------------------------------------------------------------


def asked(ask, question, answers):
    def run():
        try:
            answers[question] = ask(question)
        except Superseded:
            answers[question] = "superseded"

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_only_the_newest_of_those_that_wait_is_answered():
    go, begun, done, answers = threading.Event(), threading.Event(), [], {}

    def slow(question):
        begun.set()
        assert go.wait(10)
        done.append(question)
        return 10 * question

    one = Newest(slow, lambda thread: None)
    threads = [asked(one.ask, 1, answers)]
    assert begun.wait(10)
    for question in (2, 3, 4):
        threads.append(asked(one.ask, question, answers))
        time.sleep(0.1)
    go.set()
    for thread in threads:
        thread.join(10)
    assert answers == {1: 10, 2: "superseded", 3: "superseded", 4: 40} and done == [1, 4]
    one.close()
    with pytest.raises(Superseded):
        one.ask(5)


def test_a_long_run_ends_when_newer_values_wait(monkeypatch):
    monkeypatch.setattr(newest, "PATIENCE", 0.1)
    ready, seconds, answers = po.prepare(chain(4, angle=1.0), step=1e-4), {"long": 3000.0, "short": 0.01}, {}

    def run(question):
        try:
            return ready.run(seconds[question], output_step=0.01).t[-1]
        except KeyboardInterrupt:
            raise Superseded from None

    one = Newest(run, stop_run_of)
    first = asked(one.ask, "long", answers)
    time.sleep(0.3)
    began = time.monotonic()
    second = asked(one.ask, "short", answers)
    second.join(20)
    first.join(20)
    assert answers == {"long": "superseded", "short": 0.01} and time.monotonic() - began < 20
    third = asked(one.ask, "long", answers)
    time.sleep(0.2)
    one.close()  # also ends what is computed
    third.join(20)
    assert answers["long"] == "superseded"


# --- sliders -------------------------------------------------------------------------------------------------------


def test_numbers_of_initial_values_change_alone():
    s = chain(2)
    s["joint1"].set(rotation=(0.3, -0.2, 0.1))
    s["joint2"].set(rate=(0.0, 1.0, 0.0))
    run = po.simulate(s, 0.02, step=0.01)
    sliders = read_sliders({"joint1.rotation[0]": (0, 1), "joint1.rotation[2]": (0, 1), "joint2.rate[1]": (-2, 2), "gravity[2]": (-20, 0)}, run)
    assert [slider.value for slider in sliders] == [0.3, 0.1, 1.0, -9.81] and [slider.unit for slider in sliders] == ["rad", "rad", "rad/s", "m/s^2"]
    change = change_of(sliders, {"joint1.rotation[0]": 0.5, "joint1.rotation[2]": 0.1, "joint2.rate[1]": 1.5, "gravity[2]": -1.6})
    assert list(change) == ["joint1.rotation", "joint2.rate", "gravity[2]"] and change["gravity[2]"] == -1.6
    assert np.abs(np.array(change["joint1.rotation"]) - (0.5, -0.2, 0.1)).max() < 1e-15 and change["joint2.rate"] == [0.0, 1.5, 0.0]
    assert change_of(sliders, {slider.name: slider.value for slider in sliders}) == {}
    both = change_of(sliders, {"joint1.rotation[0]": 0.5, "joint1.rotation[2]": 0.4})
    assert np.abs(np.array(both["joint1.rotation"]) - (0.5, -0.2, 0.4)).max() < 1e-15
    with served(s, 0.1, sliders={"joint1.rotation[0]": (0, 1)}) as live:
        answer(live, **{"joint1__rotation[0]": 0.5})
        assert np.abs(rotation_vector(live.run["joint1"].quaternion[0]) - (0.5, -0.2, 0.1)).max() < 1e-15
    assert np.abs(rotation_vector(-np.array([np.cos(1), 0, np.sin(1), 0])) - (0, 2, 0)).max() < 1e-15


def test_without_names_a_page_has_a_few_sensible_sliders():
    with served(loop(), 0.1) as live:
        found = {slider.name: slider for slider in live._variants.sliders}
    names = ["base.rate", "spring.stiffness", "crank.mass", "coupler.mass", "rocker.mass", "gravity[2]"]
    assert list(found) == names
    assert [found[name].unit for name in names] == ["rad/s", "N m/rad", "kg", "kg", "kg", "m/s^2"]
    assert all(slider.low < slider.value < slider.high for slider in found.values())
    assert (found["coupler.mass"].low, found["coupler.mass"].high, found["coupler.mass"].step) == (0.4, 6.0, 0.05)
    with served(chain(12), 0.1) as live:
        assert len(live._variants.sliders) == 8
    free = po.System("free", gravity=None)
    free.body("top", po.Disc(0.2, mass=1.0)).set(angular_velocity=(0.1, 0, 20.0), rotation=("x", 0.2))
    assert suitable(free) == ["top.angular_velocity[0]", "top.angular_velocity[2]", "top.rotation[0]", "top.mass"]
    flat = po.System("flat", plane="xz", gravity=(0, -9.81))
    flat.body("puck", po.Disc(0.2, axis="y", mass=1.0)).set(angular_velocity=3.0, velocity=(0, 1.0))
    assert suitable(flat) == ["puck.angular_velocity", "puck.velocity[1]", "puck.mass", "gravity[2]"]
    for system in (free, flat):
        with served(system, 0.1) as live:
            for slider in live._variants.sliders:
                assert "data" in answer(live, **{slider.name: slider.low + 0.25 * (slider.high - slider.low)}), slider.name
    with pytest.raises(po.SettingsError, match="no masses, springs or initial values"):
        suitable(po.System("nothing", gravity=None))


@pytest.mark.parametrize(
    "sliders, kind, words",
    [
        ({"sping.stiffness": (1, 9)}, po.ModelError, "sliders: there is no 'sping.stiffness'.*did you mean 'spring.stiffness'"),
        ({"spring.stifness": (1, 9)}, po.ModelError, "sliders: torsion spring 'spring' has no parameter 'stifness'.*did you mean 'stiffness'"),
        (["crank.mas"], po.ModelError, "did you mean 'mass'"),
        ({"stiffness": (1, 9)}, po.ModelError, "write 'element.parameter'"),
        ({"spring.stiffness": (6, 9)}, po.SettingsError, "spring.stiffness is 5, which its range from 6 to 9 does not contain"),
        ({"spring.stiffness": (9, 1)}, po.SettingsError, "from a lower to a higher value, not from 9 to 1"),
        ({"spring.stiffness": 9}, po.SettingsError, "must be .lowest, highest. or .lowest, highest, step., not 9"),
        ({"spring.stiffness": (1, "9")}, po.SettingsError, "must be .lowest, highest."),
        ({"spring.stiffness": (1, float("inf"))}, po.SettingsError, "must be .lowest, highest."),
        ({"spring.stiffness": (1, 9, 0)}, po.SettingsError, "the step of spring.stiffness must be positive"),
        ({"spring.stiffness": (1, 9, 10)}, po.SettingsError, "fit into its range"),
        ({"gravity": (-10, 0)}, po.SettingsError, r"gravity has 3 numbers; choose one of them, such as 'gravity\[0\]'"),
        ({"gravity[3]": (-10, 0)}, po.ModelError, "gravity has 3 numbers, from .0. on"),
        ({"crank.mass[0]": (0, 2)}, po.ModelError, "crank.mass has 1 number, from .0. on"),
        ({"crank.angular_velocity[5]": (0, 2)}, po.ModelError, "has 3 numbers"),
        ({3: (0, 1)}, po.SettingsError, "must be a text, not 3"),
        ([3], po.SettingsError, "sliders must be a dictionary of ranges"),
        ({}, po.SettingsError, "there is none"),
        (7, po.SettingsError, "sliders must be a dictionary of ranges"),
    ],
)
def test_wrong_sliders(sliders, kind, words):
    with pytest.raises(kind, match=words):
        served(loop(), 0.05, sliders=sliders)


def test_other_wrong_arguments():
    for options, words in {
        "port": ({"port": 70000}, "port must be a whole number from 0"),
        "open": ({"open": "no"}, "open must be True or False"),
        "block": ({"block": 1}, "block must be True or False"),
        "description": ({"description": 3}, "description must be a text"),
        "plots": ({"plots": ["knee.fource"]}, "did you mean"),
    }.values():
        with pytest.raises(po.SettingsError, match=words):
            served(loop(), 0.05, **options)
    with served(loop(), 0.05, sliders=SLIDERS) as live:
        with pytest.raises(po.SettingsError, match=f"port {urlsplit(live.url).port} cannot be used"):
            served(loop(), 0.05, sliders=SLIDERS, port=urlsplit(live.url).port)
        assert live.url in live._repr_html_() and "iframe" in live._repr_html_() and live.url in repr(live)
    assert live.closed and "closed" in repr(live) and "Closed after" in live._repr_html_()
    live.close()
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(live.url, timeout=5)


def test_warnings_of_a_run_are_part_of_its_answer(monkeypatch):
    from poinsot.errors import ModelWarning, warn
    from poinsot.simulation import Ready

    with served(loop(), 0.05, sliders=SLIDERS) as live:
        run = Ready.run

        def warned(self, *args, **options):
            warn("something is odd", ModelWarning)
            return run(self, *args, **options)

        monkeypatch.setattr(Ready, "run", warned)
        assert answer(live, coupler__mass=3.0)["notes"] == ["something is odd"]


def test_it_blocks_until_it_is_closed_and_prints_what_it_did(capsys, monkeypatch):
    from poinsot.live.app import Live

    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    wait = Live.wait

    def moved_then_stopped(self):
        answer(self, coupler__mass=3.0)
        threading.Timer(0.2, self.close).start()
        wait(self)

    monkeypatch.setattr(Live, "wait", moved_then_stopped)
    live = po.app(loop(), 0.05, step=0.01, sliders=SLIDERS)
    assert live.closed and opened == [live.url]
    said = capsys.readouterr().out
    assert f"Live page of 'loop': {live.url}\nCtrl-C ends it.\nClosed after 0 s: 1 run computed.\n" == said
