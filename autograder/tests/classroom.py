"""A class for tests: what is handed in, nbgrader as it is called, and its gradebook."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import warnings
from pathlib import Path

RIGHT = """
from functools import partial

@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
"""
ASSIGNMENT = "static_branch"


def nbgrader(course: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )


@contextlib.contextmanager
def gradebook_of(course: Path):
    from nbgrader.api import Gradebook

    with warnings.catch_warnings():  # SQLAlchemy's, about what nbgrader does
        warnings.simplefilter("ignore")
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
            yield gradebook
