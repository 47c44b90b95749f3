"""When projections of closed trees end, spatial and planar ones."""

SLOW = 0.01  # a correction that leaves a larger part of the gaps is the last with its factor
RATES_ROUNDING = 1e-15  # of the largest rate: what velocities cannot tell
