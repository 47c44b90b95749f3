"""The motions that a few rows J v = b leave free, by elimination; the rate that every row gives is chosen by the size of its pivot.

What is eliminated, row by row, is (J, 1): the n rates and the m columns of the unit matrix, filled up with zeros to a width of whole lanes. It
becomes (W, D), with a one in every row at the rate that the row gives and zeros there in all others, so that

    v_given = D b - W v_free

for any b. Rates that no row gives are free. D is an inverse: a product with it takes less time than two triangles of this size.
"""

from __future__ import annotations

from math import sqrt

from poinsot.algebra.bounds import LANES
from poinsot.algebra.compile import helper, kernel
from poinsot.algebra.lane_arrays import lane_array
from poinsot.algebra.lanes import in_all_lanes


@kernel
def whole(count):
    """The least multiple of LANES that is not less."""
    return (count + LANES - 1) // LANES * LANES


@helper
def begin(table, first, rates, rows, square):
    """Rows of (0, 1), or of zeros, at `first` of `table`, for J to be written to; each is whole(n + m) long."""
    width = whole(rates + rows)
    lanes = lane_array(table, first)
    for c in range(rows * width // LANES):
        lanes[c] = in_all_lanes(0.0)
    if square:
        for r in range(rows):
            table[first + r * width + rates + r] = 1.0


@helper
def eliminate(table, first, rows, reaches, least, given):
    """Eliminate (J, 1) at `first` of `table`; given[:m] become the rates that rows give, given[m:] those that are free.

    Pivots are compared after multiplication with the reaches (n) of their rates. False where one is less than `least` times the largest number of
    its row of J; nothing is usable then.
    """
    rates = reaches.shape[0]
    width = whole(rates + rows)
    lanes, groups = lane_array(table, first), width // LANES
    for r in range(rows):
        largest = 0.0
        for k in range(rates):
            largest = max(largest, abs(table[first + r * width + k]) * reaches[k])
        given[r] = least * largest
    for r in range(rows):
        base, chosen, largest = first + r * width, 0, 0.0
        for k in range(rates):
            size = abs(table[base + k]) * reaches[k]
            if size > largest:
                chosen, largest = k, size
        if not (largest >= given[r] and largest > 0.0):  # also true for NaN
            return False
        given[r] = chosen
        pivot, used = 1.0 / table[base + chosen], (rates + r) // LANES + 1  # behind that there are only zeros, and ones of later rows
        for c in range(used):
            lanes[r * groups + c] = pivot * lanes[r * groups + c]
        for i in range(rows):
            if i != r:
                part = table[first + i * width + chosen]
                for c in range(used):
                    lanes[i * groups + c] = lanes[i * groups + c] - part * lanes[r * groups + c]
    count = rows
    for k in range(rates):
        free = True
        for r in range(rows):
            free &= given[r] != k
        if free:
            given[count] = k
            count += 1
    return True


@kernel
def take_given(table, first, given, right, weights, v):
    """v_given -= D right. Returns the largest change relative to the weights."""
    rows, rates, largest = right.shape[0], weights.shape[0], 0.0
    width = whole(rates + rows)
    for r in range(rows):
        base, total, k = first + r * width + rates, 0.0, int(given[r])
        for c in range(rows):
            total += table[base + c] * right[c]
        v[k] -= total
        largest = max(largest, abs(total) * weights[k])
    return largest


@kernel
def solve_few(matrix, x):
    """Replace x by S^-1 x, S symmetric and positive, row by row in `matrix`, which is overwritten by its factor."""
    n = x.shape[0]
    for j in range(n):
        for i in range(j, n):
            total = matrix[n * i + j]
            for k in range(j):
                total -= matrix[n * i + k] * matrix[n * j + k]
            matrix[n * i + j] = total
        matrix[n * j + j] = 1.0 / sqrt(matrix[n * j + j])
        for i in range(j + 1, n):
            matrix[n * i + j] *= matrix[n * j + j]
    solve_again(matrix, x)


@kernel
def solve_again(matrix, x):
    """The same with the factor."""
    n = x.shape[0]
    for i in range(n):
        for k in range(i):
            x[i] -= matrix[n * i + k] * x[k]
        x[i] *= matrix[n * i + i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= matrix[n * k + i] * x[k]
        x[i] *= matrix[n * i + i]
