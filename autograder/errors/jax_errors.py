"""Explains JAX's and Python's own errors by the table of errors (`autograder.model.error_table`).

The text is shown under the error's own first line.
"""

from __future__ import annotations

import re
import textwrap
import traceback
from collections.abc import Collection

from autograder.errors.error_origins import find_origin
from autograder.model import error_table
from autograder.model.templates import join_texts, make_templates

_MAX_ERROR = 10_000
"""Characters of an error's text that are searched."""
_MAX_LINE = 300
"""Characters of an error's first line that are shown."""
_PLACE = re.compile(r" at (\S+:\d+(?= )|0x[0-9a-f]+)")
"""Where JAX writes the file and the line of a function, or an address. The card shows the line."""
_NAMES_PLACE = re.compile(r" at \S+:\d+$")
"""A line that only says where a function is."""

PLAIN_ERROR = "The function fails with this error when it is called with the exercise's inputs."
CALL_ERROR = "The function fails with this error in the call `{call}`."
RUN_ERROR = (
    "The function fails with this error in the call `{call}`, when it runs with numbers. While jit "
    "traces it, without numbers, it does not fail."
)
LATER_CALL_ERROR = (
    "The function fails with this error in the call `{call}`, if it was called before. As the "
    "first call, this one returns."
)
GRADIENT_ERROR = (
    "The function itself does not fail in the call `{call}`. Its gradient fails with this error: "
    "`argnums={argnums}`, of the sum of what it returns."
)
CELL_ERROR = (
    "The cell fails with this error before anything is called. Restart the kernel and run all "
    "cells from the top: does it happen there, too?"
)
SYNTAX_ERROR = (
    "Python cannot read the cell, so nothing in it was run. Look at this line and at the one above "
    "it: most often a bracket, a quote, a colon or an indent is missing."
)

make_templates(globals())


def error_line(error: BaseException, most: int = _MAX_LINE) -> str:
    """Return an error's class and the first line of its text, cut between words.

    A first line that says no more than that something follows gets what follows.
    """
    # Python adds the file's name and the line to the message; the card shows the line itself.
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    first, *others = message[:_MAX_ERROR].strip().split("\n")
    first = first.removesuffix(" The error was:")
    if first.endswith((":", "they differ.")):
        shown = [line.strip() for line in others if not _NAMES_PLACE.search(line)]
        points = [line.removeprefix("* ") for line in shown if line.startswith("* ")]
        first = " ".join([first, *(points or list(filter(None, shown))[:1])])
    first = _PLACE.sub("", first)
    return textwrap.shorten(f"{type(error).__name__}: {first}", most, placeholder=" ...")


def explain_error(
    error: BaseException,
    otherwise: str = PLAIN_ERROR,
    files: Collection[str] = (),
    code: str = "",
) -> tuple[str, str]:
    """Return a rule and a teaching text for an exception raised by a student's function.

    The text begins with the error's own first line, as the student sees it in the notebook.

    Args:
        error: the exception.
        otherwise: the text for an exception that has no explanation of its own.
        files: of the student's code.
        code: the line that is to blame.
    """
    found = _find_entry(error, files, code)
    if found is None:
        found = "error", SYNTAX_ERROR if isinstance(error, SyntaxError) else otherwise
    rule, text = found
    return rule, join_texts("\n", (error_line(error), text))


def _find_entry(error: BaseException, files: Collection[str], code: str) -> tuple[str, str] | None:
    """Return rule and text of the entry in the table that fits an error; None if none does."""
    through = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    facts = error_table.Sign(
        error=" ".join(one.__name__ for one in type(error).__mro__),
        message=str(error)[:_MAX_ERROR],
        line=code,
        through="\n".join(through),
    )
    entries = error_table.ERRORS
    general = next((name for name, e in entries.items() if not e.of and e.fits(facts)), None)
    if general is None:
        return None
    origin = find_origin(error, files, code)
    facts = facts._replace(origin=origin.kind if origin else "")
    arguments = {"names": origin.names, "static": origin.static} if origin else {}
    closer = (entry for entry in entries.values() if general in entry.of and entry.fits(facts))
    entry = next(closer, entries[general])
    return entry.rule or general, entry.text.format(**arguments)
