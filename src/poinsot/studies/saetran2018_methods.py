"""The methods of saetran2018 compared with ours: errors, unit length, energy, evaluations, agreement of formulations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import poinsot as po
from poinsot.studies import saetran2018_models as m
from poinsot.studies.saetran2018_details import bounded, row
from poinsot.studies.saetran2018_runs import Runs, angles, reference
from poinsot.studies.table import Row, Section

SOURCE = "reference file"
OTHER = "not the same discretisation, shown"  # ours updates quaternions by rotations, the thesis by addition
COST = "cost, shown"
ROUNDING = "rounding, shown"
RANDOM = "at other random states, shown"
LINKS = {"single": 1, "double": 2, "four": 4}


def sections(runs: Runs) -> list[Section]:
    """Rows on integrators and formulations."""
    found = [*statements(runs), small(runs), tops(runs), orders(), explicit(runs), formulations()]
    return found if runs.quick else [*found, long_chains(runs)]


def setting(name: str) -> dict[str, Any]:
    """Method, step (s) and tolerance in the name of an entry of the reference file, such as 'gauss2, h = 0.01'."""
    words = name.split(", ")
    found: dict[str, Any] = {"integrator": words[0], "step": float(words[1].removeprefix("h = "))}
    for word in words[2:]:
        if word.startswith("tolerance "):
            found["tolerance"] = float(word.removeprefix("tolerance "))
        else:
            found["duration"] = float(word.removeprefix("until t = "))
    return found


def statements(runs: Runs) -> list[Section]:
    """Statements of the thesis about its runs with GL3, and about sizes: those with a number, and what it says without or with a wrong one."""
    one, two, four, spin = (runs.get(case, "gauss3", 0.01) for case in ("single", "double", "four", "top 20"))
    exact = [angles(runs.get(case, step=0.005), links) for case, links in LINKS.items() if links < 3]
    tilted = spin["top"].angular_velocity_body[:, 2] * spin.system["top"].inertia[2]
    rows = [
        Row(
            "single, GL3: error of theta at t = 10",
            "1.92e-13",
            float(abs(angles(one, 1)[-1] - exact[0][-1])[0]),
            at_most=True,
        ),
        Row(
            "double, GL3: largest error of the angles",
            "1e-12",
            float(np.abs(angles(two, 2) - exact[1]).max()),
            at_most=True,
        ),
        Row("single, GL3: unit length", "1e-15", float(one.audit.unit_length), at_most=True),
        Row(
            "single, GL3: relative energy error",
            "1e-11",
            float(np.abs(one.energy / one.energy[0] - 1).max()),
            at_most=True,
        ),
    ]
    bounds = [
        Row("four, GL3: unit length, said to be of the order of the unit roundoff", "2.2e-16", float(four.audit.unit_length), at_most=True),
        Row(
            "top, GL3: momentum about the axis, kg m^2/s",
            "1e-12",
            float(np.abs(tilted - tilted[0]).max()),
            at_most=True,
        ),
    ]
    for links, printed in ((4, "28"), (16, "122"), (64, "672")):
        state, right = po.dynamics(m.chain(links, 0.0)).state(), 7 * links
        size = state.coordinates.size + state.rates.size
        wrong = "" if printed == str(right) else f"wrong in print: 7 per body are {right}"
        rows.append(Row(f"states of {links} bodies", printed, size, allowed=None if wrong else 0.0, remark=wrong))
        if wrong:
            bounds.append(Row(f"states of {links} bodies, corrected", str(right), size, allowed=0.0))
    return [
        Section("What the text says of its runs", "thesis", rows, printed=True),
        Section("What it says without a number, or with a wrong one", "bounds; sizes: 7 per body", bounds),
    ]


def small(runs: Runs) -> Section:
    """One, two and four links: the error of the angles, due to the method, and what is conserved."""
    rows: list[Row] = []
    for case, links in LINKS.items():
        exact = exact_angles(runs, case)
        for name, numbers in reference()["methods"][case].items():
            result = runs.get(case, **setting(name))
            rows += _angle_rows(
                f"{case}, {name}", numbers, result, float(np.abs(angles(result, links)[-1] - exact).max())
            )
    for case, kinds in reference()["methods"]["predictors"].items():
        result = runs.get(case, "gauss2", 0.01, tolerance=1e-9)
        for kind, numbers in kinds.items():
            label = {"prev": "stages of the step before", "const": "state at the start of the step"}[kind]
            rows += shown(
                f"{case}, gauss2, tolerance 1e-9, from the {label}", numbers, result, exact_angles(runs, case)
            )
    return Section("In full: methods on one, two and four bodies", SOURCE, rows, detail=True)


def _angle_rows(label: str, numbers: dict[str, Any], result: Any, error: float) -> Iterator[Row]:
    paper, name = numbers["error of the angle"], f"{label}: error of the angles at t = 10"
    if paper > 1e-10:  # the error of the method, not rounding
        yield row(name, paper, error, 0.01 * paper)
    else:
        yield row(name, paper, error, 1e-12)
    yield bounded(f"{label}: unit length", numbers["unit length"], result.audit.unit_length)
    for k, end in enumerate(numbers.get("unit length at the end", []), 1):
        ours = abs(np.linalg.norm(result[f"joint{k}"].quaternion[-1]) - 1)
        yield Row(f"{label}: unit length of link {k} at t = 10", f"{end:.2e}", float(ours), remark=ROUNDING)
    energy = np.abs(result.energy / result.energy[0] - 1)
    for name, value in (("relative energy error", energy.max()), ("relative energy error at the end", energy[-1])):
        if name in numbers:
            yield Row(f"{label}: {name}", f"{numbers[name]:.2e}", float(value), remark=OTHER)
    yield from cost(label, numbers, result)


def shown(label: str, numbers: dict[str, Any], result: Any, exact: np.ndarray) -> Iterator[Row]:
    """Rows of a variant that only the reference has, next to our run; none is judged."""
    energy = np.abs(result.energy / result.energy[0] - 1)
    ours = {
        "error of the angle": np.abs(angles(result, len(exact))[-1] - exact).max(),
        "unit length": result.audit.unit_length,
        "relative energy error": energy.max(),
        "relative energy error at the end": energy[-1],
    }
    yield from (Row(f"{label}: {name}", f"{numbers[name]:.2e}", float(x), remark=OTHER) for name, x in ours.items())
    for k, end in enumerate(numbers["unit length at the end"], 1):
        own = abs(np.linalg.norm(result[f"joint{k}"].quaternion[-1]) - 1)
        yield Row(f"{label}: unit length of link {k} at t = 10", f"{end:.2e}", float(own), remark=ROUNDING)
    yield from cost(label, numbers, result)


def exact_angles(runs: Runs, case: str) -> np.ndarray:
    """Angles of the joints at the end of an accurate run, rad."""
    return angles(runs.get(case, step=0.0025), LINKS[case])[-1]


def cost(label: str, numbers: dict[str, Any], result: Any) -> Iterator[Row]:
    """Evaluations and iterations, and all other numbers of an entry that are only shown."""
    ours = {"evaluations": result.audit.evaluations, "iterations": result.audit.iterations}
    for name, value in ours.items():
        if name in numbers:
            yield Row(f"{label}: {name}", str(numbers[name]), value, remark=COST)
    if "steps not converged" in numbers:
        yield Row(f"{label}: steps halved", str(numbers["steps not converged"]), result.audit.halvings, remark=COST)


def tops(runs: Runs) -> Section:
    """The top with steps of 0.01 s: errors of the methods."""
    rows: list[Row] = []
    for case in ("top 20", "top 10"):
        exact = runs.get(case, step=0.001)["top"].quaternion[-1]
        for name, numbers in reference()["methods"][case].items():
            result = runs.get(case, **setting(name))
            about_axis = result["top"].angular_velocity_body[:, 2] * result.system["top"].inertia[2]
            upright = result.angular_momentum[:, 2]
            ours = {
                "error of the quaternion": np.abs(result["top"].quaternion[-1] - exact).max(),
                "error of the momentum about the axis": np.abs(about_axis - about_axis[0]).max(),
                "error of the momentum about the vertical": np.abs(upright - upright[0]).max(),
                "relative energy error": np.abs(result.energy / result.energy[0] - 1).max(),
            }
            label = f"{case}, {name}"
            first, *conserved = ours
            rows.append(Row(f"{label}: {first}", f"{numbers[first]:.2e}", float(ours[first]), remark=OTHER))
            rows += [bounded(f"{label}: {key}", numbers[key], ours[key]) for key in conserved]
            rows.append(bounded(f"{label}: unit length", numbers["unit length"], result.audit.unit_length))
            rows += cost(label, numbers, result)
    return Section("In full: methods on the top", SOURCE, rows, detail=True)


def long_chains(runs: Runs) -> Section:
    """16 bodies and the chain with springs, with the steps and ends of the reference file."""
    rows: list[Row] = []
    for case, link in (("springs", 4), ("free 16", 16), ("damped 16", 16), ("damped 16, anchor in the plane", 16)):
        for name, numbers in reference()["methods"][case].items():
            wanted = setting(name)
            result = runs.get(case, **wanted)
            exact = runs.get(case, "gauss4", 0.0025, duration=wanted["duration"])
            tip = result[f"link{link}"].point(m.TIP)
            error = float(np.abs(tip[-1] - exact[f"link{link}"].point(m.TIP)[-1]).max())
            label = f"{case}, {name}"
            if numbers.get("failure"):
                rows.append(
                    Row(f"{label}: error of the tip, m (functional iteration: none)", "1e-3", error, at_most=True)
                )
            elif "error of the tip" in numbers:
                rows.append(
                    Row(f"{label}: error of the tip, m", f"{numbers['error of the tip']:.2e}", error, remark=OTHER)
                )
            for t, there in numbers.get("tip 16", {}).items():
                for axis, x, ours in zip("xyz", there, tip[result.index(float(t))]):
                    gap = 4e-8 if wanted["integrator"] == "gauss2" else 1e-10
                    rows.append(row(f"{label}: tip 16 at t = {t}: {axis}", x, ours, gap))
            if "relative energy error" in numbers:
                energy, known = np.abs(result.energy / result.energy[0] - 1).max(), numbers["relative energy error"]
                rows.append(Row(f"{label}: relative energy error", f"{known:.2e}", float(energy), remark=OTHER))
            if "unit length" in numbers:
                rows.append(bounded(f"{label}: unit length", numbers["unit length"], result.audit.unit_length))
            rows += cost(label, numbers, result)
    return Section("In full: methods on long chains", SOURCE, rows, detail=True)


def orders() -> Section:
    """Orders of the Gauss methods, from the tip of a double pendulum with halved steps."""
    rows = []
    exact = po.simulate(m.chain(2, 1.0), 1.0, step=0.005, integrator="gauss4", progress=False)["link2"].point(m.TIP)[-1]
    for name, order in (("gauss1", 2), ("gauss2", 4), ("gauss3", 6)):
        errors = []
        for step in (0.1, 0.05, 0.025):
            run = po.simulate(m.chain(2, 1.0), 1.0, step=step, integrator=name, progress=False)
            errors.append(np.abs(run["link2"].point(m.TIP)[-1] - exact).max())
        found = np.log2(errors[-2] / errors[-1])
        rows.append(Row(f"order of {name}", str(order), float(found), allowed=0.1))
        known = reference()["orders"][name]
        rows += [
            Row(f"order of {name} in the reference, {k}", f"{x:.3f}", float(found), allowed=0.1)
            for k, x in enumerate(known, 1)
        ]
    return Section("In full: orders of the Gauss methods", SOURCE, rows, detail=True)


def explicit(runs: Runs) -> Section:
    """Four links with the explicit method for several widths and g, and all counts of evaluations of the reference file."""
    rows: list[Row] = []
    for name, numbers in reference()["methods"]["dopri5"].items():
        width, g = (float(word.split()[-1]) for word in name.split(", "))
        result = po.simulate(
            m.chain(4, m.SMALL, width, g), 10.0, rtol=1e-13, atol=1e-13, integrator="dopri5", progress=False
        )
        for k, end in enumerate(numbers["unit length at the end"], 1):
            ours = abs(np.linalg.norm(result[f"joint{k}"].quaternion[-1]) - 1)
            rows.append(Row(f"{name}: unit length of link {k} at t = 10", f"{end:.2e}", float(ours), remark=ROUNDING))
        energy = abs(result.energy[-1] / result.energy[0] - 1)
        known = numbers["relative energy error at the end"]
        rows.append(Row(f"{name}: relative energy error at t = 10", f"{known:.2e}", float(energy), remark=OTHER))
        rows += cost(name, numbers, result)
    system = m.chain(4, m.SMALL)
    counts = {
        "gauss2": po.simulate(system, 10.0, step=0.01, integrator="gauss2", tolerance=1e-9, progress=False),
        "dopri5": runs.explicit("four"),
        "dop853": po.simulate(system, 10.0, rtol=1e-13, atol=1e-13, integrator="dop853", progress=False),
    }
    for name, known in reference()["evaluations"].items():
        ours = counts["gauss2" if "GL2" in name else "dop853" if "DOP853" in name else "dopri5"].audit.evaluations
        rows.append(Row(f"evaluations: {name}", str(known), ours, remark=COST))
    return Section("In full: explicit methods and evaluations", SOURCE, rows, detail=True)


def formulations() -> Section:
    """Accelerations by both formulations at random states, relative to the largest; how far mass matrices are from symmetric."""
    known, rows = reference()["formulations"], []
    for links in (1, 2, 4, 16, 32, 64):
        gap, matrix = _gaps(m.chain(links, 0.0), links)
        shown = {}
        if links <= 16:
            shown["tree against moving-frame"] = known[f"accelerations {links}"]
            shown["tree against moving-frame (reference: another program)"] = known[
                f"accelerations against another program {links}"
            ]
            paper = f"{known[f'mass matrix {links}']:.2e}"
            rows.append(
                Row(
                    f"mass matrix of {links} bodies, asymmetry (reference: another program)",
                    paper,
                    matrix,
                    remark=RANDOM,
                )
            )
        else:
            shown |= {
                f"tree against moving-frame (reference: {name})": x
                for name, x in reference()["long chains"][str(links)].items()
            }
        rows += [
            Row(f"accelerations of {links} bodies, {name}", f"{x:.2e}", gap, remark=RANDOM) for name, x in shown.items()
        ]
    for name, system in (("joint dampers", m.with_dampers(m.chain(4, 0.0))), ("spring-damper at the tip", m.damped())):
        gap = _gaps(system, len(system.bodies))[0]
        rows.append(Row(f"accelerations with {name}", f"{known[name]:.2e}", gap, remark=RANDOM))
    rows.append(bounded("planar double pendulum against its equations", known["planar double pendulum"], _planar()))
    return Section("In full: tree against moving-frame", SOURCE, rows, detail=True)


def _gaps(system: po.System, links: int) -> tuple[float, float]:
    """Relative difference of accelerations at a random state (seeded), and asymmetry of the mass matrix up to 16 links."""
    tree, frame = (po.dynamics(system, formulation=name) for name in ("tree", "moving-frame"))
    rng = np.random.default_rng(links)
    q = rng.normal(size=(links, 4)) * 0.3 + np.array([1.0, 0, 0, 0])
    q /= np.linalg.norm(q, axis=1)[:, None]
    state = tree.state(q.ravel(), rng.normal(size=3 * links))
    a, b = tree.acceleration(state), frame.acceleration(state)
    matrix = tree.mass_matrix(state) if links <= 16 else np.eye(1)
    return float(np.abs(a - b).max() / np.abs(a).max()), float(np.abs(matrix - matrix.T).max() / np.abs(matrix).max())


def _planar() -> float:
    """Accelerations of two links in a plane against the equations of the textbook, relative."""
    theta, rate = np.array([0.7, -0.4]), np.array([1.3, 0.6])  # absolute angles from the vertical, rad and rad/s
    half, end, across = m.LENGTH / 2, m.LENGTH, m.MASS * (m.LENGTH**2 + m.WIDTH**2) / 12
    sine, cosine = np.sin(theta[0] - theta[1]), np.cos(theta[0] - theta[1])
    coupled = m.MASS * end * half
    matrix = np.array(
        [[across + m.MASS * (half**2 + end**2), coupled * cosine], [coupled * cosine, across + m.MASS * half**2]]
    )
    weight = m.MASS * m.GRAVITY[2] * np.sin(theta)
    right = weight * np.array([half + end, half]) + coupled * sine * np.array([-(rate[1] ** 2), rate[0] ** 2])
    exact = np.linalg.solve(matrix, right)
    d = po.dynamics(m.chain(2, 0.0))
    turns = np.array([theta[0], theta[1] - theta[0]])
    q = np.array([[np.cos(x / 2), np.sin(x / 2), 0, 0] for x in turns]).ravel()
    ours = d.acceleration(d.state(q, [rate[0], 0, 0, rate[1] - rate[0], 0, 0]))[[0, 3]]
    return float(np.abs(np.cumsum(ours) - exact).max() / np.abs(exact).max())
