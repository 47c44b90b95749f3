"""Comparing formulations and integrators on one system: error, drift and cost of each."""
