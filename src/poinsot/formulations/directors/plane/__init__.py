"""Energy-momentum steps of planar systems: three coordinates and two numbers of attitude per body, and the rows that act in the plane.

Which systems, and how a pose is described, is in `absolute/plane/`; at the stages of a step the first director is no unit vector. The stage equations
of `stages.py` become, with i the quarter turn and J the sum of the Euler values of both directors,

    z_i = z + h sum_j a_ij w_j i z_j            moment  J z_i x sum_j A_ij (w_j i z_j - z') / h

The state is that of the spatial steps, of which these read and write the numbers in the plane: results, reactions, projections of velocities and rows
that are left out are found in space, and so are the loads of a step. Numbers out of the plane stay what they were.

    places      parts of the work array
    rows        rows at the stages, their matrices and the solution of these
    stages      poses, inertia forces and loads at the stages
    solving     matrices and corrections: one stage by Newton's method, several by the simplified iteration
    step        prediction and end of a step
    one_stage, several_stages    the steps themselves
    rescue      the step in space where the iteration fails
"""
