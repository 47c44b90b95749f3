"""A System frozen into the tables that kernels read."""
