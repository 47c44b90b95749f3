"""Users' functions of every kind, good and bad, and the system that they drive."""

import functools
import math
import sys

import numpy as np

import poinsot as po

TABLE = np.array([1.0, 2.0, 3.0])
COUNT = 0


def pendulum(law=None, force=None, params=(1.0,), signal=None, vector=None):
    """A box on a hinge, with one user's function."""
    s = po.System("pendulum", gravity=(0, 0, -9.81))
    box = s.body("box", po.Box(0.1, 0.1, 1.0, mass=1.0), position=(0, 0, -0.5))
    hinge = s.revolute(s.ground, box, at=(0, 0, 0), axis="y", name="hinge")
    if signal is None:
        hinge.set(angle=0.3)
    else:
        s.add(po.Motion(hinge.angle, signal, name="motion"))
    if law is not None:
        s.add(po.Motor(hinge, law, name="motor"))
    if force is not None:
        s.add(po.UserForce(force, [box], params=params, name="user"))
    if vector is not None:
        s.add(po.Force(box, vector, name="push"))
    return s


def run(s, duration=0.05, **settings):
    return po.simulate(s, duration, **{"step": 0.01, **settings})


# ordinary Python: what each law gives at t


def with_import(t):
    import math

    return math.sin(t)


def with_from_import(t):
    from math import sin

    return sin(t)


def with_context(t):
    with np.errstate(all="ignore") as _:
        return math.sin(t)


def with_named_exception(t):
    try:
        return math.sin(t) / (t * 0)
    except ZeroDivisionError as error:
        return math.sin(t) if str(error) else 0.0


def with_finally(t):
    try:
        value = 1.0
    finally:
        value = math.sin(t)
    return value


def with_format(t):
    return float(f"{math.sin(t):.17g}")


def with_percent(t):
    return float("%.17g" % math.sin(t))  # noqa: UP031


def with_class(t):
    class Law:
        value = math.sin(t)

    return Law.value


def with_generator(t):
    return sum(x for x in (math.sin(t), 0.0))


def with_set(t):
    return max({math.sin(t), -2.0})


def with_dict(t):
    return {k: math.sin(k * t) for k in range(2)}[1]


def with_match(t):
    match int(t):
        case 0:
            return math.sin(t)
        case _:
            return 0.0


def with_global(t):
    global COUNT
    COUNT = 0
    return math.sin(t)


def with_star(t):
    return max(*[math.sin(t), -2.0])


def with_lambda(t):
    return (lambda x: math.sin(x))(t)


def with_walrus(t):
    return (y := math.sin(t)) + 0.0 * y


def with_recursion(t, depth=3):
    return math.sin(t) if depth == 0 else with_recursion(t, depth - 1)


def with_keyword_only(t, *, scale=1.0):
    return scale * math.sin(t)


def with_many(*arguments):
    return math.sin(arguments[0])


def with_print(t):
    print(end="")
    return math.sin(t)


def with_delete(t):
    x = math.sin(t)
    y = x
    del x
    return y


def with_assertion(t):
    assert t >= 0.0
    return math.sin(t)


def with_eval(t):
    return eval("math.sin(t)", {"math": math, "t": t})  # noqa: S307


def with_fraction(t):
    from fractions import Fraction

    return Fraction(math.sin(t))


def with_array_of_one(t):
    return np.array([math.sin(t)])


def with_array_of_none(t):
    return np.array(math.sin(t))


def scaled(scale, t):
    return scale * math.sin(t)


class Callable:
    scale = 1.0

    def __call__(self, t):
        return self.scale * math.sin(t)

    def law(self, t):
        return self.scale * math.sin(t)

    @staticmethod
    def static(t):
        return math.sin(t)

    @classmethod
    def of_class(cls, t):
        return cls.scale * math.sin(t)


def decorated(function):
    @functools.wraps(function)
    def wrapper(*arguments, **keywords):
        return function(*arguments, **keywords)

    return wrapper


@decorated
def with_decorator(t):
    return math.sin(t)


