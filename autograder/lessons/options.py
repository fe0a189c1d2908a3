"""The option by which every command finds the lessons of a folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer


def _name_lessons(context: typer.Context, folder: Path | None) -> Path | None:
    """Let the command, and the processes that it starts, find the lessons of a folder."""
    if folder is not None and not context.resilient_parsing:
        from autograder.model.rubric_files import LESSONS  # it imports JAX

        before = os.environ.get(LESSONS)
        os.environ[LESSONS] = str(folder.resolve())

        def restore() -> None:
            del os.environ[LESSONS]
            os.environ.update({} if before is None else {LESSONS: before})

        context.call_on_close(restore)
    return folder


Lessons = Annotated[
    Path | None,
    typer.Option(
        "--lessons",
        "--kit",
        callback=_name_lessons,
        help="A lesson folder, yours or a checkout of the kit; by default the kit's lessons.",
    ),
]
