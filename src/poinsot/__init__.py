"""Poinsot: dynamics of rigid multibody systems that stays true over long times."""

from poinsot._cache import prepare_cache

prepare_cache()  # before anything imports Numba
