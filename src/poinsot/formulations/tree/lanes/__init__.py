"""The tree for LANES variants of one model at once, in the vector registers of one core (`algebra/lanes.py`).

States and work arrays are those of the tree with the numbers of all lanes side by side. Forward dynamics is that of `forward.py`,
on numbers of another type. Loads, whose laws branch (stops, tables, angles), are summed lane by lane with the kernels of single runs.
"""
