"""No file imports one that imports it, on whatever way: inside functions, or for types alone."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGES = ("autograder", "plnkit")


def module_name(root: Path, file: Path) -> str:
    """Return the name under which a file is imported."""
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files_of(root: Path) -> dict[str, Path]:
    """Return the files of the kit, without its tests, by module name."""
    files = [file for package in PACKAGES for file in (root / package).rglob("*.py")]
    return {
        module_name(root, file): file
        for file in files
        if not {"tests", "shipped"} & set(file.relative_to(root).parts)
    }


def imports_in(source: str, modules: set[str]) -> set[str]:
    """Return the modules that a source imports, anywhere.

    `from package import name` means the module of that name, where there is one.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in modules else node.module for name in named}
    return found & modules


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return the modules of a circle, in order; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


@pytest.mark.slow
def test_no_files_import_each_other(root):
    files = files_of(root)
    assert len(files) > 300
    graph = {
        name: imports_in(file.read_text(encoding="utf-8"), set(files)) - {name}
        for name, file in files.items()
    }
    assert graph["autograder.classroom.command"] > {"autograder.classroom.grading_class"}
    assert circle_in(graph) == []


@pytest.mark.parametrize(
    "source",
    [
        "import kit.b",
        "import os, kit.b",
        "from kit import b",
        "from kit.b import x",
        "def f():\n    from kit.b import x",
        "if TYPE_CHECKING:\n    from kit.b import x",
    ],
)
def test_an_import_anywhere_counts(source):
    graph = {"kit.a": imports_in(source, {"kit", "kit.a", "kit.b"}), "kit.b": {"kit.a"}}
    assert graph["kit.a"] == {"kit.b"}
    assert set(circle_in(graph)) == {"kit.a", "kit.b"}
