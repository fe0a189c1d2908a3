"""The worker's part: what is done beside the student's code, in the student's process.

Programs are exported from shapes alone; purity and compilations are observed on public inputs.
Everything here is untrusted once it has run: the judge believes only programs.
"""

from __future__ import annotations

import ast
import difflib
import functools
import inspect
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import jax
import numpy as np

from autograder.core import jax_errors
from autograder.core.call_text import call_text
from autograder.core.figures import Timeline
from autograder.core.finding import AdapterError, Finding
from autograder.core.jax_internals import whole_tracebacks
from autograder.core.kit_fault import is_kits, kit_finding
from autograder.core.observation import Observation, Place, Returned, literal
from autograder.core.program import (
    Program,
    ProgramError,
    concrete,
    export_program,
    named_leaves,
)
from autograder.core.program_messages import PROGRAM_RULES
from autograder.core.report import KIT_ERROR
from autograder.core.rubric import PUBLIC_KEY, Exercise
from autograder.core.student_code import called, source_line, source_text, student_files
from autograder.core.wire import DTYPES
from autograder.criteria.compilations import check_compilations, count_with_repeats, timeline_of
from autograder.criteria.purity import check_purity
from autograder.sandbox import messages


def blame(error: BaseException, files: set[str]) -> tuple[int | None, str]:
    """The innermost line of the student's code that an exception passed through, and its text."""
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
    """An exception of the student's function as a finding, with line and explanation.

    An exception of the kit's own is said to be that.

    Args:
        error: the exception.
        files: of the student's code.
        otherwise: what is said where nothing explains it.
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
        place = place_of(error.at, files)
        where = (place.line, place.code) if place else (None, "")
        return Finding("adapter", "error", where[0], str(error), where[1])
    rule, text = jax_errors.explain_error(error, otherwise)
    return Finding(rule, "error", line, text, code)


def missing(exercise: Exercise, namespace: Mapping[str, Any]) -> tuple[str, Finding] | None:
    """Why the exercise's functions cannot be found, if they cannot."""
    for name in exercise.entry_points:
        if name not in namespace:
            mine = [k for k, v in namespace.items() if callable(v) and k[0] != "_"]
            near = difflib.get_close_matches(name, mine, n=1, cutoff=0.7)
            text = messages.MISSPELT_FUNCTION if near else messages.MISSING_FUNCTION
            text = text.format(name=name, near=near[0] if near else "")
            return "missing-function", Finding("missing-function", "error", None, text)
        if exercise.kind == "answers":
            if not isinstance(namespace[name], dict):
                kind = f"a {type(namespace[name]).__name__}"
                text = messages.NOT_ANSWERS.format(name=name, kind=kind)
                return "not-answers", Finding("not-answers", "error", None, text)
        elif not callable(namespace[name]):
            kind = f"a {type(namespace[name]).__name__}"
            text = messages.NOT_CALLABLE.format(name=name, kind=kind)
            return "not-callable", Finding("not-callable", "error", None, text)
    return None


def wrong_signature(name: str, function: Callable, args: tuple) -> tuple[str, Finding] | None:
    """Why `function` cannot be called with the exercise's arguments, if it cannot."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None  # nothing to compare with; the call itself will tell
    try:
        signature.bind(*args)
    except TypeError as error:
        text = messages.WRONG_SIGNATURE.format(
            name=name,
            signature=signature,
            call=call_text(name, args),
            problem=error,
        )
        return "wrong-signature", Finding("wrong-signature", "error", None, text)
    return None


def observe(
    exercise: Exercise, module: ModuleType, calls: Sequence[tuple], *, programs_only: bool = False
) -> Observation:
    """Export the student's programs and observe their behaviour.

    Args:
        exercise: what to look at.
        module: the module that the student's cells ran in.
        calls: the calls to export, arrays given as `jax.ShapeDtypeStruct` (see
            `autograder.core.program.abstract`); statics as they are.
        programs_only: leave out what is observed; a second process only echoes the programs.
    """
    try:
        # Whose fault an error is, its frames tell: JAX's own among them.
        with whole_tracebacks():
            return _observe(exercise, module, calls, programs_only)
    except Exception as error:
        return Observation(refused=refusal("cell-failed", _unexpected(error, module)))


def refusal(reason: str, finding: Finding) -> tuple[str, Finding]:
    """Why nothing could be observed; of the kit's failures that alone is the reason."""
    return (KIT_ERROR if finding.rule == KIT_ERROR else reason), finding


