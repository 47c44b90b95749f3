"""First guesses for the stages of Gauss methods: the polynomial through those of the last steps, continued."""

from __future__ import annotations

from poinsot.algebra.compile import helper
from poinsot.integrators.stages import weighted_sum


@helper
def extrapolate(ratio, before, nodes, barycentric, past, first, weights, rates):
    """Rates of the stages: the polynomial through the past ones, continued over a step `ratio` times as long as the last.

    The step before the last was `before` times as long as that; 0: it is not used.
    """
    s = nodes.size
    e = past.shape[0] - s
    for k in range(s):
        x = 1.0 + ratio * nodes[k]
        for j in range(s):
            weight = barycentric[j]
            for i in range(s):
                weight *= x - nodes[i] if i != j else 1.0
            weights[e + j] = weight
        for i in range(e):
            node, weight = before * (nodes[s - e + i] - 1.0), 1.0 if before > 0.0 else 0.0
            for j in range(s):
                weight *= (x - nodes[j]) / (node - nodes[j])
                weights[e + j] *= (x - node) / (nodes[j] - node) if before > 0.0 else 1.0
            for j in range(e):
                other = before * (nodes[s - e + j] - 1.0)
                weight *= (x - other) / (node - other) if j != i and before > 0.0 else 1.0
            weights[i] = weight
        weighted_sum(weights[: s + e], past, first, past.shape[1], rates[k])
