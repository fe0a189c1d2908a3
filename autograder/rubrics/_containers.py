"""What adapters of fits in a student's container share: its results, and what a fit changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograder.model.adapters import note_impurity
from autograder.model.call_text import kind_of
from autograder.model.finding import AdapterError


def take_pair(result: Any, cls: Any, text: str, at: object = None) -> tuple[Any, Any]:
    """Return the two results of a fit, of which the first must be an object of `cls`.

    Raises:
        AdapterError: they are something else; `text` says so, with what came back as `got`.
    """
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise AdapterError(text.format(got=kind_of(result)), at)
    model, values = result
    if not isinstance(model, cls):
        got = f"{kind_of(model)} first, which is no `{cls.__name__}`"
        raise AdapterError(text.format(got=got), at)
    return model, values


@contextmanager
def note_changes(model: Any, names: Sequence[str], text: str, at: object) -> Iterator[None]:
    """Context manager: a block in which the attributes of a model must stay the same objects.

    If one does not, `text` is noted as an impurity, with the attribute as `name`.
    """
    before = {name: getattr(model, name, None) for name in names}
    yield
    changed = [name for name, value in before.items() if getattr(model, name, None) is not value]
    if changed:
        note_impurity(text.format(name=changed[0]), at)
