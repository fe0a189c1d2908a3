"""What a rubric's adapter notices beside the results, which count all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from autograder.core.finding import AdapterError

_kept: ContextVar[list[AdapterError] | None] = ContextVar("_kept", default=None)


def note_impurity(text: str, at: object = None) -> None:
    """Report that the student's function changed something; this costs purity, not outputs.

    Args:
        text: the message.
        at: the student's function or class that is to blame, if any.
    """
    notes = _kept.get()
    if notes is not None:
        notes.append(AdapterError(text, at))


@contextmanager
def keep_notes() -> Iterator[list[AdapterError]]:
    """Context manager: the list to which notes are added."""
    notes: list[AdapterError] = []
    token = _kept.set(notes)
    try:
        yield notes
    finally:
        _kept.reset(token)
