"""The Lyapunov time against an independent estimate; chaos is told from error; regular motion is called regular."""

from math import cos, log, sin

import numpy as np
import pytest
from test_compare import QUICK, double_pendulum

import poinsot as po

G = 9.81


def rates(y):
    """Two rods of 1 m and 1 kg, angles from the vertical: Lagrange's equations by hand."""
    a, b, p, q = y
    c, s = cos(a - b), sin(a - b)
    f, g = -0.5 * s * q * q - 1.5 * G * sin(a), 0.5 * s * p * p - 0.5 * G * sin(b)
    m, n, k = 4.0 / 3.0, 0.5 * c, 1.0 / 3.0
    d = m * k - n * n
    return np.array([p, q, (k * f - n * g) / d, (m * g - n * f) / d])


def rk4(y, h):
    k1 = rates(y)
    k2 = rates(y + 0.5 * h * k1)
    k3 = rates(y + 0.5 * h * k2)
    k4 = rates(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def lyapunov_time(start, duration, h=0.01, apart=1e-8):
    """Mean rate at which a deviation grows, restarted after every step."""
    y = np.array([*start, 0.0, 0.0])
    d = apart * np.array([0.6, -0.4, 0.5, 0.3])
    d *= apart / np.linalg.norm(d)
    total = 0.0
    for _ in range(round(duration / h)):
        z, y = rk4(y + d, h), rk4(y, h)
        d = z - y
        size = float(np.linalg.norm(d))
        total += log(size / apart)
        d *= apart / size
    return duration / total


def compared(first, second, duration, **settings):
    chosen = {"formulations": ["tree"], "integrators": ["rk4", "gauss4"], "steps": [0.01], **settings}
    return po.compare(double_pendulum(first, second), duration, **chosen, **QUICK)


def test_a_chaotic_motion_and_its_lyapunov_time():
    found = compared(2.0, 0.3, 10.0)
    expected = lyapunov_time((2.0, 2.3), 150.0)
    assert found.growth.time == pytest.approx(expected, rel=0.3)
    assert found.growth.factor > 1e2 and "Lyapunov time about" in str(found)
    coarse = next(row for row in found.rows if row.integrator == "rk4")
    assert coarse.grown and coarse.error > 100 * coarse.error_before_growth
    line = next(line for line in str(found).splitlines() if line.startswith("tree") and "rk4" in line)
    assert " g" in line and "errors marked g" in str(found)


def test_a_regular_motion_is_called_regular():
    found = compared(0.2, 0.1, 5.0)
    assert found.growth.time is None and "regular" in found.growth.words and found.growth.observed > 50
    assert not any(row.grown for row in found.rows) and all(row.error_before_growth is None for row in found.rows)


def test_a_reference_that_does_not_last_is_used_as_long_as_it_does():
    """After some forty Lyapunov times two computations have nothing in common, however accurate they are."""
    found = compared(2.0, 0.3, 60.0, steps=[0.02])
    assert 6.0 < found.reference.until < 60.0 and found.reference.agreement <= 1e-6
    assert "until t = " in found.reference.words and found.rows[0].error is not None
    assert len(found.rows[0].curves["error"]) < len(found.t)


def test_without_a_reference_drifts_and_times_remain(monkeypatch):
    from poinsot.comparison import reference

    monkeypatch.setattr(reference, "CONVERGED", 1e-17)
    found = compared(2.0, 0.3, 1.0)
    assert found.reference.agreement is None and found.reference.words.startswith("none: ") and "differ by more than" in str(found)
    assert all(row.error is None and row.energy_drift is not None and row.seconds > 0 for row in found.rows)
    assert "drifts and times are reported alone" in str(found) and found.plot() is not None
    with pytest.raises(po.SettingsError, match="no errors are known"):
        found.fastest(1e-3)
