"""Runs of pytest in processes that begin with large libraries already imported: a copy made by a fork in place of a new interpreter.

Nothing of the package under test is imported before the copy is made, so every run sees the sources and kernels of its own project.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LIBRARIES = (
    "h5py numba numba.experimental.function_type numpy pydantic pytest ruamel.yaml "
    "scipy.linalg scipy.optimize scipy.sparse.linalg scipy.spatial.transform"
)

# reads one task per line; the copy works in its folder and environment, the original waits for it and prints what it cost
SERVER = """
import gc, importlib, json, os, sys, traceback
for name in sys.argv[1].split():
    importlib.import_module(name)
import numba, pytest
gc.freeze()
for line in sys.stdin:
    task = json.loads(line)
    process = os.fork()
    if process == 0:
        os.setsid()
        printed = os.open(task["printed"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for new, old in ((nothing, 0), (printed, 1), (printed, 2)):
            os.dup2(new, old)
        sys.stdin = open(0)
        os.chdir(task["folder"])
        os.environ.clear()
        os.environ.update(task["environment"])
        sys.path[:0] = [task["folder"], *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        sys.argv = ["pytest", *task["arguments"]]
        sys.dont_write_bytecode = True
        numba.config.reload_config()
        code = 70
        try:
            code = int(pytest.main(task["arguments"]))
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(json.dumps({"process": process}), flush=True)
    _, status, used = os.wait4(process, 0)
    print(json.dumps({"code": os.waitstatus_to_exitcode(status), "cpu": used.ru_utime + used.ru_stime}), flush=True)
"""


class Preloaded:
    """One server. It does one run at a time; runs side by side need several."""

    def __init__(self, environment: dict[str, str]):
        command = [sys.executable, "-c", SERVER, LIBRARIES]
        self.server = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self, arguments: list[str], folder: Path, environment: dict[str, str], printed: Path) -> int:
        """Begin a run of pytest; returns its process, which leads a group of its own."""
        assert self.server.stdin is not None
        task = {"arguments": arguments, "folder": str(folder), "environment": environment, "printed": str(printed)}
        self.server.stdin.write(json.dumps(task) + "\n")
        self.server.stdin.flush()
        return int(self._answer()["process"])

    def wait(self) -> tuple[int, float]:
        """Wait until the run has ended: its exit code, and the seconds that it and its children computed."""
        answer = self._answer()
        return int(answer["code"]), float(answer["cpu"])

    def end(self) -> None:
        """End the server."""
        self.server.kill()
        self.server.wait()
        for stream in (self.server.stdin, self.server.stdout):
            if stream is not None:
                stream.close()

    def _answer(self) -> dict[str, Any]:
        assert self.server.stdout is not None
        return json.loads(self.server.stdout.readline())
