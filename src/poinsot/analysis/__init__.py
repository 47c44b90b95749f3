"""What can be said of a model: check, dynamics at a state."""
