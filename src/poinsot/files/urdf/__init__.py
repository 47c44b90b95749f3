"""Robots described in URDF, read as systems."""
