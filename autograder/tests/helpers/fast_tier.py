"""Parameters of which the fast tier tries one of each mechanism, and the slow tier all."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

from autograder.lessons.verification.cases import CaseText


def mostly_slow(
    values: Iterable[Any], mechanism: Callable[[Any], Hashable] = lambda _: None
) -> list[Any]:
    """Mark all values as slow but the first of each mechanism.

    Args:
        values: parameters of a test.
        mechanism: gives what a value is an example of; all are examples of one thing by default.
    """
    met: set[Hashable] = set()
    parameters = []
    for value in values:
        key = mechanism(value)
        marks = pytest.mark.slow if key in met else ()
        parameters.append(pytest.param(value, id=_name(value), marks=marks))
        met.add(key)
    return parameters


def _name(value: Any) -> str | None:
    if isinstance(value, CaseText):
        return f"{value.path.stem}/{value.name}"
    return value if isinstance(value, str) else None
