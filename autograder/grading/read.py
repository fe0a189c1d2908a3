"""Reading a submitted notebook, whatever state it is in."""

from __future__ import annotations

from pathlib import Path

from autograder.core.notebook import KIT_METADATA, Notebook, cells_of, nbformat
from autograder.grading import messages


class UnreadableNotebook(Exception):
    """The file is not a notebook; the message is for the student."""


def read_notebook(path: Path) -> Notebook:
    """Read a notebook file.

    Raises:
        UnreadableNotebook: the file is missing, not JSON, or not a notebook.
    """
    try:
        node = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
        cells = cells_of(node)
        lesson = str(node["metadata"].get(KIT_METADATA, {}).get("lesson", ""))
    except OSError as error:
        raise UnreadableNotebook(
            messages.UNREADABLE_NOTEBOOK.format(path=path.name, problem=error.strerror)
        ) from None
    except Exception as error:  # nbformat lets KeyError, AttributeError and its own through
        problem = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise UnreadableNotebook(
            messages.UNREADABLE_NOTEBOOK.format(path=path.name, problem=problem)
        ) from None
    return Notebook(lesson, cells)
