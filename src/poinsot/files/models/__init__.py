"""Models on disk: written, read, compared. Files carry no code and execute none."""
