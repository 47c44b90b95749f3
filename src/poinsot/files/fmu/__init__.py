"""Systems as FMUs: units for co-simulation (FMI 3.0) that other programs run."""
