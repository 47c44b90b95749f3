"""Results of a run: trajectory and audit."""