def _unexpected(error: Exception, module: ModuleType) -> Finding:
    """An exception that a step of the kit's let through: its own, or of a student's object."""
    return error_finding(error, student_files(module), module=module, handling=False)


def _observe(
    exercise: Exercise, module: ModuleType, calls: Sequence[tuple], programs_only: bool
) -> Observation:
    refused = missing(exercise, vars(module))
    if refused is not None:
        return Observation(refused=refused)
    name = exercise.entry_points[0]
    if exercise.kind == "answers":
        given = vars(module)[name]
        return Observation(answers={q: literal(given.get(q)) for q in exercise.questions})
    files = student_files(module)
    try:
        function = exercise.function(vars(module))
    except Exception as error:
        return Observation(
            refused=refusal("adapter-failed", error_finding(error, files, module=module))
        )
    typical = exercise.calls(PUBLIC_KEY)[:1]
    refused = wrong_signature(name, function, typical[0]) if typical else None
    if refused is not None:
        return Observation(refused=refused)
    place = place_of(vars(module)[name], files)
    if exercise.kind == "behaviour":
        if programs_only:
            return Observation()
        public, observed, timeline = observe_behaviour(exercise, function, module)
        return Observation(public=public, observed=observed, place=place, timeline=timeline)

    made: dict[str, tuple[Program | None, Finding | None]] = {}
    for args in calls:
        signature = repr(args)  # shapes, dtypes and static values
        if signature not in made:
            made[signature] = _export(exercise.results(function), args, files, module)
    programs, failures = zip(*(made[repr(args)] for args in calls), strict=True)
    if any(f is not None and f.rule == "error" for f in failures):
        clearer = _direct_error(function, concrete(typical[0]), files, module)
        failures = tuple((clearer or f) if f and f.rule == "error" else f for f in failures)
    if programs_only:
        nothing = (None,) * len(exercise.calls(PUBLIC_KEY))
        return Observation(None, programs, failures, public=nothing, place=place)
    public, observed, timeline = observe_behaviour(exercise, function, module)
    return Observation(None, programs, failures, (), public, observed, place, timeline=timeline)


def _export(
    function: Callable, args: tuple, files: set[str], module: ModuleType
) -> tuple[Program | None, Finding | None]:
    try:
        return export_program(function, args), None
    except Exception as error:
        return None, error_finding(error, files, module=module)


def _direct_error(
    function: Callable, args: tuple, files: set[str], module: ModuleType
) -> Finding | None:
    """The error of a plain call, if it is one that the messages explain.

    A leaked tracer, for one, may end an export with an error from the depths of JAX.
    """
    try:
        called(function, *args)
    except Exception as error:
        finding = error_finding(error, files, module=module)
        return finding if finding.rule != "error" else None
    return None


def place_of(value: object, files: set[str]) -> Place | None:
    """Where a student's function or class begins, if it is in the student's files."""
    if isinstance(value, type):
        return _place_of_class(value.__name__, files)
    try:
        code = inspect.unwrap(value)  # type: ignore[arg-type]
        while isinstance(code, functools.partial):
            code = inspect.unwrap(code.func)
        file, line = inspect.getsourcefile(code), inspect.getsourcelines(code)[1]
    except (TypeError, OSError, ValueError, AttributeError):
        return None
    if file not in files or not line:
        return None
    while (text := source_line(file, line)).startswith("@"):  # a decorator tells a reader little
        line += 1
    return Place(line, text)


