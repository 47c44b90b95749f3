"""The same equations for systems that move parallel to a plane: three coordinates per body, and the rows that act in the plane.

Where all joints turn about one world axis or slide across it, and that axis is a principal axis of every body, two directors of a body stay in the
plane and the third one is constant. A pose is then (x, y, c, s): the centre of mass, and the first of the two directors, which beside the constraints
is no unit vector. The state is that in space, of which kernels here read and write the numbers in the plane; those out of it stay what they were.
Loads act in any direction and see bodies in space, reactions and redundant constraints out of the plane are found in space.

    tables      which systems are planar in this sense, and the tables of those that are
    places      numbers of the state in the plane, and parts of the work array
    bodies      blocks of bodies from poses and twists, and back
    rows        values, gradients and second derivatives of the rows in the plane
    matrix      their matrix, and solutions with its factor
    rates       index-1 accelerations: `accelerations` of `absolute/rates.py`
    closing     poses and twists put back onto the constraints: `put_back` of `absolute/put_back.py`

A formulation with rates uses these two in place of those in space; energy-momentum steps are in `directors/plane/`.
"""
