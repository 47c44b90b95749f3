"""Results on disk: saved, loaded, streamed, gone on with; and as labelled arrays."""
