"""A student's answers as plain values: numbers, texts, and lists of these."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from autograder.model.printable import clean

_MAX_ANSWERS = 100
_MAX_STRAY = 5


@dataclass(frozen=True)
class NotLiteral:
    """Stands for an answer that is no literal."""

    kind: str


def literal(value: Any) -> Any:
    """Return an answer as a number, a text or a list of these, else `NotLiteral`; None is None."""
    if isinstance(value, NotLiteral):
        return NotLiteral(clean(value.kind, 80))
    if isinstance(value, (list, tuple)) and len(value) <= _MAX_ANSWERS:
        nested = NotLiteral("list of lists")
        parts = [nested if isinstance(v, (list, tuple)) else literal(v) for v in value]
        return next((part for part in parts if isinstance(part, NotLiteral)), parts)
    array: Any = value
    if hasattr(type(value), "shape"):  # an array of NumPy's or JAX's
        with contextlib.suppress(Exception):  # a tracer, or a random key
            value = array.item() if array.shape == () else value
    if isinstance(value, str):
        return clean(value, 200)
    if value is None or type(value) in (bool, float):
        return value
    if type(value) is int and abs(value) < 2**63:
        return value
    return NotLiteral(clean(type(value).__name__, 80))


def literals(given: Any, questions: Collection[str]) -> dict[str, Any] | None:
    """Return the answers to `questions`, and None for a few keys that are no question.

    Args:
        given: a dictionary or a NamedTuple; None is returned for anything else.
        questions: its keys.
    """
    fields = getattr(given, "_fields", ())
    if isinstance(given, tuple) and len(fields) == len(given):
        given = dict(zip(fields, given, strict=True))
    if not isinstance(given, dict):
        return None
    stray = [key for key in given if isinstance(key, str) and key not in questions]
    found = {question: literal(given.get(question)) for question in questions}
    return found | {clean(key, 80): None for key in stray[:_MAX_STRAY]}


def answer_to_json(answer: Any) -> Any:
    """Write what `literal` gives as JSON."""
    return {"kind": answer.kind} if isinstance(answer, NotLiteral) else answer


def answer_from_json(data: Any) -> Any:
    """Read what `answer_to_json` gives, from an untrusted process."""
    return literal(NotLiteral(data["kind"]) if isinstance(data, dict) else data)
