"""The same equations for trees whose joints all turn about one direction or slide perpendicular to it: three coordinates per body.

Links are described in axes of the plane that do not turn, so that the elimination moves inertias without turning them. With al the angular
acceleration of a link and a the acceleration of its origin, the wrench that accelerates link and subtree, at its origin, is

    [n]   [I  h'] [al]   [n]
    [f] = [h  M ] [a ] + [f]

The state is that of the tree, and so are all kernels that results need: loads may act in any direction, and joints transmit what holds the links in
the plane. Which trees are planar: `layout/plane_tables.py`.

    work        the block of a link
    motion      from coordinates and rates outward
    folding     the elimination, and accelerations
    bodies      states of bodies in the world for loads, and their wrenches in the plane
    rates       what integrators ask for; `loops/`: the same with loops
"""
