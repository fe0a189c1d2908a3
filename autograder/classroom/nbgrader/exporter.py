"""Reads submissions of any shape: what nbgrader cannot read would abort the grading of a class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter

from autograder.classroom.handover import find_handover
from autograder.core.notebook import KIT_METADATA, nbformat
from autograder.grading.pipeline import prepare
from autograder.lessons.authoring import released_version

INTAKE = "intake"
"""In the notebook's kit metadata: what was repaired, for the preprocessors after this one."""


class TolerantExporter(NotebookExporter):
    """In place of nbconvert's exporter, for `Autograde` only."""

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> Any:
        autograde: Any = self.parent
        if not getattr(autograde, "_sanitizing", False) or resources is None:
            return super().from_file(file_stream, resources, **kw)
        names = resources["nbgrader"]
        folder = autograde.coursedir.format_path(
            autograde.coursedir.source_directory, ".", names["assignment"]
        )
        known = released_version(Path(folder) / f"{names['notebook']}.ipynb")
        if known is None:
            notebook = nbformat.read(file_stream, as_version=4)
            # The source folder alone says what is a lesson of the kit, never the submission.
            notebook["metadata"].pop(KIT_METADATA, None)
            return self.from_notebook_node(notebook, resources=resources, **kw)
        handover = find_handover(names["assignment"], names["student"])
        if handover is not None:
            return self.from_notebook_node(handover.repaired.notebook, resources=resources, **kw)
        submitted = Path(file_stream.name)
        repaired = prepare(submitted.read_bytes(), submitted.name, known)
        repaired.notebook["metadata"][KIT_METADATA][INTAKE] = {
            "notes": list(repaired.notes),
            "unreadable": repaired.unreadable,
        }
        return self.from_notebook_node(repaired.notebook, resources=resources, **kw)
