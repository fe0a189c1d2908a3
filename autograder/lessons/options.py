"""The option by which every command finds the lessons of a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated
from unittest.mock import patch

import typer


def _name_lessons(context: typer.Context, folder: Path | None) -> Path | None:
    """Let the command, and the processes that it starts, find the lessons of a folder."""
    if folder is not None and not context.resilient_parsing:
        from autograder.model.rubric_files import LESSONS  # it imports JAX

        # Restored at the command's end: it may run within another program, such as a test.
        context.with_resource(patch.dict(os.environ, {LESSONS: str(folder.resolve())}))
    return folder


Lessons = Annotated[
    Path | None,
    typer.Option(
        "--lessons",
        callback=_name_lessons,
        help="A lesson folder, yours or a checkout of the kit; by default the kit's lessons.",
    ),
]
