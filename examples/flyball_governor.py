"""A flyball governor: balls on two arms, rotating about a vertical shaft, lift a sleeve on it (benchmark A05 of IFToMM).

The arms carry the sleeve by very stiff springs with dampers, as in the benchmark, or by rigid rods, which close
loops. When released, the balls fly out and lift the sleeve by a quarter of a metre, and it comes down again, about once a second;
springs and rods differ by tenths of a millimetre, and in cost. Prints check, assembly and audit of both and the height of the
sleeve next to reference values; writes heights, energies, a strobe picture, a page of both and their results to out/.
"""

import math
from pathlib import Path

import numpy as np

import poinsot as po
from poinsot.view.plots import blank_figure, energy_figure

ALPHA = math.pi / 6  # of the arms below the horizontal, rad
REFERENCE = {  # height of the sleeve (m) at some times (s), with springs
    0.1: 0.52383647557, 0.25: 0.62209272160, 0.5: 0.74324942479, 1.0: 0.50142092238, 2.0: 0.50590929430,
    5.0: 0.53556310372, 10.0: 0.61962291706,
}  # fmt: skip


def build(springs: bool) -> po.System:
    """Shaft, sleeve of 3 kg, arms of 1 m with 5 kg at their ends; half-way down, each arm is tied to the sleeve."""
    s = po.System(f"governor with {'springs' if springs else 'rods'}", gravity=(0, 0, -9.81))
    shaft = s.body("shaft", po.Box(0.01, 0.01, 1.0, density=3000.0), position=(0, 0, 0.5))
    sleeve = s.body("sleeve", po.Box(0.1, 0.1, 0.1, density=3000.0), position=(0, 0, 0.5))
    spin = s.revolute(s.ground, shaft, at=(0, 0, 0), axis="z", name="spin")
    s.prismatic(shaft, sleeve, axis="z", name="slide")
    for side, name in ((1.0, "right"), (-1.0, "left")):
        hinge = np.array([0.05 * side, 0.0, 1.0])
        ball = hinge + [side * math.cos(ALPHA), 0.0, -math.sin(ALPHA)]
        parts = [po.Box(1.0, 0.01, 0.01, density=3000.0), (po.Sphere(1e-6, mass=5.0), (0.5, 0, 0))]
        arm = s.body(name, po.Composite(parts), between=(hinge, ball))
        s.revolute(shaft, arm, at=hinge, axis="y", name=f"{name}_hinge")
        at = (sleeve.at((0.05 * side, 0, 0)), arm.at((0, 0, 0)))
        if springs:
            s.add(po.Spring(sleeve, arm, at=at, stiffness=8e5, damping=4e4, length=0.5, name=f"{name}_spring"))
        else:
            s.add(po.Distance(sleeve, arm, at=at, name=f"{name}_rod"))
    spin.set(rate=2 * math.pi)
    return s


def heights(runs: list[po.Trajectory]):
    """Height of the sleeve and speed of the shaft over time."""
    figure = blank_figure((7.0, 5.0))
    height, speed = figure.subplots(2, 1, sharex=True)
    for run in runs:
        height.plot(run.t, 0.5 + run["slide"].displacement, label=run.system.name, linewidth=1.0)
        speed.plot(run.t, run["spin"].rate, linewidth=1.0)
    known = [(t, s) for t, s in REFERENCE.items() if t <= run.t[-1]]
    height.plot(*np.array(known).T, "k.", label="reference, springs")
    height.set_ylabel("sleeve [m]")
    height.legend(fontsize="small", loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.2))
    speed.set(xlabel="t [s]", ylabel="shaft [rad/s]")
    return figure


def main(folder: Path = Path("out"), duration: float = 10.0) -> po.Trajectory:
    """Run it with springs and with rods, compare with the reference, and write four pictures, a page and the results."""
    runs = []
    for springs in (True, False):
        system = build(springs)
        print(system.check())
        print(po.assemble(system))
        run = po.simulate(system, duration, step=0.0025, output_step=0.01)
        print(run.audit)
        runs.append(run)
        name = "springs" if springs else "rods"
        for t, known in REFERENCE.items():
            if t <= duration:
                height = 0.5 + run["slide"].displacement[run.index(t)]
                print(f"  sleeve at {t:5g} s: {height:.9f} m, reference with springs {known:.9f} m")
        folder.mkdir(parents=True, exist_ok=True)
        energy_figure(run).savefig(folder / f"governor_{name}_energy.png", dpi=150)
        run.save(folder / f"governor_{name}.h5")
        print(f"Energies over time: {folder / f'governor_{name}_energy.png'}")
        print(f"Results:            {folder / f'governor_{name}.h5'}\n")
    heights(runs).savefig(folder / "governor_heights.png", dpi=150)
    strobe = run.snapshots([0.0, 0.12, 0.25, 0.5])
    strobe.axes[0].view_init(elev=12, azim=-50)
    strobe.savefig(folder / "governor_strobe.png", dpi=150)
    words = "The balls fly out and lift the sleeve. Stiff springs and rigid rods differ little, except in cost."
    plots = ["slide.displacement", "spin.rate", "right_hinge.angle", "energy_error"]
    po.write_html(runs, folder / "governor.html", names=["springs", "rods"], description=words, plots=plots)
    print(f"Heights:            {folder / 'governor_heights.png'}")
    print(f"Strobe picture:     {folder / 'governor_strobe.png'}")
    print(f"Page:               {folder / 'governor.html'}")
    return run


if __name__ == "__main__":
    main()
