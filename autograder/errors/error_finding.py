"""Turns an exception into a finding: about the student's line, or about the kit's failure."""

from __future__ import annotations

import ast
import traceback
from dataclasses import replace
from types import CodeType, ModuleType

from autograder.errors import jax_errors
from autograder.errors.error_origins import find_leak
from autograder.model.failed_cells import find_cause
from autograder.model.finding import AdapterError, Finding
from autograder.model.kit_fault import is_kits, kit_finding
from autograder.model.observation import Location
from autograder.model.program import ProgramError
from autograder.model.student_code import bound_names, source_line, source_text, unwrap


def error_finding(
    error: BaseException,
    files: set[str],
    otherwise: str = jax_errors.PLAIN_ERROR,
    *,
    module: ModuleType | None = None,
    handling: bool = True,
) -> Finding:
    """Turn an exception into a finding: about the student's line, or about the kit's failure.

    Args:
        error: the exception.
        files: of the student's code.
        otherwise: the text for an exception without an explanation.
        module, handling: see `is_kits`.
    """
    if is_kits(error, module, files, handling=handling):
        return kit_finding(error)
    if isinstance(error, AdapterError):
        at = find_location(error.at, files)
        line, code = (at.line, at.code) if at else (None, "")
        return Finding("adapter", "error", line, str(error), code)
    if type(error) is NameError and (first := find_cause(error.name or "")) is not None:
        return first
    line, code = _blamed_line(error, files)
    if isinstance(error, ProgramError):
        return replace(error.finding(), line=line, code=code)
    rule, text = jax_errors.explain_error(error, otherwise, files, code)
    return Finding(rule, "error", line, text, code)


def _blamed_line(error: BaseException, files: set[str]) -> tuple[int | None, str]:
    """Return the innermost line of the student's code in a traceback, and its text.

    Where a tracer was kept, return the line that made it: it is used anywhere.
    """
    if isinstance(error, SyntaxError) and error.filename in files:
        return error.lineno, (error.text or "").strip()
    leak = find_leak(error)
    if leak is not None and leak.file in files and leak.text:
        return leak, leak.text
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        # Code that `dataclass` generates has no source; the line that led there has.
        if frame.filename in files and (text := source_line(frame.filename, frame.lineno)):
            return frame.lineno, text
    return None, ""


def find_location(value: object, files: set[str], name: str = "") -> Location | None:
    """Find where a function or class begins, if it is in the student's files.

    What a library made of a function, as in ``f = jax.jit(checkify.checkify(g))``, has no line of
    its own there: then it is where `name` gets its value.
    """
    if isinstance(value, type):
        return _binding(value.__name__, files)
    return _definition(value, files) or (_binding(name, files) if name else None)


def _definition(value: object, files: set[str]) -> Location | None:
    """Find where a function is written."""
    code = getattr(unwrap(value), "__code__", None)
    if not isinstance(code, CodeType) or code.co_filename not in files:
        return None
    line = code.co_firstlineno
    while (text := source_line(code.co_filename, line)).startswith("@"):  # it says little
        line += 1
    return Location(line, text)


def _binding(name: str, files: set[str]) -> Location | None:
    """Find where a name gets its value: the last place, as it may get several."""
    found = None
    for file in sorted(files):
        try:
            tree = ast.parse(source_text(file))
        except (SyntaxError, ValueError):
            continue
        nodes = [*tree.body, *(n for n in ast.walk(tree) if isinstance(n, ast.ClassDef))]
        lines = [node.lineno for node in nodes if name in bound_names(node)]
        if lines:
            found = Location(max(lines), source_line(file, max(lines)))
    return found
