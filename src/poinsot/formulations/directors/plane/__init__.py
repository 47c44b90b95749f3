"""Energy-momentum steps of planar systems: three coordinates and two numbers of attitude per body, and the rows that act in the plane.

Where all joints turn about one world axis or slide across it, and that axis is a principal axis of every body, two directors of a body stay in the
plane and the third one is constant. A pose is then (x, y, c, s): the centre of mass, and the first of the two directors, which at the stages of a
step is no unit vector. The stage equations of `stages.py` become, with i the quarter turn and J the sum of the Euler values of both directors,

    z_i = z + h sum_j a_ij w_j i z_j            moment  J z_i x sum_j A_ij (w_j i z_j - z') / h

The state is that of the spatial steps, of which these read and write the numbers in the plane: results, reactions, projections of velocities and rows
that are left out are found in space, and so are the loads of a step. Numbers out of the plane stay what they were.

    tables      which systems are planar in this sense, and the tables of those that are
    places      parts of the work array
    rows        constraint rows in the plane, their matrices and the solution of these
    stages      poses, inertia forces and loads at the stages
    solving     matrices and corrections: one stage by Newton's method, several by the simplified iteration
    step        prediction and end of a step
    one_stage, several_stages    the steps themselves
    rescue      the step in space where the iteration fails
"""
