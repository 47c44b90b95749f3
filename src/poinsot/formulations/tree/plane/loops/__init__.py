"""Planar trees with loops: what `formulations/tree/loops` does, in the plane, where all scalars of the rows are of the kinds in `scalars.py`.

    scalars       values, rates, gradients and second derivatives of scalars of two bodies
    rows          wrenches of the rows along the tree, the matrix and its factor, what multipliers do
    projection    states put back onto the constraints
    rates         what integrators ask for
    nearby        the rate beside a state at which it is known

Rows are those of the spatial tree, left in or out as there, so that everything outside of the rates is the same.
"""
