"""The pattern of J M^-1 J' and of its Cholesky factor, analysed once.

Constraint rows come in groups of three, so that all blocks are 3x3 and unrolled; unused rows of a group are empty. A
group acts on some bodies through its legs, one per body other than the ground. Two groups couple when they share a
body. Groups are eliminated in minimum-degree order and numbered in that order, so that a kernel runs through
them from 0 on. On trees, and on loops that are only locally coupled, the factor has O(N) blocks.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

# The pattern is one array of integers. Its head: counts, then the offsets of the sections.
GROUPS, LEGS, BLOCKS, PAIRS = 0, 1, 2, 3
LEG_START, LEG_BODY, COLUMN_START, COLUMN_ROW, UPDATE, PAIR, EMPTY = 4, 5, 6, 7, 8, 9, 10
PATTERN_HEAD = 11


@dataclass(frozen=True)
class Pattern:
    """A pattern, ready for kernels.

    Attributes
    ----------
    order : for each position of the elimination its group, as numbered by the caller
    leg_start : (groups + 1,) first leg of every group, in the order of the elimination
    leg_body : (legs,) body of every leg
    numbers : the array that kernels read
    """

    order: list[int]
    leg_start: np.ndarray
    leg_body: np.ndarray
    numbers: np.ndarray


def analyse(bodies_of: list[list[int]], filled: list[int]) -> Pattern:
    """Pattern of groups that act on the given bodies (the ground left out); `filled` is how many of the three rows are used.

    The last patterns are remembered: systems of the same structure share them, and nobody writes to them.
    """
    return _analysed(tuple(map(tuple, bodies_of)), tuple(filled))


@lru_cache(maxsize=32)
def _analysed(bodies_of: tuple[tuple[int, ...], ...], filled: tuple[int, ...]) -> Pattern:
    attached: dict[int, list[int]] = {}
    for group, bodies in enumerate(bodies_of):
        for body in bodies:
            attached.setdefault(body, []).append(group)
    order, columns = _least_degree(len(bodies_of), attached.values())
    place = {group: k for k, group in enumerate(order)}
    rows = [sorted(place[g] for g in columns[group]) for group in order]
    block = {(k, k): k for k in range(len(order))}
    column_start = np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int64)
    for k, below in enumerate(rows):
        for n, row in enumerate(below):
            block[row, k] = len(order) + int(column_start[k]) + n
    update = [block[b, a] for below in rows for n, a in enumerate(below) for b in below[n:]]
    leg_start = np.concatenate([[0], np.cumsum([len(bodies_of[g]) for g in order])]).astype(np.int64)
    leg_body = np.array([body for g in order for body in bodies_of[g]], np.int64)
    pair = _pairs(order, bodies_of, leg_start, block)
    sections = {
        LEG_START: leg_start,
        LEG_BODY: leg_body,
        COLUMN_START: column_start,
        COLUMN_ROW: np.array([row for below in rows for row in below], np.int64),
        UPDATE: np.array(update, np.int64),
        PAIR: np.array(pair, np.int64).ravel(),
        EMPTY: np.array([int(k >= filled[g]) for g in order for k in range(3)], np.int64),
    }
    head = np.zeros(PATTERN_HEAD, np.int64)
    head[[GROUPS, LEGS, BLOCKS, PAIRS]] = len(order), len(leg_body), len(order) + column_start[-1], len(pair)
    position = PATTERN_HEAD
    for name, section in sections.items():
        head[name] = position
        position += len(section)
    return Pattern(order, leg_start, leg_body, np.concatenate([head, *sections.values()]))


def _least_degree(groups: int, cliques: Iterable[list[int]]) -> tuple[list[int], list[set[int]]]:
    """Order of elimination, and for every group its neighbours that remain when it is eliminated."""
    neighbours: list[set[int]] = [set() for _ in range(groups)]
    for clique in cliques:
        for group in clique:
            neighbours[group].update(clique)
    for group, others in enumerate(neighbours):
        others.discard(group)
    heap = [(len(others), group) for group, others in enumerate(neighbours)]
    heapq.heapify(heap)
    order: list[int] = []
    gone = [False] * groups
    while heap:
        degree, group = heapq.heappop(heap)
        if gone[group] or degree != len(neighbours[group]):
            continue
        gone[group] = True
        order.append(group)
        for other in neighbours[group]:
            neighbours[other].discard(group)
            neighbours[other].update(neighbours[group])
            neighbours[other].discard(other)
            heapq.heappush(heap, (len(neighbours[other]), other))
    return order, neighbours


def _pairs(
    order: list[int], bodies_of: Sequence[Sequence[int]], leg_start: np.ndarray, block: dict[tuple[int, int], int]
) -> list[tuple[int, int, int]]:
    """(block, leg of its row, leg of its column) of every product that contributes to the matrix."""
    legs: dict[int, list[tuple[int, int]]] = {}
    for k, group in enumerate(order):
        for n, body in enumerate(bodies_of[group]):
            legs.setdefault(body, []).append((k, int(leg_start[k]) + n))
    found = [
        (block[row, column], i, j) for own in legs.values() for column, j in own for row, i in own if row >= column
    ]
    return sorted(found)
