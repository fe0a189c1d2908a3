"""What rubrics' adapters use: notes on impurities, and containers that must stay the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from autograder.model.call_text import kind_of
from autograder.model.finding import AdapterError
from autograder.model.messages import OTHER_CONTAINER
from autograder.model.student_code import called


def keep_containers(function: Callable[..., Any], kept: Mapping[int, int]) -> Callable[..., Any]:
    """Return the function, with a look at the containers of what it returns.

    Leaves that are at other places are left to the judge.

    Args:
        function: returns a tuple or a list.
        kept: by position in the result, the position of the argument that it is the new value of.

    Raises:
        AdapterError: when it is called, and a result has the leaves of its argument in other
            containers: in a list for a tuple, say, or without an empty part.
    """

    def looked_at(*given: Any) -> Any:
        import jax  # a rubric is read without it

        results = called(function, *given)
        for at, argument in kept.items():
            if not isinstance(results, (tuple, list)) or at >= len(results):
                break
            got, expected = results[at], given[argument]
            alike = jax.tree.structure(got) == jax.tree.structure(expected)
            if _paths(got) == _paths(expected) and not alike:
                shown = {"got": _describe(got), "expected": _describe(expected)}
                raise AdapterError(OTHER_CONTAINER.format(at=at, **shown), function)
        return results

    return looked_at


def _paths(tree: Any) -> list[Any]:
    import jax

    return [path for path, _ in jax.tree_util.tree_flatten_with_path(tree)[0]]


def _describe(tree: Any) -> str:
    if not isinstance(tree, (tuple, list)) or hasattr(tree, "_fields"):
        return kind_of(tree)
    return f"{kind_of(tree)} of {', '.join(kind_of(part) for part in tree) or 'nothing'}"


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
