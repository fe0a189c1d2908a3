"""What may be alike in two submissions: short runs of tokens, comments, texts, names, answers.

A run of tokens is a k-gram, as in Schleimer, Wilkerson and Aiken, *Winnowing: Local Algorithms for
Document Fingerprinting* (SIGMOD 2003). All k-grams are kept: a class is small.
"""

from __future__ import annotations

import builtins
import io
import keyword
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from autograder.model.magics import without_magics

CODE, COMMENT, TEXT, NAME, ANSWER, PROGRAM = "code", "comment", "text", "name", "answer", "program"

RUN = 10
"""Tokens in a run of code: about one short statement."""
WORDS = 6
"""Words in a run of an answer in words."""
SHORTEST = {COMMENT: 12, TEXT: 10, NAME: 5}
"""Characters of a comment, a text or a name that can say anything."""

LANGUAGE = frozenset({*keyword.kwlist, *dir(builtins), "jax", "jnp", "np", "lax", "optax", "self"})
"""Names that no student chooses; `lax` and the like are modules in all lessons."""

_IGNORED = {
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.COMMENT,
}

Feature = tuple[str, str]
"""Its kind, and a text that is equal where the feature is."""


@dataclass(frozen=True)
class Source:
    """What a student wrote, and where each of its features is.

    Attributes:
        lines: of all cells, one cell after the other.
        features: for each, the numbers of its lines, from 0.
    """

    lines: tuple[str, ...]
    features: dict[Feature, frozenset[int]]

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Source:
        """Read what `read_cells` gives, from JSON."""
        features = {(kind, text): frozenset(numbers) for kind, text, numbers in data["features"]}
        return cls(tuple(data["lines"]), features)


def read_cells(cells: Iterable[tuple[str, bool]]) -> dict[str, Any]:
    """Read sources, each with whether it is code, and return what `Source.from_json` takes."""
    lines: list[str] = []
    found: dict[Feature, set[int]] = {}
    for source, is_code in cells:
        features = _code_features(source) if is_code else _answer_features(source)
        for feature, first, last in features:
            numbers = range(len(lines) + first, len(lines) + last + 1)
            found.setdefault(feature, set()).update(numbers)
        lines += [*source.splitlines(), ""]
    return {"lines": lines, "features": [[*f, sorted(numbers)] for f, numbers in found.items()]}


def _code_features(source: str) -> Iterator[tuple[Feature, int, int]]:
    """Yield features with their first and last line; as far as the source can be read."""
    run: list[tuple[str, int, bool]] = []
    before = ""
    for token in _tokens(source):
        line, text = token.start[0] - 1, token.string
        if token.type == tokenize.COMMENT:
            yield from _words(COMMENT, text.lstrip("# "), line, line)
        if token.type in _IGNORED:
            continue
        is_own = token.type == tokenize.NAME and before != "." and text not in LANGUAGE
        if is_own:
            yield from _words(NAME, text, line, line)
        elif token.type == tokenize.STRING:
            yield from _words(TEXT, text, line, token.end[0] - 1)
            text = "''"
        before = text
        run = [*run, (text, line, is_own)][-RUN:]
        if len(run) == RUN:
            yield (CODE, _renamed(run)), run[0][1], line


def _renamed(run: Iterable[tuple[str, int, bool]]) -> str:
    """Number the student's own names in the order of the run: renaming them changes nothing."""
    numbers: dict[str, str] = {}
    words = (numbers.setdefault(t, f"${len(numbers)}") if own else t for t, _, own in run)
    return " ".join(words)


def _words(kind: str, text: str, first: int, last: int) -> Iterator[tuple[Feature, int, int]]:
    text = " ".join(text.split())
    if len(text) >= SHORTEST[kind]:
        yield (kind, text), first, last


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(without_magics(source)).readline)
    except (tokenize.TokenError, SyntaxError, ValueError):
        return


def _answer_features(source: str) -> Iterator[tuple[Feature, int, int]]:
    run: list[tuple[str, int]] = []
    for number, line in enumerate(source.splitlines()):
        for word in line.casefold().split():
            run = [*run, (word.strip(".,;:!?()`*_\"'"), number)][-WORDS:]
            if len(run) == WORDS:
                yield (ANSWER, " ".join(w for w, _ in run)), run[0][1], number
