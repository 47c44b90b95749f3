"""Run the benchmarks, print their tables, write them to out/bench.json. Speed is shown as ratios measured in one run."""

from __future__ import annotations

import argparse
import inspect
import json
import os
import platform
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

BENCHMARKS = (
    "forward_dynamics",
    "plane",
    "scaling",
    "constraint_matrix",
    "thesis_table",
    "mujoco_accuracy",
    "peers",
    "long_energy",
    "exudyn_steps",
    "elimination",
    "closed_steps",
    "closed_coordinates",
    "stage_iterations",
    "fixed_cost",
    "reading",
    "feedback_cost",
    "streaming",
    "sweeps",
    "compile_times",
)
DEFAULT_OUTPUT = Path(__file__).resolve().parent.parent / "out" / "bench.json"


def processor() -> str:
    """Name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def machine() -> dict[str, str]:
    """What the numbers were measured on."""
    packages = {name: version(name) for name in ("poinsot", "numpy", "numba", "llvmlite")}
    return {"cpu": processor(), "cores": str(os.cpu_count()), "system": platform.platform()} | {
        "python": platform.python_version(),
        **packages,
    }


def main(arguments: list[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", type=Path, default=DEFAULT_OUTPUT, metavar="PATH", help="default: out/bench.json")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and shorter runs, in benchmarks that have such a choice")
    options = parser.parse_args(arguments)
    report: dict = {"machine": machine(), "tables": {}}
    print("\n".join(f"{name}: {value}" for name, value in report["machine"].items()))
    for name in options.only or BENCHMARKS:
        measure = import_module(name).run
        table = measure(quick=True) if options.quick and "quick" in inspect.signature(measure).parameters else measure()
        print(f"\n{table}", flush=True)
        report["tables"][name] = {"title": table.title, "rows": table.rows, "notes": table.notes}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(report, indent=1) + "\n")
    print(f"\nwritten to {options.json}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
