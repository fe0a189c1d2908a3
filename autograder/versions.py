"""What a result depends on besides the submission: our own code and the versions under it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """SHA-256 over the autograder's sources and the versions of Python, jax and jaxlib."""
    digest = hashlib.sha256(sys.version.encode())
    for package in ("jax", "jaxlib", "numpy", "optax"):
        digest.update(f"{package}=={importlib.metadata.version(package)}".encode())
    folder = Path(__file__).parent
    for file in sorted(folder.rglob("*.py")):
        if "tests" not in file.relative_to(folder).parts:
            digest.update(file.read_bytes())
    return digest.hexdigest()
