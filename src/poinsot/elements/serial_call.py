"""Call the solvers of `serial.py`, `contacts.py` and `user_rows.py` through an address, so that only models that need them compile them."""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir
from numba import carray, cfunc, int64, types
from numba.core import cgutils
from numba.extending import intrinsic

from poinsot.elements.contacts import contact_solution
from poinsot.elements.serial import ROOM, SLIDES, TWISTS, VALUES, constraint_wrench, serial_solution
from poinsot.elements.user_rows import user_row_solution

POINTER = types.CPointer(types.float64)
FAR = 1 << 40  # nominal length of arrays behind pointers; it is not checked
FOUND = SLIDES - VALUES  # number of results
GIVEN = VALUES - TWISTS
ADDRESSES = -4096  # numbers `which` below it are minus the address of a user's function


def _solve(which, poses, near, data, out):
    serial_solution(
        which, carray(poses, (FAR,)), carray(near, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,))
    )


def _touch(which, poses, near, data, out):
    contact_solution(-which, carray(poses, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,)))


def _either(which, poses, near, data, out):
    if which < 0:
        contact_solution(-which, carray(poses, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,)))
    else:
        serial_solution(
            which, carray(poses, (FAR,)), carray(near, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,))
        )


def _row(which, poses, near, data, out):
    if which < ADDRESSES:
        user_row_solution(-which, carray(poses, (FAR,)), carray(near, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,)))
    else:
        contact_solution(-which, carray(poses, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,)))


def _any(which, poses, near, data, out):
    if which < ADDRESSES:
        user_row_solution(-which, carray(poses, (FAR,)), carray(near, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,)))
    elif which < 0:
        contact_solution(-which, carray(poses, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,)))
    else:
        serial_solution(
            which, carray(poses, (FAR,)), carray(near, (FAR,)), carray(data, (FAR,)), carray(out, (ROOM,))
        )


@cache
def called_kernel(serial: bool, contacts: bool, users: bool) -> Any:
    """What evaluates joints in series (numbers `which` from 0 on), contacts (minus their kind), users' rows (minus the address of their function).

    Kernels call its `address`.
    """
    either = _any if users else _either if contacts else _solve
    function = either if serial else _row if users else _touch
    return cfunc(types.void(int64, POINTER, POINTER, POINTER, POINTER), cache=True)(function)


def _constrain(rates, _, __, out):
    constraint_wrench(int(rates), carray(out, (ROOM,)))


@cache
def constraint_kernel() -> Any:
    """The compiled `constraint_wrench`, for `call_address`: the number of rates, two unused arrays, scratch."""
    return cfunc(types.void(types.float64, POINTER, POINTER, POINTER), cache=True)(_constrain)


@intrinsic
def _call_serial(typingctx, address, which, twists, poses, near, data):
    """Call the solver of `serial.py` at an int64 address with twists (GIVEN numbers); returns coordinates (7), gradient (12), second derivative."""
    found = types.UniTuple(types.float64, FOUND)
    signature = found(address, which, twists, poses, near, data)

    def codegen(context, builder, signature, args):
        double, index = ir.DoubleType(), ir.IntType(64)
        room = cgutils.alloca_once(builder, double, size=ir.Constant(index, ROOM))
        for k in range(GIVEN):
            builder.store(builder.extract_value(args[2], k), builder.gep(room, [ir.Constant(index, TWISTS + k)]))
        arrays = [
            builder.bitcast(cgutils.create_struct_proxy(kind)(context, builder, value=value).data, double.as_pointer())
            for kind, value in zip(signature.args[3:], args[3:])
        ]
        function_type = ir.FunctionType(ir.VoidType(), [index, *[double.as_pointer()] * 4])
        function = builder.inttoptr(args[0], function_type.as_pointer())
        builder.call(function, [args[1], *arrays, room])
        numbers = [builder.load(builder.gep(room, [ir.Constant(index, VALUES + k)])) for k in range(FOUND)]
        return context.make_tuple(builder, found, numbers)

    return signature, codegen


call_serial: Any = _call_serial  # the first argument of intrinsics is supplied by Numba