def _place_of_class(name: str, files: set[str]) -> Place | None:
    """Where a class begins: its last definition, since a name may be given again."""
    found = None
    for file in sorted(files):
        try:
            nodes = list(ast.walk(ast.parse(source_text(file))))
        except (SyntaxError, ValueError):
            continue
        lines = [n.lineno for n in nodes if isinstance(n, ast.ClassDef) and n.name == name]
        if lines:
            found = Place(max(lines), source_line(file, max(lines)))
    return found


def observe_behaviour(
    exercise: Exercise, function: Callable, module: ModuleType
) -> tuple[tuple[Returned | None, ...], dict[str, tuple[Finding, ...]], Timeline | None]:
    """What concrete calls show: the values on the public draws, findings by criterion, and what
    each call compiled."""
    public_calls = exercise.calls(PUBLIC_KEY)
    files = student_files(module)
    observed: dict[str, tuple[Finding, ...]] = {}
    timeline = None
    if exercise.kind == "behaviour":
        observed = {name: () for name in exercise.points}
    if public_calls and "compilations" in exercise.points:
        try:
            observed["compilations"], timeline = _compilations(
                exercise, function, public_calls, module
            )
        except Exception as error:
            observed["compilations"] = (_unexpected(error, module),)
    if public_calls and "purity" in exercise.points:
        try:
            found = check_purity(function, lambda: concrete(public_calls[0]), module)
            observed["purity"] = tuple(f for f in found if f.rule not in exercise.permits)
        except Exception as error:
            observed["purity"] = (_unexpected(error, module),)
    public: list[Returned | None] = []
    for args in map(concrete, public_calls):
        try:
            names, leaves = named_leaves(called(exercise.results(function), *args))
            arrays = tuple(np.asarray(leaf) for leaf in leaves)
            # bfloat16 and its like do not cross; the program's own dtype is judged anyway.
            crosses = all(a.dtype in DTYPES for a in arrays)
            public.append(Returned(names, arrays) if crosses else None)
        except Exception as error:  # of a program, the same call's export says why
            public.append(None)
            finding = error_finding(error, files, module=module)
            if exercise.kind == "behaviour":
                observed["outputs"] = observed.get("outputs", ()) or (finding,)
            elif finding.rule == KIT_ERROR and "purity" in observed:
                # Without these values nobody can tell whether the program does the same.
                observed["purity"] = (*observed["purity"], finding)
    if exercise.probe is not None:
        for name, finding in _probe(exercise, module, files).items():
            observed[name] = (*observed.get(name, ()), finding)
    return tuple(public), observed, timeline


def _compilations(
    exercise: Exercise, function: Callable, public_calls: Sequence[tuple], module: ModuleType
) -> tuple[tuple[Finding, ...], Timeline]:
    """Findings on compilations, and what each call compiled."""
    calls = [concrete(args) for args in public_calls]
    jax.block_until_ready(calls)
    counted = count_with_repeats(function, calls, module)
    found = check_compilations(
        function,
        calls,
        module,
        programs=exercise.programs,
        total=exercise.budget,
        dispatches=exercise.dispatches,
        one_program_only=exercise.one_program,
        counted=counted,
    )
    return tuple(found), timeline_of(counted, exercise.programs)


def _probe(exercise: Exercise, module: ModuleType, files: set[str]) -> dict[str, Finding]:
    """What the rubric's probe says of the student's code; an exception counts against outputs."""
    assert exercise.probe is not None
    try:
        said = exercise.probe(vars(module))
    except Exception as error:
        return {"outputs": error_finding(error, files, module=module)}
    return {
        name: Finding("behaviour", "error", None, what) if isinstance(what, str) else what
        for name, what in said.items()
    }
