"""Questions about a student's own program: what is asked, and what running it has shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from string import ascii_lowercase
from typing import Any

from autograder.model.printable import clean

_MAX_OPTIONS = 8
_MAX_QUESTIONS = 4
_MAX_TEXT = 200
_MAX_COUNT = 10_000


class Kind(StrEnum):
    """What a question asks; also the name of its answer in the call of `defend`.

    `LINES`: which lines run at every call. `CALLS`: which calls compile a program. `ARGUMENTS`: for
    which arguments a new value does. `PROGRAMS`: how many programs some calls compile.
    """

    LINES = "lines"
    CALLS = "calls"
    ARGUMENTS = "arguments"
    PROGRAMS = "programs"


@dataclass(frozen=True)
class Question:
    """One question, and its right answer.

    Attributes:
        kind: what is asked.
        call: the call that it is about; empty where `options` are the calls.
        options: what there is to choose from; for `PROGRAMS`, the calls in order.
        right: which of the options are right; empty for `PROGRAMS`.
        count: for `PROGRAMS`, how many.
    """

    kind: Kind
    call: str
    options: tuple[str, ...]
    right: tuple[bool, ...] = ()
    count: int = 0

    @property
    def letters(self) -> str:
        """The letters of the options, in order."""
        return ascii_lowercase[: len(self.options)]

    @property
    def answer(self) -> set[str] | int:
        """The right answer: the letters of the right options, or a number."""
        if self.kind is Kind.PROGRAMS:
            return self.count
        return {letter for letter, right in zip(self.letters, self.right, strict=True) if right}


@dataclass(frozen=True)
class Questions:
    """The questions about one program, which a digest of its source names."""

    program: str
    asked: tuple[Question, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Write the questions as JSON; `read_questions` reads it."""
        return asdict(self)


def read_questions(data: Any) -> Questions | None:
    """Rebuild questions from what an untrusted process sent.

    Raises:
        Exception: malformed in any way.
    """
    if data is None:
        return None
    asked = tuple(_read_question(one) for one in data["asked"][:_MAX_QUESTIONS])
    return Questions(clean(data["program"], 16), asked)


def _read_question(data: Any) -> Question:
    options: Sequence[Any] = data["options"][:_MAX_OPTIONS]
    question = Question(
        Kind(data["kind"]),
        clean(data["call"], _MAX_TEXT),
        tuple(clean(option, _MAX_TEXT) for option in options),
        tuple(right is True for right in data["right"][:_MAX_OPTIONS]),
        max(0, min(int(data["count"]), _MAX_COUNT)),
    )
    if question.kind is not Kind.PROGRAMS and len(question.right) != len(question.options):
        raise ValueError("not one answer for each option")
    return question
