"""`watch`: a notebook that was saved is checked at once, by workers and a judge kept warm."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import watchfiles

from autograder.judge.client import shared_judge
from autograder.learner.checking import check_notebook
from autograder.learner.folder import LessonNotebook, lesson_of
from autograder.learner.standing import Standing
from autograder.sandbox.zygote_client import shared_zygotes

# Milliseconds. Editors write a file in several steps; a pause this long means that they are done.
QUIET, AT_MOST = 30, 300


@dataclass(frozen=True)
class Checked:
    """One lesson after it was saved, and how long the check took."""

    standing: Standing
    seconds: float


def warm_up() -> None:
    """Start the processes that checking needs, without waiting for them."""
    shared_judge().launch()
    shared_zygotes().launch()


def check_now(notebook: LessonNotebook) -> Checked:
    """Check one notebook.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here.
        autograder.sandbox.zygote_client.WorkerError: no worker can be started here.
    """
    began = time.monotonic()
    rubric = notebook.rubric()
    record = check_notebook(notebook.path, rubric)
    return Checked(Standing(notebook, rubric, record), time.monotonic() - began)


def _is_notebook(_: watchfiles.Change, path: str) -> bool:
    # JupyterLab writes to a hidden neighbour first, and keeps checkpoints in a hidden folder.
    return path.endswith(".ipynb") and not Path(path).name.startswith(".")


def watch(
    folder: Path,
    say: Callable[[LessonNotebook], None] = lambda _: None,
    stop: threading.Event | None = None,
) -> Iterator[Checked]:
    """Check each notebook of a folder when it is saved, until interrupted.

    Args:
        folder: the learner's.
        say: is told before a notebook is checked.
        stop: ends the watching when set.

    Raises:
        KeyboardInterrupt: the learner has had enough.
    """
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
            notebook = LessonNotebook(lesson, path)
            say(notebook)
            checked = check_now(notebook)
            if seen.get(path) != checked.standing:  # saved again without a change
                seen[path] = checked.standing
                yield checked
