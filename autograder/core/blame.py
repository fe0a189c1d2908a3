"""Finds the line of the student's code that is to blame, and explains an exception there."""

from __future__ import annotations

import ast
import functools
import inspect
import traceback
from types import ModuleType

from autograder.core import jax_errors
from autograder.core.finding import AdapterError, Finding
from autograder.core.kit_fault import is_kits, kit_finding
from autograder.core.messages import PROGRAM_RULES
from autograder.core.observation import Location
from autograder.core.program import ProgramError
from autograder.core.student_code import source_line, source_text


def blame(error: BaseException, files: set[str]) -> tuple[int | None, str]:
    """Return the innermost line of the student's code in a traceback, and its text."""
    line, code = None, ""
    if isinstance(error, SyntaxError) and error.filename in files:
        return error.lineno, (error.text or "").strip()
    for frame in traceback.extract_tb(error.__traceback__):
        # What `dataclass` writes has no text; the line that led there has.
        if frame.filename in files and (text := source_line(frame.filename, frame.lineno)):
            line, code = frame.lineno, text
    return line, code


def error_finding(
    error: BaseException,
    files: set[str],
    otherwise: str = jax_errors.PLAIN_ERROR,
    *,
    module: ModuleType | None = None,
    handling: bool = True,
) -> Finding:
    """Turn an exception of the student's function into a finding, with line and explanation.

    An exception of the kit's own becomes a finding that says so.

    Args:
        error: the exception.
        files: of the student's code.
        otherwise: the text for an exception without an explanation.
        module: the module that the student's code ran in.
        handling: whether what was tried calls the function or uses its results (see `is_kits`).
    """
    if is_kits(error, module, files, handling=handling):
        return kit_finding(error)
    line, code = blame(error, files)
    if isinstance(error, ProgramError):
        text = PROGRAM_RULES[error.rule].format(detail=str(error))
        return Finding(error.rule, "error", line, text, code)
    if isinstance(error, AdapterError):
        location = find_location(error.at, files)
        where = (location.line, location.code) if location else (None, "")
        return Finding("adapter", "error", where[0], str(error), where[1])
    rule, text = jax_errors.explain_error(error, otherwise)
    return Finding(rule, "error", line, text, code)


def find_location(value: object, files: set[str]) -> Location | None:
    """Find where a function or class begins, if it is in the student's files."""
    if isinstance(value, type):
        return _class_location(value.__name__, files)
    try:
        code = inspect.unwrap(value)  # type: ignore[arg-type]
        while isinstance(code, functools.partial):
            code = inspect.unwrap(code.func)
        file, line = inspect.getsourcefile(code), inspect.getsourcelines(code)[1]
    except (TypeError, OSError, ValueError, AttributeError):
        return None
    if file not in files or not line:
        return None
    while (text := source_line(file, line)).startswith("@"):  # a decorator says little
        line += 1
    return Location(line, text)


def _class_location(name: str, files: set[str]) -> Location | None:
    """Find a class's last definition: a name may be defined again."""
    found = None
    for file in sorted(files):
        try:
            nodes = list(ast.walk(ast.parse(source_text(file))))
        except (SyntaxError, ValueError):
            continue
        lines = [n.lineno for n in nodes if isinstance(n, ast.ClassDef) and n.name == name]
        if lines:
            found = Location(max(lines), source_line(file, max(lines)))
    return found
