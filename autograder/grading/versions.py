"""Identifies the kit's code and the versions under it, on which every result depends."""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from functools import lru_cache
from pathlib import Path

import plnkit

_ENGINE = (
    *("processes", "model", "programs", "errors", "source"),
    *("criteria", "sandbox", "judge", "grading"),
)
"""The rooms whose code decides a result. The others only show results, or, as rubrics, have
a digest of their own: after a change there, nothing is graded again.
"""

_TEACHING_TEXT = {"messages.py"}
"""Files that decide nothing: a result keeps rule and arguments, and its text is made when shown."""

_NOT_THE_MODEL = {
    "tests",
    "benchmarks",
    "benchmark.py",
    "compile_counts.py",
    "extras.py",
    "installation.py",
    "machine.py",
    "peers.py",
    "plots",
    "race.py",
    "cli.py",
}
"""Parts of plnkit that only show and measure. Rubrics and submissions use the rest."""


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """Return the SHA-256 of the kit's code, and of the versions of what it stands on."""
    digest = hashlib.sha256(sys.version.encode())
    for package in ("jax", "jaxlib", "numpy", "optax"):
        digest.update(f"{package}=={importlib.metadata.version(package)}".encode())
    kit, model = Path(__file__).parents[1], Path(plnkit.__file__).parent
    rooms = [(kit / room, _TEACHING_TEXT) for room in _ENGINE]
    for folder, left_out in [*rooms, (model, _NOT_THE_MODEL)]:
        files = (file for kind in ("*.py", "*.csv", "*.toml") for file in folder.rglob(kind))
        for file in sorted(files):
            if not left_out & {file.name, file.relative_to(folder).parts[0]}:
                digest.update(file.read_bytes())
    return digest.hexdigest()
