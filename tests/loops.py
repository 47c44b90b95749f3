"""Small closed mechanisms that several tests use."""

import poinsot as po


def four_bar(gap=0.0, axis="y"):
    """A closed loop of 3D revolutes; the last one is drawn with a gap."""
    s = po.System("four-bar", gravity=(0, 0, -9.81))
    crank = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, 1)))
    coupler = s.body("coupler", po.Rod(radius=0.02, mass=2.0), between=((0, 0, 1), (2, 0, 1.5)))
    rocker = s.body("rocker", po.Rod(radius=0.02, mass=1.5), between=((2, 0, 1.5), (2, 0, 0)))
    s.revolute(s.ground, crank, at=(0, 0, 0), axis=axis, name="base")
    s.revolute(crank, coupler, at=(0, 0, 1), axis=axis, name="elbow")
    s.revolute(coupler, rocker, at=(2, 0, 1.5), axis=axis, name="knee")
    s.revolute(rocker, s.ground, at=(rocker.end, (2 + gap, 0, 0)), axis=axis, name="foot")
    return s


def slider_crank(crank=1.0, rod=2.5):
    """Drawn stretched along x; the slider closes the loop."""
    s = po.System("slider-crank", gravity=None)
    a = s.body("crank", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (0, 0, crank)))
    end = (rod**2 - crank**2) ** 0.5
    b = s.body("rod", po.Rod(radius=0.02, mass=1.0), between=((0, 0, crank), (end, 0, 0)))
    c = s.body("slider", po.Box(0.1, 0.1, 0.1, mass=1.0), position=(end, 0, 0))
    s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="base")
    s.revolute(a, b, at=(0, 0, crank), axis="y", name="pin")
    s.spherical(b, c, at=(end, 0, 0), name="wrist")
    s.prismatic(s.ground, c, axis="x", name="slide")
    return s


def parallelogram(bars=3, height=1.0):
    """A beam on parallel bars, two of which would suffice."""
    s = po.System("parallelogram", gravity=None)
    beam = s.body("beam", po.Rod(radius=0.02, mass=1.0), between=((0, 0, height), (2, 0, height)))
    for k in range(bars):
        x = 2.0 * k / (bars - 1)
        bar = s.body(f"bar{k}", po.Rod(radius=0.02, mass=1.0), between=((x, 0, 0), (x, 0, height)))
        s.revolute(s.ground, bar, at=(x, 0, 0), axis="y", name=f"low{k}")
        s.revolute(bar, beam, at=(x, 0, height), axis="y", name=f"high{k}")
    return s
