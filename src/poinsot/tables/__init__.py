"""The tables that compiled kernels read, and the types of what kernels exchange: the same for every model."""
