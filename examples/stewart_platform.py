"""A Stewart platform on six elastic legs, with adaptive and with energy-momentum steps.

Six legs, each a cylinder on a universal joint and a piston with a ball joint at its top, carry a platform: thirteen bodies, six
degrees of freedom. The legs are springs that push with unequal forces, so that the platform, at rest at first, rises, tilts and turns about
its axis. Adaptive steps (formulation tree) and energy-momentum steps (directors) must take it the same way, and do to
1e-9 m. Writes leg lengths, a strobe picture, a page and the results to out/, and the model as a file.
"""

from pathlib import Path

import numpy as np

import poinsot as po

BASE, TOP = 0.5, 0.3  # radius of the joints on the ground and on the platform, m
LOW, HIGH = np.radians([15, 105, 135, 225, 255, 345]), np.radians([45, 75, 165, 195, 285, 315])  # where they are
STIFFNESS = 3000.0  # of a leg, N/m
FORCES = (60.0, -20.0, 50.0, -10.0, 70.0, -30.0)  # of the legs at their first length, N
HEIGHT = 0.6  # m


def build() -> po.System:
    """The platform, level and at rest above its base; z up."""
    s = po.System("Stewart platform", gravity=(0, 0, -9.81))
    platform = s.body("platform", po.Cylinder(radius=TOP, length=0.03, mass=5.0), position=(0, 0, HEIGHT))
    for k, (low, high, force) in enumerate(zip(LOW, HIGH, FORCES), 1):
        foot = BASE * np.array([np.cos(low), np.sin(low), 0.0])
        head = np.array([TOP * np.cos(high), TOP * np.sin(high), HEIGHT])
        along, tangent = (head - foot) / np.linalg.norm(head - foot), np.array([-np.sin(low), np.cos(low), 0.0])
        cylinder = s.body(f"cylinder{k}", po.Rod(radius=0.025, mass=1.0), between=(foot, foot + 0.4 * along))
        piston = s.body(f"piston{k}", po.Rod(radius=0.012, mass=0.6), between=(head - 0.4 * along, head))
        s.universal(s.ground, cylinder, at=foot, axis=tangent, axis2=np.cross(tangent, along), name=f"foot{k}")
        leg = s.prismatic(cylinder, piston, at=foot, axis=along, name=f"leg{k}")
        s.spherical(piston, platform, at=head, name=f"head{k}")
        s.add(po.JointSpring(leg, STIFFNESS, name=f"spring{k}"))
        s.add(po.Motor(leg, force, name=f"force{k}"))
    return s


def main(folder: Path = Path("out"), duration: float = 2.0) -> po.Trajectory:
    """Run it with both kinds of steps, compare, and write pictures, a page, the results and the model."""
    system = build()
    print(system.check())
    run = po.simulate(system, duration, rtol=1e-9, atol=1e-9, output_step=0.01)
    print(run.audit)
    other = po.simulate(system, duration, step=0.001, output_step=0.01)
    apart = np.abs(run["platform"].position - other["platform"].position).max()
    print(f"Adaptive and energy-momentum steps differ by at most {apart:.1e} m in the platform's position.")
    turn = np.arctan2(run["platform"].rotation[:, 1, 0], run["platform"].rotation[:, 0, 0])
    print(f"The platform turns by up to {np.degrees(np.abs(turn).max()):.1f} degrees about its axis;")
    stretch = [f"leg{k}.displacement" for k in range(1, 7)]
    print(f"  its legs change by up to {max(np.abs(run[f'leg{k}'].displacement).max() for k in range(1, 7)) * 1e3:.0f} mm.")
    folder.mkdir(parents=True, exist_ok=True)
    run.plot(stretch).savefig(folder / "stewart_legs.png", dpi=150)
    run.snapshots(np.linspace(0.0, duration, 3).round(2), paths=["platform"]).savefig(folder / "stewart_strobe.png", dpi=150)
    run.save(folder / "stewart_platform.h5")
    words = "A platform on six elastic legs that push with unequal forces: it rises, tilts and turns about its axis."
    run.write_html(folder / "stewart_platform.html", description=words)
    system.to_yaml(folder / "stewart_platform.yaml")
    for what in ("legs", "strobe"):
        print(f"{what.capitalize() + ':':8} {folder / f'stewart_{what}.png'}")
    for what, ending in (("Page", "html"), ("Results", "h5"), ("Model", "yaml")):
        print(f"{what + ':':8} {folder / f'stewart_platform.{ending}'}")
    return run


if __name__ == "__main__":
    main()
