"""Studies: published cases, run with the public interface and compared number by number."""
