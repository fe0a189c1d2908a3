"""The table of JAX's errors: how each is known, what it means, code that raises it and its repair.

Its rows are in `errors.toml` beside this file. They serve the card of a check, the hints,
`autograder explain`, the index of error messages in `exercises/ERRORS.md`, and the site.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from autograder.model.templates import make_templates


class Sign(NamedTuple):
    """What an error is known by, as regular expressions; the empty one fits everything.

    The facts about one error have the same fields, each with the text that is searched.

    Attributes:
        error: the names of its class and of that class's bases.
        message: its text.
        line: the student's line that is to blame.
        through: the files that the error came through.
        origin: where the value at fault comes from, as in `autograder.errors.error_origins`.
    """

    error: str = ""
    message: str = ""
    line: str = ""
    through: str = ""
    origin: str = ""

    def fits(self, facts: Sign) -> bool:
        """Return whether each expression is found in the fact of the same name.

        >>> Sign(message="has been deleted").fits(Sign(message="Array has been deleted."))
        True
        """
        pairs = zip(self, facts, strict=True)
        return all(re.search(pattern, fact, re.DOTALL) for pattern, fact in pairs)


class IndexRow(NamedTuple):
    """One message in the index of errors.

    Attributes:
        error: the exception's class.
        says: the part of its text that people search for.
        lessons: those that teach the repair, the closest one first.
        cause: and the way out; by default the text of the entry.
        example: code that raises it; by default the example of the entry.
        repaired: the same code repaired; by default that of the entry.
        newer: what a newer JAX says instead; empty where it says the same.
    """

    error: str
    says: str
    lessons: Sequence[str]
    cause: str
    example: str
    repaired: str
    newer: str = ""


class ErrorEntry(NamedTuple):
    """One cause of errors.

    Attributes:
        rule: of the finding; empty where it is that of the entry in `of` that fits.
        text: a template, for the card. The fields `names` and `static` are the arguments at fault.
        example: code that raises the error; it runs after the lines of `EXAMPLES_BEGIN`.
        repaired: the same code repaired.
        signs: it fits where one of them does. Without any, a card shows the error as it is.
        of: the more general entries that this one replaces where it fits as well.
        hints: three, each saying more than the one before.
        listed: the messages of it in the index of errors.
    """

    rule: str
    text: str = ""
    example: str = ""
    repaired: str = ""
    signs: Sequence[Sign] = ()
    of: Sequence[str] = ()
    hints: tuple[str, ...] = ()
    listed: Sequence[IndexRow] = ()

    def fits(self, facts: Sign) -> bool:
        """Return whether one of the signs fits the facts about an error."""
        return any(sign.fits(facts) for sign in self.signs)


def _unwrap(text: str) -> str:
    """Return a text of several lines in one line."""
    return " ".join(text.split())


def _read_entry(name: str, row: dict[str, Any]) -> ErrorEntry:
    sign = {key: row.pop(key) for key in Sign._fields if key in row}
    signs = [Sign(**one) for one in (sign, *row.pop("also", ())) if one]
    hints = tuple(map(_unwrap, row.pop("hints", ())))
    text = TEXTS.get(name, "")
    code = {key: row[key] for key in ("example", "repaired") if key in row}
    listed = [
        IndexRow(**{**code, **one, "cause": _unwrap(one.get("cause", text))})
        for one in row.pop("listed", ())
    ]
    read = {"text": text, "signs": signs, "hints": hints, "listed": listed}
    return ErrorEntry(**{"rule": name, **row, **read})


_rows = tomllib.loads(Path(__file__).with_name("errors.toml").read_text(encoding="utf-8"))
_before = _rows.pop("before")

TEXTS = {name: _unwrap(row.pop("text")) for name, row in _rows.items() if "text" in row}
"""The text of each entry, by the entry's name."""

make_templates(globals())  # of the texts alone: what follows is never formatted

EXAMPLES_BEGIN: str = _before
"""The imports and names that the examples use."""

ERRORS = {name: _read_entry(name, row) for name, row in _rows.items()}
"""The entries by name, in the order in which they are tried."""

ERROR_RULES = {entry.rule for entry in ERRORS.values() if entry.signs and entry.rule}
"""The rules that the finding about an error may have."""

GENERAL_HINTS = {name: entry.hints for name, entry in ERRORS.items() if entry.hints}
"""By rule, hints for any exercise, where its own are about something else."""
