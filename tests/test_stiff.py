"""Stiff systems: Newton's method where fixed-point iteration stalls, chosen automatically, and counted."""

import numpy as np
import pytest

import poinsot as po
from systems import chain, oscillator


def damped_chain(links=16):
    """saetran2018: 16 bodies, dampers at all joints (their twist decays at 840 1/s), a spring-damper at the tip."""
    s = chain(links, np.pi / 8)
    for k in range(links):
        s.add(po.JointDamper(s[f"joint{k + 1}"], 70.0))
    tip = s[f"link{links}"]
    s.add(po.Spring(s.ground, tip, at=((10, 0, -30), tip.at((0, 0, -1.0))), stiffness=800.0, damping=50.0, length=5.0))
    return s


@pytest.mark.parametrize("integrator, bound", [("gauss3", 1e-8), ("gauss4", 1e-9)])
def test_sixteen_bodies_with_dampers(integrator, bound):
    run = po.simulate(damped_chain(), 10.0, step=0.01, integrator=integrator)
    tip = run["link16"].point((0, 0, -1.0))
    assert tip[100] == pytest.approx([7.867428398, -0.993680152, -24.836729371], abs=bound)
    assert tip[500] == pytest.approx([4.274548480, -3.136693698, -24.998557168], abs=1e-7)
    assert tip[1000] == pytest.approx([9.521855624, -4.507128634, -27.967563357], abs=1e-7)
    assert run.audit.newton_steps > 900 and run.audit.halvings == 0
    assert "Newton" in str(run.audit)


@pytest.mark.parametrize("step", [0.1, 0.05])
def test_long_tense_chains_need_geometric_stiffness(step):
    """64 bodies at steps on which fixed-point iteration diverges."""
    run = po.simulate(chain(64), 5.0, step=step, integrator="gauss3")
    exact = po.simulate(chain(64), 5.0, step=0.005, integrator="gauss4", output_step=step)
    assert run.audit.newton_steps == run.audit.steps and run.audit.halvings == 0
    assert run.audit.iterations < 8 * run.audit.steps
    difference = np.linalg.norm(run["link64"].position - exact["link64"].position, axis=1).max()
    assert difference < {0.1: 1e-4, 0.05: 1e-6}[step]


def test_a_stiff_spring_on_every_kind_of_motion():
    """Springs and dampers on turns, slides and balls, stiff beyond fixed-point iteration, against small steps."""

    def build():
        s = po.System("stiff", gravity=(0, 0, -9.81))
        a = s.body("a", po.Box(0.2, 0.3, 0.5, mass=1.0), position=(0, 0, -0.5))
        b = s.body("b", po.Box(0.2, 0.3, 0.5, mass=1.0), position=(0.2, 0, -1.2))
        c = s.body("c", po.Box(0.2, 0.3, 0.5, mass=1.0), position=(0.2, 0.3, -1.9))
        ball = s.spherical(a, s.ground, at=(0, 0, 0), name="ball")  # drawn the other way round
        hinge = s.revolute(a, b, at=(0.1, 0, -0.8), axis="y", name="hinge")
        slide = s.cylindrical(b, c, at=(0.2, 0.1, -1.5), axis="z", name="slide")
        s.add(po.TorsionSpring(ball, stiffness=3e3, rest=("x", 0.2)))
        s.add(po.JointDamper(ball, 100.0))
        s.add(po.TorsionSpring(hinge, stiffness=2e3))
        s.add(po.JointSpring(slide, stiffness=1e4))
        s.add(po.JointDamper(slide, 50.0))
        ball.set(rotation=[("x", 0.2), ("y", 0.05)])
        return s

    run = po.simulate(build(), 0.5, step=0.02, integrator="gauss4")
    exact = po.simulate(build(), 0.5, step=0.0005, integrator="gauss4", output_step=0.02)
    assert run.audit.newton_steps > 0 and run.audit.halvings == 0
    assert run["c"].position[-1] == pytest.approx(exact["c"].position[-1], abs=1e-5)


def test_a_spring_of_any_stiffness_converges():
    """A linear oscillator is solved by the matrix at once: a step of many periods is inaccurate, but neither halved nor unstable."""
    run = po.simulate(oscillator(stiffness=1e10), 1.0, step=0.01, integrator="gauss3")
    assert run.audit.halvings == 0 and run.audit.iterations <= 4 * run.audit.steps
    assert run.audit.energy_drift < 1e-8 * run.energy[0]


def test_chained_stiff_runs_give_the_same_bits():
    whole = po.simulate(damped_chain(4), 0.4, step=0.01)
    first = po.simulate(damped_chain(4), 0.2, step=0.01)
    second = po.simulate(damped_chain(4), 0.2, step=0.01, state=first.state())
    assert np.array_equal(whole.raw[20:], second.raw)


def test_easy_systems_never_compile_newton():
    run = po.simulate(chain(4), 1.0, step=0.01)
    assert run.audit.newton_steps == 0


@pytest.mark.long
def test_the_coil_of_64_bodies():
    s = chain(64, np.pi / 2)
    for k in range(64):
        if k:
            s[f"joint{k + 1}"].set(rotation=("y", 2 * np.pi / (8 + (k - 1) / 4)))
        s.add(po.JointDamper(s[f"joint{k + 1}"], 70.0))
    run = po.simulate(s, 5.0, step=0.0025, integrator="gauss4", output_step=0.5)
    tip = run["link64"].point((0, 0, -1.0))
    assert tip[6] == pytest.approx([-9.04649280, 4.47847228, -44.14500000], abs=2e-8)
    assert tip[10] == pytest.approx([-2.078466, -0.679162, -114.297263], abs=1e-6)
    assert run["link32"].point((0, 0, -1.0))[10] == pytest.approx([1.059506, -0.846155, -61.724348], abs=1e-6)

