"""Colours of curves: the same in figures and in the page (`web/format.js` repeats them)."""

CURVES = ("#3a6ea5", "#cf7a2c", "#3c8f6b", "#b04a5a", "#7b62a8", "#8a7a35", "#2f8f9d", "#a35c8f")
ENERGIES = {"energy": CURVES[0], "kinetic": CURVES[1], "potential": CURVES[2]}
