"""Analysis of a model: check, assembly, redundant constraints, dynamics at a state."""
