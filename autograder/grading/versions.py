"""Identifies the kit's code and the versions under it, on which every result depends."""

from __future__ import annotations

import hashlib
import importlib.metadata
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import plnkit

_ENGINE = ("core", "criteria", "grading", "judge", "sandbox")
"""The rooms whose code decides a result. The others only show results, or, as rubrics, have
a digest of their own: after a change there, nothing is graded again.
"""

_TEACHING_TEXT = "messages.py"
"""Files that decide nothing: a result keeps rule and arguments, and its text is made when shown."""

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
"""Parts of plnkit that only show and measure. Rubrics and submissions use the rest."""


def _sources(package: Path, left_out: set[str]) -> Iterator[Path]:
    for file in sorted(package.rglob("*.py")):
        if file.relative_to(package).parts[0] not in left_out:
            yield file


def _engine() -> Iterator[Path]:
    kit = Path(__file__).parents[1]
    for room in _ENGINE:
        files = sorted(f for kind in ("*.py", "*.toml") for f in (kit / room).rglob(kind))
        yield from (f for f in files if f.name != _TEACHING_TEXT)


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """SHA-256 over the sources of autograder and plnkit and the versions of what they stand on."""
    digest = hashlib.sha256(sys.version.encode())
    for package in ("jax", "jaxlib", "numpy", "optax"):
        digest.update(f"{package}=={importlib.metadata.version(package)}".encode())
    model = Path(plnkit.__file__).parent
    for file in (*_engine(), *_sources(model, _NOT_THE_MODEL)):
        digest.update(file.read_bytes())
    return digest.hexdigest()
