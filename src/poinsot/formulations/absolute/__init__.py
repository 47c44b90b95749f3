"""What holds for bodies in absolute coordinates, whatever numbers describe their attitude.

Kernels here take a configuration (poses of all bodies, each the centre of mass and three directors, and the unwrapped angles
of the joints; `work.py`) and twists (velocity of the centre of mass and angular velocity, in the world):

    work, places    where things lie in the state and in the work array, and their names
    tables      bodies by their principal axes, constraint rows and joint coordinates as scalars of two bodies
    rows        rows on twists, inverse masses, the factor of J M^-1 J', the constrained solve
    openings    how far rows are open
    closing     poses and twists put back onto the constraints
    bodies, balls, loads    bodies in the world, forces of loads
    reactions   index-1 accelerations, multipliers, reactions
    drives      coordinates that follow signals, and the efforts that make them
    observe     results
    states      between joint coordinates and configurations
    plane/      accelerations and projections of systems that move parallel to a plane

A formulation on top of them is its state, its rates or its steps, and entries for its observations: `directors` is one.
"""
