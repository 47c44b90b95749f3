"""Colours of curves and solids: the same in figures and in the page (`web/format.js` and `web/page.css` repeat them)."""

CURVES = ("#3a6ea5", "#cf7a2c", "#3c8f6b", "#b04a5a", "#7b62a8", "#8a7a35", "#2f8f9d", "#a35c8f")
ENERGIES = {"energy": CURVES[0], "kinetic": CURVES[1], "potential": CURVES[2]}
SOLIDS = ("#7f9bb8", "#c9a36a", "#8fae8b", "#b98a86", "#9a91bb", "#b3ab84", "#79a7ab", "#b590a8")  # of bodies, used cyclically
IRON, GRID, SCENE, INK = "#434d59", "#c2c9d1", "#eef1f4", "#1e2530"  # marks of joints, lines of the floor, background, text
