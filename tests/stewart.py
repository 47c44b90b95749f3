"""The Stewart platform of the study dumitriu2016, for tests."""

from poinsot.studies.dumitriu2016_stewart import FORCES, stewart

__all__ = ["FORCES", "stewart"]
