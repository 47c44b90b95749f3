"""The live page: a local server, and sliders that change values of a system."""
