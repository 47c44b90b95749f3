"""Values that nobody should give, and names that nobody should choose."""

from pathlib import Path

import numpy as np

WILD = [
    None, True, False, 0, 1, -1, 2.5, -0.0, 1e-300, 1e200, -1e308, 10**400, 3 + 4j, float("nan"), float("inf"), -float("inf"),
    "", "x", "-z", "heavy", "90deg", "1e3", "ground", "angle", "a.b", "a" * 5000, "\0", "\ud800", "\u202e", "\n", b"bytes", bytearray(3),
    [], (), {}, set(), {"a": 1}, {1, 2, 3}, [1], [1, 2], [1, 2, 3], (1, 2, 3, 4), [[1, 2, 3], [4, 5]], [None] * 3, ["1", "2", "3"], [[]], [[[1.0]]],
    (0, 0, 0), (1e300, 0, 0), (float("nan"), 0, 0), ("x", "y"), ("x", 90), ("x", float("inf")), [("x", 0.1), "y"], range(3), (True, False, True),
    np.zeros(3), np.zeros(0), np.zeros((3, 3)), np.eye(3), np.eye(4), np.ones((2, 3)), np.array(2.0), np.array("x"), np.array([1 + 2j, 0, 0]),
    np.array([1, None, 3], object), np.ma.masked, np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]), np.float32(2), np.int8(3), np.bool_(True),
    np.datetime64("2001-01-01"), object(), object, float, ..., NotImplemented, Exception("x"), memoryview(b"abc"), Path("somewhere"), slice(3),
]  # fmt: skip
NAMES = ["a", "b", "ground", "energy", "a.b", "x y", "..", "a/b", "#", "-", "1", "null", "\0", "\ud800", "é", "a" * 300, "", "angle", "free:a"]
RESULTS = [
    "position", "rotation", "quaternion", "angle", "velocity", "angular_velocity", "angular_velocity_body", "com", "com_velocity", "acceleration",
    "rate", "displacement", "force", "torque", "effort", "power", "tension", "unique", "positon", "froce", "angel", "signal",
]  # fmt: skip


def constant(t):
    return 0.1


def endless():
    while True:
        yield 1.0


class Odd:
    """Looks like three numbers, and fails when it is read."""

    def __len__(self):
        return 3

    def __getitem__(self, k):
        raise RuntimeError("odd")

    def __repr__(self):
        raise RuntimeError("odd")
