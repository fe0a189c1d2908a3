"""Runs the student's notebooks as they are shipped, several at a time, and remembers the outputs.

What fails on purpose fails on the page too. The checks are left to the reader's own copy: of a
starter they say what the lesson wants to be found out.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path
from typing import Any
from unittest.mock import patch

from nbclient.exceptions import DeadKernelError

from autograder.grading.store import engine_digest
from autograder.lessons.authoring import is_check
from autograder.lessons.lesson import LessonError
from autograder.lessons.site.running import CPU
from autograder.lessons.verification.kernel_runs import run_notebook
from autograder.model.notebook import NotebookNode, nbformat

_VARIES = (
    (re.compile(r"0x[0-9a-f]{6,}"), "0x..."),
    (re.compile(r"/[^\s:\"']*/ipykernel_\d+/\d+\.py"), "<cell>"),
    (re.compile(r"/[^\s:\"']*/(site-packages|lib/python3\.\d+)/"), r"\1/"),
)
"""What differs from one run or machine to the next, and says nothing to a reader."""


def run_course(
    notebooks: Mapping[str, str], cache: Path, jobs: int, say: Callable[[str], None]
) -> dict[str, NotebookNode]:
    """Run notebooks, each in a kernel of its own, and return them with their outputs.

    Args:
        notebooks: the texts of the notebooks, by file name.
        cache: a folder that remembers outputs, by what they depend on.
        jobs: how many run at a time.
        say: called with the name of each, as it begins.

    Raises:
        LessonError: a notebook ended its kernel.
    """

    def run(name: str) -> NotebookNode:
        kept = cache / f"{_digest(notebooks[name])}.ipynb"
        if not kept.is_file():
            say(name)
            notebook = run_shown(nbformat.reads(notebooks[name], as_version=4), name)
            kept.parent.mkdir(parents=True, exist_ok=True)
            nbformat.write(notebook, kept)
        return nbformat.read(kept, as_version=4)

    # The kernels inherit it: a page shows what a CPU says, whatever the machine has.
    with patch.dict("os.environ", CPU), ThreadPoolExecutor(jobs) as pool:
        return dict(zip(notebooks, pool.map(run, notebooks), strict=True))


def _digest(text: str) -> str:
    versions = (sys.version, metadata.version("jax"), metadata.version("ipykernel"))
    return hashlib.sha256(repr((text, engine_digest(), versions)).encode()).hexdigest()[:32]


def run_shown(notebook: NotebookNode, name: str) -> NotebookNode:
    """Run a notebook's cells but its checks, whatever fails, and return it with its outputs."""
    to_run = [cell for cell in notebook["cells"] if not is_check(cell)]
    try:
        run_notebook(NotebookNode({**notebook, "cells": to_run}))
    except DeadKernelError:
        raise LessonError(f"{name}: a cell ends the kernel") from None
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = _steady(cell["outputs"])
    return notebook


def _steady(value: Any) -> Any:
    """Return outputs without what differs from run to run."""
    if isinstance(value, str):
        for pattern, instead in _VARIES:
            value = pattern.sub(instead, value)
        return value
    if isinstance(value, Mapping):
        return NotebookNode({key: _steady(part) for key, part in value.items()})
    return [_steady(part) for part in value] if isinstance(value, Sequence) else value
