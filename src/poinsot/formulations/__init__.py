"""How a layout becomes equations: one module or folder per formulation."""
