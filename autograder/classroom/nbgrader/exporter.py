"""Reads submissions of any shape: what nbgrader cannot read would abort the grading of a class."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter

from autograder.core.notebook import KIT_METADATA, nbformat
from autograder.grading.repair import repair
from autograder.lessons.authoring import released_version

INTAKE = "intake"
"""In the notebook's kit metadata: what the repair has to say of the submission."""


def _staging_notes(submitted: Path, names: dict[str, str]) -> list[str]:
    """What `autograder grade` put right when it copied the submission."""
    from autograder.classroom.staging import notes_file

    path = notes_file(submitted.parents[2], names["student"], names["assignment"])
    try:
        return [str(note) for note in json.loads(path.read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError):
        return []


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
        submitted = Path(file_stream.name)
        repaired = repair(submitted.read_bytes(), submitted.name, known)
        repaired.notebook["metadata"][KIT_METADATA][INTAKE] = {
            "notes": [*_staging_notes(submitted, names), *repaired.notes],
            "unreadable": repaired.unreadable,
        }
        return self.from_notebook_node(repaired.notebook, resources=resources, **kw)
