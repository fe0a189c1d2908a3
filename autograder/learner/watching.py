"""`watch`: checks a notebook as soon as it is saved; the workers and the judge stay warm."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import watchfiles

from autograder.judge.client import shared_judge
from autograder.learner.folder import LessonNotebook, lesson_of
from autograder.learner.standing import Standing, check_lesson
from autograder.sandbox import shared_workers

# Milliseconds. Editors write a file in several steps; a pause this long means that they are done.
QUIET, AT_MOST = 30, 300
log = logging.getLogger("autograder")


def _is_notebook(_: watchfiles.Change, path: str) -> bool:
    # JupyterLab writes to a hidden neighbour first, and keeps checkpoints in a hidden folder.
    return path.endswith(".ipynb") and not Path(path).name.startswith(".")


def watch_folder(
    folder: Path, stop: threading.Event | None = None
) -> Iterator[tuple[Standing, float]]:
    """Check each notebook of a folder when it is saved, until `stop` is set or Ctrl-C.

    Yields:
        The lesson after a save that changed it, and how many seconds the check took.
    """
    # The processes that a check needs start now, and are ready at the first save.
    shared_judge().launch()
    shared_workers().launch()
    seen: dict[Path, Standing] = {}
    for changes in watchfiles.watch(
        folder,
        watch_filter=_is_notebook,
        recursive=False,
        step=QUIET,
        debounce=AT_MOST,
        stop_event=stop,
    ):
        for path in sorted({Path(name) for _, name in changes}):
            lesson = lesson_of(path) if path.exists() else None
            if lesson is None:
                continue
            log.debug("%s was saved", path.name)
            began = time.monotonic()
            standing = check_lesson(LessonNotebook(lesson, path))
            shared_workers().launch()  # for the next save
            if seen.get(path) != standing:  # else it was saved again without a change
                seen[path] = standing
                yield standing, time.monotonic() - began
