"""The released version of a lesson, made again from a course's source folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from autograder.core.notebook import KIT_METADATA, nbformat
from autograder.lessons.authoring import released


def released_version(source: Path) -> Any:
    """The notebook of a source folder as students were given it; None when it is not the kit's."""
    if not source.is_file():
        return None
    notebook = nbformat.read(source, as_version=4)
    if KIT_METADATA not in notebook["metadata"]:
        return None
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = released(cell)
    return notebook
