"""The model: what users write down. Data only; nothing here is compiled."""
