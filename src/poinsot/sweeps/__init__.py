"""Many variants of one system: `po.sweep`, `po.sample`, and what is kept of every run."""
