"""What a function returns for its own next call must be built as what it was given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax

from autograder.core.call_text import kind_of
from autograder.core.finding import AdapterError

OTHER_CONTAINER = (
    "`{name}` returns `{argument}` as {got}, and was given {expected}. The next call takes what "
    "this one returned: it may fail with another container, and jit compiles again for it. Return "
    "the same containers, with new arrays in them."
)


def keep_containers(
    name: str, arguments: tuple[str, ...], kept: Mapping[int, int]
) -> Callable[[Mapping[str, Any]], Callable[..., Any]]:
    """Return an adapter: the function itself, with a look at the containers that it returns.

    What has other leaves, or leaves at other places, is left to the judge.

    Args:
        name: of the student's function, which returns a tuple or a list.
        arguments: names of its arguments, for messages.
        kept: by position in the result, the position of the argument that it is the new value of.
    """

    def adapter(namespace: Mapping[str, Any]) -> Callable[..., Any]:
        function = namespace[name]

        def looked_at(*given: Any) -> Any:
            results = function(*given)
            for at, argument in kept.items():
                if not isinstance(results, (tuple, list)) or at >= len(results):
                    break
                got, expected = results[at], given[argument]
                if _paths(got) == _paths(expected) and _structure(got) != _structure(expected):
                    said = {"got": _describe(got), "expected": _describe(expected)}
                    text = OTHER_CONTAINER.format(name=name, argument=arguments[argument], **said)
                    raise AdapterError(text, function)
            return results

        return looked_at

    return adapter


def _paths(tree: Any) -> list[Any]:
    return [path for path, _ in jax.tree_util.tree_flatten_with_path(tree)[0]]


def _structure(tree: Any) -> Any:
    return jax.tree.structure(tree)


def _describe(tree: Any) -> str:
    if not isinstance(tree, (tuple, list)) or hasattr(tree, "_fields"):
        return kind_of(tree)
    return f"{kind_of(tree)} of {', '.join(kind_of(part) for part in tree) or 'nothing'}"
