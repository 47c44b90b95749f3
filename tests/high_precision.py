"""Accelerations of a chain of bodies on balls in 40 digits, by another way than the package's: joint forces first.

The forces of the joints follow from the condition that neighbouring bodies share the acceleration of their joint
point: a block-tridiagonal system with 3x3 blocks. Everything is in world axes and in numbers of mpmath, held in NumPy
object arrays.
"""

import mpmath
import numpy as np

mpmath.mp.dps = 40


def exact(values):
    return np.array([mpmath.mpf(float(x)) for x in np.ravel(values)], dtype=object).reshape(np.shape(values))


def hat(v):
    zero = mpmath.mpf(0)
    return np.array([[zero, -v[2], v[1]], [v[2], zero, -v[0]], [-v[1], v[0], zero]], dtype=object)


def rotation(q):
    """Rotation matrix of a quaternion of any length."""
    w, x, y, z = q
    k = 2 / (w * w + x * x + y * y + z * z)
    return np.array(
        [
            [1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)],
            [k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x)],
            [k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)],
        ],
        dtype=object,
    )


def inverse(A):
    a, b, c = np.cross(A[1], A[2]), np.cross(A[2], A[0]), np.cross(A[0], A[1])
    return np.array([a, b, c], dtype=object).T / (A[0] @ a)


def chain_accelerations(masses, inertias, arms, lengths, quaternions, rates, gravity):
    """Derivatives of the rates (n, 3) of a hanging chain.

    masses (n,); inertias (n, 3, 3) about the centres of mass, body axes; arms, lengths (n, 3): from a body's inner
    joint to its centre of mass and to its outer joint, body axes; quaternions (n, 4) and rates (n, 3, in the outer
    body's axes) of the joints; body axes are parallel to the world's when all quaternions are the identity.
    """
    n = len(masses)
    g = exact(gravity)
    R, w = [], []
    turn, spin = exact(np.eye(3)), exact(np.zeros(3))
    for q, u in zip(exact(quaternions), exact(rates)):
        turn = turn @ rotation(q)
        spin = spin + turn @ u
        R.append(turn)
        w.append(spin)
    masses, inertias, arms, lengths = exact(masses), exact(inertias), exact(arms), exact(lengths)
    J = [R[k] @ inertias[k] @ R[k].T for k in range(n)]
    Ji = [inverse(x) for x in J]
    inner = [-(R[k] @ arms[k]) for k in range(n)]  # from the centre of mass to the inner joint
    outer = [R[k] @ (lengths[k] - arms[k]) for k in range(n)]
    gyro = [np.cross(w[k], J[k] @ w[k]) for k in range(n)]

    def flexibility(k, p, s):
        """Acceleration at the arm p of body k per force at the arm s."""
        return exact(np.eye(3)) / masses[k] - hat(p) @ Ji[k] @ hat(s)

    def drift(k, p):
        """Acceleration at the arm p of body k without joint forces."""
        return g - np.cross(Ji[k] @ gyro[k], p) + np.cross(w[k], np.cross(w[k], p))

    diagonal, off, right = [], [], []
    for k in range(n):  # joint k: acceleration of body k's inner point = that of body k - 1's outer point; force f_k acts on body k
        D, b = flexibility(k, inner[k], inner[k]), -drift(k, inner[k])
        if k > 0:
            D, b = D + flexibility(k - 1, outer[k - 1], outer[k - 1]), b + drift(k - 1, outer[k - 1])
        diagonal.append(D)
        right.append(b)
        off.append(-flexibility(k, inner[k], outer[k]))  # joint k by the force of joint k + 1, which pulls body k back
    for k in range(n - 2, -1, -1):
        gain = off[k] @ inverse(diagonal[k + 1])
        diagonal[k] = diagonal[k] - gain @ off[k].T
        right[k] = right[k] - gain @ right[k + 1]
    forces = []
    for k in range(n):
        b = right[k] if k == 0 else right[k] - off[k - 1].T @ forces[-1]
        forces.append(inverse(diagonal[k]) @ b)
    result, below = [], exact(np.zeros(3))
    u = exact(rates)
    for k in range(n):
        pull = forces[k + 1] if k + 1 < n else exact(np.zeros(3))
        alpha = Ji[k] @ (np.cross(inner[k], forces[k]) - np.cross(outer[k], pull) - gyro[k])
        result.append(R[k].T @ (alpha - below - np.cross(w[k], R[k] @ u[k])))
        below = alpha
    return np.array(result, dtype=object).astype(float)
