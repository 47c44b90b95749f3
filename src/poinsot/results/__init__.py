"""What a run computed: trajectory and audit."""
