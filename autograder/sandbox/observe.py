"""The worker's part: what is done beside the student's code, in the student's process.

Programs are exported from shapes alone; purity and compilations are observed on public inputs.
Everything here is untrusted once it has run: the judge believes only programs.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from autograder.core.blame import error_finding, find_location
from autograder.core.call_text import call_text
from autograder.core.figures import Timeline
from autograder.core.finding import Finding
from autograder.core.jax_internals import whole_tracebacks
from autograder.core.observation import Observation, Returned, literal
from autograder.core.program import (
    Program,
    concrete,
    export_program,
)
from autograder.core.report import KIT_ERROR
from autograder.core.rubric import PUBLIC_KEY, Exercise
from autograder.core.student_code import called, student_files
from autograder.criteria import REGISTRY
from autograder.criteria.shape import Subject
from autograder.sandbox import messages

OBSERVERS = tuple((c.name, c.observe) for c in reversed(REGISTRY) if c.observe is not None)
"""Imported before the student's code runs. Outputs come last: their calls compile, which is counted
before."""


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
    location = find_location(vars(module)[name], files)
    if exercise.kind == "behaviour":
        if programs_only:
            return Observation()
        public, observed, timeline = _observe_all(Subject(exercise, function, module))
        return Observation(public=public, observed=observed, location=location, timeline=timeline)

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
        return Observation(None, programs, failures, public=nothing, location=location)
    public, observed, timeline = _observe_all(Subject(exercise, function, module))
    return Observation(None, programs, failures, (), public, observed, location, timeline=timeline)


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


def _observe_all(
    subject: Subject,
) -> tuple[tuple[Returned | None, ...], dict[str, tuple[Finding, ...]], Timeline | None]:
    """What concrete calls show: the values on the public draws, findings by criterion, and what
    each call compiled."""
    behaviour = subject.exercise.kind == "behaviour"
    observed: dict[str, tuple[Finding, ...]] = {}
    if behaviour:
        observed = {name: () for name in subject.exercise.points}
    public: tuple[Returned | None, ...] = ()
    timeline = None
    for name, observer in OBSERVERS:
        seen = observer(subject)
        if seen is None:
            continue
        if seen.findings or name != "outputs":
            observed[name] = seen.findings
        for other, found in seen.others.items():
            if other in observed:
                observed[other] = (*observed[other], *found)
        public, timeline = seen.public or public, seen.timeline or timeline
    if subject.exercise.probe is not None:
        for name, finding in _probe(subject).items():
            observed[name] = (*observed.get(name, ()), finding)
    return public, observed, timeline


def _probe(subject: Subject) -> dict[str, Finding]:
    """What the rubric's probe says of the student's code; an exception counts against outputs."""
    assert subject.exercise.probe is not None
    try:
        said = subject.exercise.probe(vars(subject.module))
    except Exception as error:
        return {"outputs": subject.explain(error)}
    return {
        name: Finding("behaviour", "error", None, what) if isinstance(what, str) else what
        for name, what in said.items()
    }
