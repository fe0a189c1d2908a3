"""What a function returns for its own next call must be built as what it was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograder.core.call_text import kind_of
from autograder.core.finding import AdapterError
from autograder.core.messages import OTHER_CONTAINER
from autograder.core.student_code import called


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
        results = called(function, *given)
        for at, argument in kept.items():
            if not isinstance(results, (tuple, list)) or at >= len(results):
                break
            got, expected = results[at], given[argument]
            if _paths(got) == _paths(expected) and not _is_alike(got, expected):
                said = {"got": _describe(got), "expected": _describe(expected)}
                raise AdapterError(OTHER_CONTAINER.format(at=at, **said), function)
        return results

    return looked_at


def _paths(tree: Any) -> list[Any]:
    import jax  # a rubric is read without it

    return [path for path, _ in jax.tree_util.tree_flatten_with_path(tree)[0]]


def _is_alike(tree: Any, other: Any) -> bool:
    import jax

    return jax.tree.structure(tree) == jax.tree.structure(other)


def _describe(tree: Any) -> str:
    if not isinstance(tree, (tuple, list)) or hasattr(tree, "_fields"):
        return kind_of(tree)
    return f"{kind_of(tree)} of {', '.join(kind_of(part) for part in tree) or 'nothing'}"
