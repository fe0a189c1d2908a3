"""Decides whether an exception is the fault of the student's code or of the kit.

What decides is where it was raised. An error of the kit is never a finding about a student: it
replaces the mark, and is reported as an error of the kit.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Collection, Iterable, Iterator
from types import FrameType, ModuleType, TracebackType

from autograder.core.finding import Finding, StudentFacingError
from autograder.core.messages import KIT_FAILED
from autograder.core.printable import clean
from autograder.core.report import KIT_ERROR
from autograder.core.student_code import called

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_TESTS = os.path.join(_HOME, "tests") + os.sep
_FILTERED = "JAX has removed its internal frames"
_CELLS = "autograder.sandbox.cells"
_RUBRICS = ("autograder.rubrics.", "autograder.core.rubric", "_rubric_")
"""How the names of rubrics' modules begin: the kit's rubrics, and rubric files."""


class KitFault(Exception):
    """The kit failed in another process; the text is the whole message."""


def _is_kits_file(name: str) -> bool:
    return name.startswith(_HOME) and not name.startswith(_TESTS)


def _is_rubrics(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).startswith(_RUBRICS)


def _is_jax(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] in ("jax", "jaxlib")


def _frames(trace: TracebackType | None) -> Iterator[FrameType]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _of_the_machine(error: BaseException) -> bool:
    """Whether something is missing on this machine: no value of the student's leads to this."""
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
    """Whether an exception is the kit's own rather than the student's code's.

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
    frames = list(_frames(error.__traceback__))
    theirs = [_is_students(frame, module, files) for frame in frames]
    if isinstance(error, MemoryError | RecursionError) and (handling or any(theirs)):
        return False  # the student's code used it up, wherever it ran out
    for frame, student in zip(reversed(frames), reversed(theirs), strict=True):
        if student:
            return False
        if handling and _is_rubrics(frame):  # adapters and probes take the student's values apart
            return _of_the_machine(error)
        if frame.f_globals.get("__name__") == _CELLS and isinstance(
            error, SyntaxError | ValueError
        ):
            return False  # what Python says of a cell's text
        if _is_kits_file(frame.f_code.co_filename):
            break
    by_jax = bool(frames) and (
        _is_jax(frames[-1])
        or type(error).__module__.startswith("jax")
        or any(_FILTERED in note for note in getattr(error, "__notes__", ()))
    )
    return not (handling and by_jax) or _of_the_machine(error) or _starts_a_backend(frames[-1])


def _is_students(frame: FrameType, module: ModuleType | None, files: Collection[str]) -> bool:
    """Whether a frame runs the student's code, or code that they returned as theirs."""
    if frame.f_code is called.__code__ or frame.f_code.co_filename in files:
        return True
    return module is not None and frame.f_globals is vars(module)


def _starts_a_backend(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") == "jax._src.xla_bridge"


def kit_message(error: BaseException) -> str:
    """Say what failed, where in the kit, and what to do."""
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if _is_kits_file(frame.filename):
            file = frame.filename.removeprefix(_HOME).replace(os.sep, "/")
            where = f" in autograder/{file}, line {frame.lineno}"
    text = clean(str(error).strip().split("\n")[0], 200)
    return KIT_FAILED.format(error=f"{type(error).__name__}: {text}", where=where)


def kit_finding(error: BaseException) -> Finding:
    """Report the kit's failure instead of a mark; it has no line in the student's code."""
    text = error.args[0] if isinstance(error, KitFault) else kit_message(error)
    return Finding(KIT_ERROR, "error", None, text)


def by_kit(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Select the findings that are the kit's own failures."""
    return tuple(f for f in findings if f.rule == KIT_ERROR)
