"""The process is read as paths and tokens, and restored as it was."""

from __future__ import annotations

import logging
import os
import random
import sys
import types
import warnings
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.criteria.purity.process import Process
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.walk import Snapshot, changes


def read(process: Process, saving: bool = False) -> Snapshot:
    shot = Snapshot()
    process.read_into(shot, saving)
    return shot


CHANGES: dict[str, tuple[str, str, Callable[[], object]]] = {
    "option": (
        "configuration",
        "jax.config.jax_debug_nans",
        lambda: jax.config.update("jax_debug_nans", True),
    ),
    "variable": (
        "environment",
        "os.environ['OF_MINE']",
        lambda: os.environ.__setitem__("OF_MINE", "1"),
    ),
    "module": (
        "interpreter",
        "sys.modules['of_mine']",
        lambda: sys.modules.__setitem__("of_mine", types.ModuleType("of_mine")),
    ),
    "name": ("module", "jax.numpy.of_mine", lambda: setattr(jnp, "of_mine", 1)),
    "folder": ("interpreter", "os.getcwd()", lambda: os.chdir("..")),
    "limit": ("interpreter", "sys.recursionlimit", lambda: sys.setrecursionlimit(12345)),
    "errors": ("interpreter", "numpy.geterr()", lambda: np.seterr(divide="ignore")),
    "printing": (
        "interpreter",
        "numpy.get_printoptions()",
        lambda: np.set_printoptions(precision=3),
    ),
    "filters": (
        "interpreter",
        "warnings.filters",
        lambda: warnings.filterwarnings("ignore", "of mine"),
    ),
    "handlers": (
        "interpreter",
        "logging.handlers",
        lambda: logging.root.addHandler(logging.NullHandler()),
    ),
    "python_random": ("random", "random.getstate()", random.random),
    "numpy_random": ("random", "numpy.random.get_state()", lambda: np.random.rand()),  # noqa: NPY002
}


@pytest.mark.parametrize("way", CHANGES)
def test_a_change_is_read_and_restored(way: str) -> None:
    kind, path, change = CHANGES[way]
    student = StudentModule.of(types.ModuleType("student"), read)
    process = Process(student)
    start = read(process, saving=True)
    assert changes(start, read(process)) == []
    change()
    try:
        found = changes(start, read(process))
        assert [(c.kind, c.path, c.of_process) for c in found] == [(kind, path, True)]
    finally:
        start.restore()
    assert changes(start, read(process)) == []
