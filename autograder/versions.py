"""What a result depends on besides the submission: our own code and the versions under it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import plnkit

_NOT_THE_ENGINE = {
    "tests",
    "rubrics",
    "classroom",
    "nbgrader_bridge",
    "verification",
    "learning",
    "benchmarks",
    "card",
    "cli.py",
    "course.py",
    "demo.py",
    "doctor.py",
}
"""What cannot change a result: it comes after the store, or, as rubrics, has a digest of its own.

Mending one lesson, or the look of a table, must not have everything graded again.
"""


_NOT_THE_MODEL = {
    "tests",
    "benchmarks",
    "benchmark.py",
    "compile_counts.py",
    "machine.py",
    "peers.py",
    "plots",
    "race.py",
    "cli.py",
}
"""Of plnkit, which rubrics and submissions use: what shows and measures, and computes nothing."""


def _sources(package: Path, left_out: set[str]) -> Iterator[Path]:
    for file in sorted(package.rglob("*.py")):
        if file.relative_to(package).parts[0] not in left_out:
            yield file


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """SHA-256 over the sources of autograder and plnkit and the versions of what they stand on."""
    digest = hashlib.sha256(sys.version.encode())
    for package in ("jax", "jaxlib", "numpy", "optax"):
        digest.update(f"{package}=={importlib.metadata.version(package)}".encode())
    own = Path(__file__).parent
    model = Path(plnkit.__file__).parent
    for file in (*_sources(own, _NOT_THE_ENGINE), *_sources(model, _NOT_THE_MODEL)):
        digest.update(file.read_bytes())
    return digest.hexdigest()