@functools.cache
def with_cache(t):
    return math.sin(t)


class Memo:
    """Keeps what it computed, by its argument."""

    def __init__(self):
        self.known = {}

    def __call__(self, t):
        if t not in self.known:
            self.known[t] = math.sin(t)
        return self.known[t]


class Last:
    """Keeps the last value alone."""

    t = value = None

    def __call__(self, t):
        if t != self.t:
            self.t, self.value = t, math.sin(t)
        return self.value


def spline():
    from scipy.interpolate import CubicSpline

    return CubicSpline(np.linspace(-0.1, 1.1, 200), np.sin(np.linspace(-0.1, 1.1, 200)))


def ordinary():
    """By name: laws that all give sin(t)."""
    found = {name: f for name, f in globals().items() if name.startswith("with_")}
    found |= {"partial": functools.partial(scaled, 1.0), "object": Callable(), "method": Callable().law, "ufunc": np.sin}
    found |= {"static": Callable.static, "class method": Callable.of_class, "memo": Memo(), "last": Last(), "builtin": math.sin}
    found |= {"vectorised": np.vectorize(math.sin), "spline": spline(), "lambda": lambda t: math.sin(t)}
    return found


# what no law may return


def ends(error):
    def law(t):
        raise error

    return law


def endless(t):
    return endless(t) + 1.0


WRONG = {  # by name: a law, and words of the error
    "none": (lambda t: None, "returned None"),
    "no return": (lambda t: print(end=""), "is a return statement missing"),
    "text": (lambda t: "1.5", "returned '1.5'"),
    "text of numpy": (lambda t: np.str_("1"), "not one number"),
    "bytes": (lambda t: b"1", "not one number"),
    "nan": (lambda t: float("nan"), "a number that is not finite"),
    "infinity": (lambda t: math.inf, "a number that is not finite"),
    "root of a negative number": (lambda t: np.sqrt(np.complex128(-1.0).real - t), "a number that is not finite"),
    "complex": (lambda t: 1j, "not one number"),
    "complex without imaginary part": (lambda t: 1 + 0j, "not one number"),
    "list": (lambda t: [1.0, 2.0], "a list of 2"),
    "list of one": (lambda t: [1.0], "a list of 1"),
    "tuple of one": (lambda t: (1.0,), "a tuple of 1"),
    "array": (lambda t: np.zeros(3), "shape (3,)"),
    "array of two": (lambda t: np.array([1.0, 2.0]), "shape (2,)"),
    "empty array": (lambda t: np.zeros(0), "shape (0,)"),
    "dict": (lambda t: {}, "a dict of 0"),
    "masked": (lambda t: np.ma.masked, "not one number"),
    "time": (lambda t: np.timedelta64(3, "s"), "not one number"),
    "huge integer": (lambda t: 10**400, "not a floating-point number"),
    "function": (lambda t: math.sin, "not one number"),
}

RAISES = {  # by name: a law, and its exception
    "value": (ends(ValueError("mine")), ValueError),
    "lookup": (lambda t: {}["key"], KeyError),
    "division": (lambda t: 1.0 / (t * 0.0), ZeroDivisionError),
    "iteration": (lambda t: next(iter(())), StopIteration),
    "exit": (lambda t: sys.exit(3), SystemExit),
    "generator": (ends(GeneratorExit()), GeneratorExit),
    "interrupt": (ends(KeyboardInterrupt()), KeyboardInterrupt),
    "memory": (ends(MemoryError()), MemoryError),
    "recursion": (endless, RecursionError),
    "table": (lambda t: TABLE[int(t) + 10], IndexError),
    "name": (lambda t: undefined, NameError),  # noqa: F821
}

ARITY = {
    "none": lambda: 0.0,
    "two": lambda t, x: 0.0,
    "four": lambda t, a, b, c: 0.0,
    "keyword": lambda t, *, needed: 0.0,
}


async def waits(t):
    return 0.0


def yields(t):
    yield 0.0
