"""The corpus of the tests, as they read and load it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.lessons.verification.cases import CaseText, read_cases

CORPUS = Path(__file__).parents[1] / "corpus"


def corpus_cases(*names: str) -> list[CaseText]:
    """Return the cases of files of the corpus, or of all files of a folder."""
    paths = [
        path
        for name in names
        for path in sorted((CORPUS / name).glob("*.py")) or [CORPUS / f"{name}.py"]
    ]
    return [case for path in paths for case in read_cases(path)]


def read_head(path: Path) -> str:
    """Return what stands before the first case of a file."""
    return path.read_text(encoding="utf-8").split("# %% ")[0]


def write_case(case: CaseText, folder: Path) -> Path:
    """Write a case to a file of its own, as students have theirs."""
    path = folder / f"{case.name}.py"
    path.write_text(case.text, encoding="utf-8")
    return path


def load(path: Path) -> ModuleType:
    """Run the file of a case as a module, which `sys.modules` keeps: dataclasses look there."""
    name = f"corpus_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


_LIBRARIES = ("jax", "numpy", "optax", "plnkit")


def _functions_of_libraries() -> Iterator[tuple[dict[str, Any], str, Any]]:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _LIBRARIES:
            for key, value in list(vars(module).items()):
                if callable(value) or isinstance(value, list):
                    yield vars(module), key, value


@contextmanager
def unpatched_libraries() -> Iterator[None]:
    """Put back what a case replaces in the modules of libraries, for the tests that come next."""
    before = list(_functions_of_libraries())
    try:
        yield
    finally:
        for namespace, key, value in before:
            if namespace.get(key) is not value:
                namespace[key] = value
