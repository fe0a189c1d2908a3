"""Decides whether the student's code or the kit is to blame for an exception.

Where it was raised decides. An error of the kit is never a finding about a student: it replaces the
mark, and is reported as an error of the kit.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Collection, Iterable
from types import FrameType, ModuleType

from autograder.model.finding import Finding, StudentFacingError
from autograder.model.messages import CANNOT_JUDGE, KIT_FAILED
from autograder.model.printable import clean
from autograder.model.reasons import KIT_ERROR
from autograder.model.student_code import is_student_frame

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_TESTS = os.path.join(_HOME, "tests") + os.sep
_FILTERED = "JAX has removed its internal frames"
_CELLS = "autograder.sandbox.cells"
_RUBRICS = ("autograder.rubrics.", "autograder.model.exercise", "_rubric_")
"""How the names of rubrics' modules begin: the kit's rubrics, what calls them, and rubric files."""


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
