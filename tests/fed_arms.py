"""Arms with feedback: laws on joints, with integrals, sampled."""

import poinsot as po

RUNS = [
    ("tree", "gauss3"),
    ("moving-frame", "rk4"),
    ("newton-euler", "rk4"),
    ("rotation-matrix", "rk4"),
    ("directors", "energy-momentum-4"),
    ("directors", "energy-momentum"),
]


def arm(*feedback, law=None):
    """Two links on revolutes about y, two motors without a law."""
    s = po.System("arm", gravity=(0, 0, -9.81))
    a = s.body("a", po.Rod(radius=0.02, mass=1.0), between=((0, 0, 0), (1, 0, 0)))
    b = s.body("b", po.Rod(radius=0.02, mass=1.0), between=((1, 0, 0), (2, 0, 0)))
    joints = [
        s.revolute(s.ground, a, at=(0, 0, 0), axis="y", name="j1"),
        s.revolute(a, b, at=(1, 0, 0), axis="y", name="j2"),
    ]
    motors = [s.add(po.Motor(j, law, name=f"m{k + 1}")) for k, j in enumerate(joints)]
    return s, joints, motors


def pd(t, x, p, u):
    u[0] = -p.kp * x[0] - p.kd * x[1]
    u[1] = -p.kp * x[2] - p.kd * x[3]


def fed(**more):
    s, (j1, j2), motors = arm()
    s.add(po.Feedback(pd, motors, [j1.angle, j1.rate, "j2.angle", "j2.rate"], {"kp": 20.0, "kd": 2.0}, name="pd", **more))
    return s


def integral(t, x, p, u, z, dz):
    u[0] = -p.kp * x[0] - p.kd * x[1] - z[0]
    u[1] = -p.kp * x[2] - p.kd * x[3] - z[1]
    dz[0] = p.ki * x[0]
    dz[1] = p.ki * x[2]


def with_integrals(**more):
    s, (j1, j2), motors = arm()
    gains = {"kp": 40.0, "kd": 6.0, "ki": 30.0}
    s.add(po.Feedback(integral, motors, [j1.angle, j1.rate, j2.angle, j2.rate], gains, states=[1.0, 0.0], name="pid", **more))
    return s


def sampled(period=0.02, **more):
    return fed(period=period, **more)
