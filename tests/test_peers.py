"""Other programs run the same mechanisms as Poinsot, and the comparison finds what reaches an accuracy soonest."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
SHORT = {"stewart": 0.1, "four_bar": 0.3, "six_bar": 0.3, "planar": 0.004, "chain4": 0.5}  # s
PROGRAMS = {"mujoco_peer": "mujoco", "exudyn_peer": "exudyn", "pinocchio_peer": "pinocchio", "drake_peer": "pydrake"}


@pytest.fixture(autouse=True)
def benchmarks_importable(monkeypatch):
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(FOLDER))
    yield
    for name in {path.stem for path in FOLDER.glob("*.py")} & (set(sys.modules) - before):
        del sys.modules[name]


def short(key):
    import peers

    return replace(peers.CASES[key](), duration=SHORT[key])


@pytest.mark.parametrize("key", SHORT)
def test_references_agree_and_joints_are_closed(key):
    import poinsot_peer
    from peer_models import V, X, errors, gap

    m = short(key)
    one, other, _ = poinsot_peer.reference(m)
    assert errors(one, other)[0] < 1e-11
    assert max(gap(m, one), gap(m, other)) < 1e-11
    start = np.array([body.position for body in m.bodies])
    assert np.abs(one[-1, :, X] - start).max() > 1e-3 * m.reach  # it moves
    assert np.abs(one[..., V]).max() > 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("key", SHORT)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_has_the_same_mechanism(program, key):
    """Finer settings approach the reference: configuration, velocities, and gaps."""
    pytest.importorskip(PROGRAMS[program], reason=f"{program} is not installed (make bench installs it)")
    from importlib import import_module

    import poinsot_peer
    from peer_models import errors, gap

    m = short(key)
    exact, _, _ = poinsot_peer.reference(m)
    method = import_module(program).methods(m)[0]
    last = 14 if method.settings[0] < 1 or program == "drake_peer" else 8  # Drake's steps are of first order
    rough, fine = (method.make(method.settings[k]).motion() for k in (last - 4, last))
    before, after = errors(rough, exact), errors(fine, exact)
    assert after[0] < 2e-3 and gap(m, fine) < 2e-3
    assert after[0] < 0.6 * before[0] or after[0] < 1e-9
    assert after[1] < 0.6 * before[1] or after[1] < 1e-7


def test_dop853_in_python_keeps_its_tolerance():
    from dop853_python import integrate

    def rate(y):
        return np.array([y[1], -y[0]])

    errors = []
    for tolerance in (1e-4, 1e-8, 1e-12):
        states = integrate(rate, np.array([1.0, 0.0]), [1.0, 5.0], tolerance, lambda y: None)
        exact = np.array([[np.cos(t), -np.sin(t)] for t in (1.0, 5.0)])
        errors.append(np.abs(np.array(states) - exact).max())
    assert all(error < 10 * tolerance for error, tolerance in zip(errors, (1e-4, 1e-8, 1e-12))), errors
    assert errors[2] < 1e-3 * errors[1] < 1e-6 * errors[0] * 1e2


def test_the_squeezer_closes():
    """Three bars end where the link ends; the spring's length and the crank are those of the book."""
    from squeezer import START, places

    ends, _, tip = places(np.array(START))
    for name in ("triangle", "upper", "lower"):
        assert np.abs(ends[name] - ends["link"]).max() < 1e-16
    assert 0.05 < np.linalg.norm(tip - (0.014, 0.072)) < 0.08


def points(method, *pairs):
    from peers_points import Point

    return [Point(method, 1.0, None, error, error, 0.0, seconds) for error, seconds in pairs]


def test_a_lucky_setting_does_not_count():
    from peer_method import Method
    from peers_points import able, front, soonest

    method = Method("one", "", None, ())
    other = Method("one", "other", None, ())
    found = points(method, (1e-2, 1.0), (1e-7, 2.0), (1e-5, 3.0), (1e-8, 4.0), (1e-9, 5.0))
    assert [point.seconds for point in able(found, 1e-6)] == [5.0, 4.0]
    assert soonest(found, 1e-6).seconds == 4.0 and soonest(found, 1e-10) is None
    assert soonest(found + points(other, (1e-6, 3.5)), 1e-6).seconds == 3.5
    assert [point.seconds for point in front(found)] == [1.0, 2.0, 4.0, 5.0]


def test_walks_end_and_say_why():
    from peer_method import Method, Prepared
    from peer_models import MOTION, four_bar
    from peers_points import walk

    m = four_bar()
    exact = np.zeros((5, 3, MOTION))

    def make(error):
        def prepared(setting):
            if setting == 1:
                raise ValueError("too coarse")
            motion = exact.copy()
            motion[..., 0] += error(setting)
            return Prepared(lambda: motion, lambda: None)

        return Method("one", "", prepared, [1, 2, 4, 8, 16, 32, 64, 128, 256])

    converging = walk(make(lambda n: n**-2.0), m, exact, 1e-3, 10.0)
    assert len(converging.points) == 5 and not converging.stuck and "too coarse" in converging.failure
    staying = walk(make(lambda n: 0.1), m, exact, 1e-3, 10.0)
    assert staying.stuck and len(staying.points) == 6
    assert walk(make(lambda n: n**-0.5), m, exact, 1e-9, 10.0).stuck  # no finer setting is left


