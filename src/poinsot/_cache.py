"""Where compiled kernels are kept: a directory keyed on everything that went into them.

Numba's file cache does not notice that a callee in another file changed: a cached caller silently keeps the old one. So the
cache directory carries a hash of all sources that kernels can depend on, of the Python version and of the Numba version; a change of any of them
starts an empty cache. It lies in the user's cache directory, or in a temporary one when that cannot be written.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

# rooms that come after all kernels, which cannot import them; `tests/test_house.py` holds the order
WITHOUT_KERNELS = ("progress", "interrupts", "driver", "plans", "starts", "events", "failures", "simulation", "files", "view", "studies", "cli")


def source_hash() -> str:
    """Hash of all sources that kernels can depend on, of the Python and of the Numba version: 16 hexadecimal digits."""
    digest = hashlib.sha256(f"{sys.version} numba {version('numba')} {platform.machine()}".encode())
    package = Path(__file__).parent
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0].removesuffix(".py") in WITHOUT_KERNELS:
            continue
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The user's cache directory for compiled kernels: `POINSOT_CACHE`, `XDG_CACHE_HOME` or `~/.cache`."""
    if "POINSOT_CACHE" in os.environ:
        return Path(os.environ["POINSOT_CACHE"])
    if os.environ.get("XDG_CACHE_HOME"):
        return Path(os.environ["XDG_CACHE_HOME"]) / "poinsot"
    try:
        return Path.home() / ".cache" / "poinsot"
    except RuntimeError:  # no home directory
        return Path(tempfile.gettempdir()) / "poinsot"


def prepare_cache() -> None:
    """Point Numba at the cache directory; must run before Numba is imported. A `NUMBA_CACHE_DIR` of the user's is respected."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    directory = cache_root() / source_hash()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError:
        directory = Path(tempfile.mkdtemp(prefix="poinsot-"))
    os.environ["NUMBA_CACHE_DIR"] = str(directory)
    numba = sys.modules.get("numba")
    if numba is not None:  # imported before us: its settings were read already
        numba.config.CACHE_DIR = str(directory)
