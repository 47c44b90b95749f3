"""Elimination with a fixed pattern: analysed once, factored at every step."""