def test_rows_say_who_is_faster_and_who_never_arrives(monkeypatch):
    """With pretended programs: targets, verdicts, notes."""
    import peers
    from peer_method import Method

    us, them = Method("Poinsot", "ours", None, ()), Method("MuJoCo, stiff", "theirs", None, ())
    lost = Method("Exudyn", "lost", None, ())
    found = peers.Found("stewart", short("stewart"), [], {"Exudyn"}, (1e-14, 1e-14), "two")
    found.points = points(us, (1e-4, 0.002), (1e-7, 0.004)) + points(them, (1e-4, 0.001), (1e-7, 0.016)) + points(lost, (0.1, 1.0))
    for accuracy in (1e-3, 1e-6):
        found.rows += peers.rows(found, accuracy, ["Poinsot", "MuJoCo, stiff", "Exudyn"], peers.QUICK)
    assert [row.get("ratio") for row in found.rows] == [None, 0.5, None, None, 4.0, None]
    assert [row.get("verdict") for row in found.rows] == [None, "not reached", "reached", None, "reached", "reached"]
    assert found.rows[2]["setting"].startswith("never") and "faster" in found.rows[1] and "faster" not in found.rows[4]
    said = "\n".join(peers.notes([found], peers.QUICK))
    assert "FASTER than Poinsot: MuJoCo, stiff on the Stewart platform at 0.001, 2 times" in said
    assert "1e-06" not in [line for line in said.splitlines() if "FASTER" in line][0]


def test_our_part_of_the_comparison(monkeypatch, tmp_path):
    for name in ("mujoco", "exudyn", "pinocchio", "pydrake", "pydrake.all"):
        monkeypatch.setitem(sys.modules, name, None)
    import peers
    import poinsot_peer

    monkeypatch.setattr(poinsot_peer, "CHECKS", ("moving-frame", "planar", "newton-euler", "tree"))
    monkeypatch.setattr(poinsot_peer, "LEFT_OUT", ("rk4", "dopri5", "gauss1", "gauss2", "gauss3", "gauss4"))
    monkeypatch.setitem(peers.CASES, "four_bar", lambda case=peers.CASES["four_bar"]: replace(case(), duration=0.3))
    table = peers.run(("four_bar",), effort=peers.Effort(0.2, 1, 0.01, 1), pictures=False)
    assert [row["accuracy"] for row in table.rows] == ["0.001", "1e-06", "1e-09"]
    assert all(row["error"] <= float(row["accuracy"]) and row["ms"] > 0 and row["gap"] < 1e-12 for row in table.rows)
    said = "\n".join(table.notes)
    assert said.count("not installed") == 4 and "No program is faster" in said and str(table)


def test_the_page_shows_who_is_faster():
    from peers_page import page

    base = {"mechanism": "arm", "accuracy": "0.001"}
    rows = [
        base | {"program": "Poinsot", "setting": "tree, rk4", "ms": 2.0},
        base | {"program": "MuJoCo", "setting": "RK4", "ms": 1.0, "ratio": 0.5},
        base | {"program": "Exudyn", "setting": "not in runs of up to 1 s: 0.1 at best", "ratio above": 500.0},
        base | {"program": "Drake", "setting": "never: 1.0e-02 at best"},
    ]
    last = page(rows).splitlines()[-1]
    assert last == "| arm | 0.001 | 2 | tree, rk4 | **0.5** | > 500 | never: 1.0e-02 |"


def test_pictures_are_written(tmp_path):
    pytest.importorskip("matplotlib")
    import peers
    from peer_method import Method
    from peers_plot import draw

    found = peers.Found("four_bar", short("four_bar"), [], set(), (1e-14, 1e-14), "two")
    found.points = points(Method("Poinsot", "", None, ()), (1e-3, 0.1), (1e-6, 0.2)) + points(Method("Drake", "", None, ()), (1e-2, 0.3))
    (line,) = draw([found], tmp_path)
    assert "peers.png" in line and (tmp_path / "peers.png").stat().st_size > 1000 and (tmp_path / "peers_four_bar.png").exists()


def test_every_mechanism_and_target_has_its_name():
    import peers
    import run

    assert set(peers.ORDER) == set(peers.CASES) and set(peers.TARGETS) <= set(peers.CASES) and "peers" in run.BENCHMARKS
    for against, goals in peers.TARGETS.values():
        assert set(against) <= {*peers.RIVALS, "MuJoCo"} and set(goals) <= {*peers.ACCURACIES, 1e-12}
