"""The block of a link in the plane, at the beginning of the work array of the tree. All vectors in axes that do not turn."""

from __future__ import annotations

ANGLE, TURN = 0, 1  # of the link; cosine and sine of that angle
SPIN, PLACE, VELOCITY = 3, 4, 6  # angular velocity; place and velocity of the origin
OFFSET, AXIS = 8, 10  # from the parent's origin; displacement per coordinate where it slides
PRODUCTS = 12  # velocity products in the acceleration of the origin
FREE, GAIN, ROOT = 14, 15, 18  # of the elimination: what is free of the parent's motion; gains (of al and of a); square root of the inverse inertia
ALPHA, ACCELERATION = 19, 20  # gravity is taken as an acceleration of the ground
EXTERNAL, NEEDED = 22, 25  # moment about the origin and force: from outside, and what given accelerations need beyond it
PLANE_BLOCK = 28

# slot: articulated inertia (I, h, M as xx, xy, yy) and bias (n, f) of all children of a link, about its origin
INERTIA, COUPLING, MASS, BIAS = 0, 1, 3, 6
