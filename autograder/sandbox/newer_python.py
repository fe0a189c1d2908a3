"""Tells syntax of a newer Python than the one that runs here from a mistake.

Newer forms are written in an older way, as far as there is one. If Python can read the cell then,
they alone were the problem.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import replace

from autograder.errors.jax_errors import error_line
from autograder.model.finding import Finding
from autograder.model.magics import without_magics
from autograder.sandbox.messages import NEWER_PYTHON, NEWER_SYNTAX

NEWER = "newer-python"
"""Rule and reason where a cell is written for a newer Python: a person decides."""

Version = tuple[int, int]
HERE: Version = sys.version_info[:2]

_BRACKETS = r"\[(?:[^][]|\[[^][]*\])*\]"
_FORMS: tuple[tuple[Version, str, str], ...] = (
    ((3, 12), rf"^([ \t]*)type[ \t]+([^\W\d]\w*)[ \t]*(?:{_BRACKETS})?[ \t]*=(?!=)", r"\1\2 ="),
    ((3, 12), rf"^([ \t]*(?:async[ \t]+def|def|class)[ \t]+\w+)[ \t]*{_BRACKETS}", r"\1"),
    ((3, 14), r"^([ \t]*except\*?[ \t]+)([\w.]+(?:[ \t]*,[ \t]*[\w.]+)+)[ \t]*:", r"\1(\2):"),
    ((3, 14), r"""(?<!\w)(?:t(r?)|(r)t)(?=["'])""", r"f\1\2"),
)
"""The first Python that reads a form, the form, and what says the same in an older Python."""

_F_STRINGS: Version = (3, 12)
"""From here on, an f-string may hold its own quotes, comments and backslashes in its braces."""
_TOKEN = re.compile(
    r"""\#[^\n]* | != | (?<![^\W\d])(?P<prefix>[rbuft]{0,2})(?P<quote>'{3}|"{3}|['"]) | .""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
"""A comment, an operator with `!`, where a string begins, or any other character."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MAX_DEPTH = 20


def newer_syntax(source: str, here: Version = HERE) -> Version | None:
    """Return the Python that a cell was written for, if newer syntax is all that is wrong with it.

    Args:
        source: of a cell that Python cannot read.
        here: the Python that cannot read it.
    """
    needed = here
    for since, form, older in _FORMS:
        changed = re.sub(form, older, source, flags=re.MULTILINE) if since > here else source
        if changed != source:
            source, needed = changed, max(needed, since)
    if not _is_readable(source) and here < _F_STRINGS:
        try:
            source, needed = _without_f_strings(source), max(needed, _F_STRINGS)
        except (ValueError, IndexError):
            return None
    return needed if needed > here and _is_readable(source) else None


def blame_python(finding: Finding, error: SyntaxError, source: str, saved_with: str) -> Finding:
    """Return what to say about a cell that Python cannot read: it may not be the student's mistake.

    Args:
        finding: which says that it is.
        error: what Python says.
        source: of the cell.
        saved_with: the version of the Python that the notebook was saved with; "" if not known.
    """
    if _is_readable(source):  # what is wrong is no syntax, as with a `return` at the top
        return finding
    saved, words = read_version(saved_with), NEWER_SYNTAX
    there = newer_syntax(source)
    if saved is not None and (there is None or saved < there):
        there, words = (saved, NEWER_PYTHON) if saved > HERE else (None, words)
    if there is None:
        return finding
    here, there = (".".join(map(str, version)) for version in (HERE, there))
    text = words.format(problem=error_line(error), here=here, there=there)
    return replace(finding, rule=NEWER, message=text)


def read_version(text: str) -> Version | None:
    """Return the version that a notebook says it was saved with."""
    found = re.match(r"(\d{1,2})\.(\d{1,3})(?!\d)", text)
    return (int(found[1]), int(found[2])) if found else None


def _is_readable(source: str) -> bool:
    try:
        compile(without_magics(source), "<cell>", "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _without_f_strings(source: str, depth: int = 0) -> str:
    """Return a source with an empty text for each f-string.

    Raises:
        ValueError, IndexError: an f-string is not one in any Python.
    """
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    parts, at = [], 0
    while at < len(source):
        end, expressions = _read_token(source, at)
        for expression in expressions or ():
            if not expression.strip():
                raise ValueError("empty braces")
            if not _is_readable(f"({_without_f_strings(expression, depth + 1)}\n)"):
                raise ValueError("not an expression")
        parts.append(source[at:end] if expressions is None else '""')
        at = end
    return "".join(parts)


def _read_token(source: str, at: int) -> tuple[int, list[str] | None]:
    """Return where the token ends that begins here, and the expressions of an f-string."""
    found = _TOKEN.match(source, at)
    if found is None:
        raise ValueError("the end of the source")
    prefix, quote, at = (found["prefix"] or "").lower(), found["quote"], found.end()
    if "f" in prefix:
        return _skip_text(source, at, quote, "r" in prefix)
    while quote and not source.startswith(quote, at):
        at += 2 if source[at] == "\\" else 1
    return at + len(quote or ""), None


def _skip_text(source: str, at: int, quote: str, is_raw: bool) -> tuple[int, list[str]]:
    """Return where an f-string ends whose text begins here, and its expressions."""
    expressions: list[str] = []
    while not source.startswith(quote, at):
        if source.startswith(("{{", "}}"), at) or (source[at] == "\\" and not is_raw):
            at += 2
        elif source[at] == "{":
            at = _skip_braces(source, at + 1, expressions)
        elif source[at] == "}" or (source[at] == "\n" and len(quote) == 1):
            raise ValueError("not an f-string")
        else:
            at += 1
    return at + len(quote), expressions


def _skip_braces(source: str, at: int, expressions: list[str]) -> int:
    """Return where the braces end whose inside begins here; add the expressions in them."""
    start, open_brackets = at, ""
    while open_brackets or source[at] not in "}:!" or source.startswith("!=", at):
        end, _ = _read_token(source, at)
        token = source[at:end]
        if token in _CLOSING:
            open_brackets += _CLOSING[token]
        elif open_brackets and token == open_brackets[-1]:
            open_brackets = open_brackets[:-1]
        at = end
    expressions.append(re.sub(r"(?<![=!<>])=\s*$", "", source[start:at]))
    if source[at] == "!":
        found = re.compile(r"![rsa]\s*").match(source, at)
        if found is None:
            raise ValueError("not a conversion")
        at = found.end()
    if source[at] == ":":
        at += 1
        while source[at] != "}":
            at = _skip_braces(source, at + 1, expressions) if source[at] == "{" else at + 1
    elif source[at] != "}":
        raise ValueError("not the end of braces")
    return at + 1
