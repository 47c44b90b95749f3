"""Results on disk: saved, loaded, streamed, resumed; and as labelled arrays."""
