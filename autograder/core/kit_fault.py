"""Decides whether the student's code or the kit is to blame for an exception, and which line is.

Where it was raised decides. An error of the kit is never a finding about a student: it replaces the
mark, and is reported as an error of the kit.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import traceback
from collections.abc import Collection, Iterable
from dataclasses import replace
from types import FrameType, ModuleType

from autograder.core import jax_errors
from autograder.core.error_origins import find_leak
from autograder.core.failed_cells import find_cause
from autograder.core.finding import AdapterError, Finding, StudentFacingError
from autograder.core.messages import CANNOT_JUDGE, KIT_FAILED
from autograder.core.observation import Location
from autograder.core.printable import clean
from autograder.core.program import ProgramError
from autograder.core.report import KIT_ERROR
from autograder.core.student_code import bound_names, is_student_frame, source_line, source_text

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_TESTS = os.path.join(_HOME, "tests") + os.sep
_FILTERED = "JAX has removed its internal frames"
_CELLS = "autograder.sandbox.cells"
_RUBRICS = ("autograder.rubrics.", "autograder.core.rubric", "_rubric_")
"""How the names of rubrics' modules begin: the kit's rubrics, and rubric files."""


class KitFault(Exception):
    """The kit failed in another process; the text is the whole message."""


class CannotJudge(RuntimeError):
    """Nothing can be judged here, or not with this rubric; no submission is to blame."""


def _is_kits_file(name: str) -> bool:
    return name.startswith(_HOME) and not name.startswith(_TESTS)


def _module_name(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def _is_of_the_machine(error: BaseException) -> bool:
    """Whether this machine lacks something; no value of the student's causes such an error."""
    if isinstance(error, AttributeError):
        return isinstance(error.obj, ModuleType)
    return isinstance(error, ImportError | OSError | NameError)


def is_kits(
    error: BaseException,
    module: ModuleType | None = None,
    files: Collection[str] = (),
    *,
    handling: bool = True,
) -> bool:
    """Whether the kit is to blame for an exception, and not the student's code.

    The last frame of the student's, a rubric's or the kit's code decides: whoever called a library
    (or plnkit) is blamed for what it raises.

    Args:
        error: as it was caught, with its traceback.
        module: the module that the student's code ran in; None where no such code runs.
        files: of the student's code.
        handling: whether what was tried calls the student's function or uses its results: what JAX
            raises then is about the function.
    """
    if isinstance(error, StudentFacingError):
        return False
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    theirs = [is_student_frame(frame, module, files) for frame in frames]
    if isinstance(error, MemoryError | RecursionError) and (handling or any(theirs)):
        return False  # the student's code used it up, wherever it ran out
    for frame, is_theirs in zip(reversed(frames), reversed(theirs), strict=True):
        if is_theirs:
            return False
        if handling and _module_name(frame).startswith(_RUBRICS):
            return _is_of_the_machine(error)  # adapters and probes handle the student's values
        if _module_name(frame) == _CELLS and isinstance(error, SyntaxError | ValueError):
            return False  # Python cannot read the cell
        if _is_kits_file(frame.f_code.co_filename):
            break
    last = _module_name(frames[-1]) if frames else ""
    by_jax = bool(frames) and (
        last.partition(".")[0] in ("jax", "jaxlib")
        or type(error).__module__.startswith("jax")
        or any(_FILTERED in note for note in getattr(error, "__notes__", ()))
    )
    starts_a_backend = last == "jax._src.xla_bridge"
    return not (handling and by_jax) or _is_of_the_machine(error) or starts_a_backend


def kit_message(error: BaseException, template: str = KIT_FAILED) -> str:
    """Say what failed, where in the kit, and what to do."""
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if _is_kits_file(frame.filename):
            file = frame.filename.removeprefix(_HOME).replace(os.sep, "/")
            where = f" in autograder/{file}, line {frame.lineno}"
    text = clean(str(error).strip().split("\n")[0], 200)
    return template.format(error=f"{type(error).__name__}: {text}", where=where)


def kit_finding(error: BaseException) -> Finding:
    """Report the kit's failure instead of a mark; it has no line in the student's code."""
    if isinstance(error, KitFault):
        return Finding.error(KIT_ERROR, error.args[0])
    if isinstance(error, CannotJudge):
        text = CANNOT_JUDGE.format(error=clean(str(error).rstrip("."), 500))
        return Finding.error(KIT_ERROR, text)
    return Finding.error(KIT_ERROR, kit_message(error))


def by_kit(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Select the findings that are the kit's own failures."""
    return tuple(f for f in findings if f.rule == KIT_ERROR)


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
