"""The model as users write it. Data only; nothing here is compiled."""
