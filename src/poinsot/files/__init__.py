"""Models and results on disk."""
