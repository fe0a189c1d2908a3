"""Observes one exercise in the student's process.

It exports programs from shapes alone, and observes purity and compilations on watched inputs: the
public ones, or in a class those of a throw-away key. What it reports is untrusted: the judge
believes only programs.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from autograder.criteria import find_observer, find_rules
from autograder.criteria.compilations.judge import find_outside_jit, say_works
from autograder.criteria.purity import callback_finding, remember_state
from autograder.criteria.shape import Seen, Subject
from autograder.errors.error_finding import error_finding, find_location
from autograder.errors.jax_errors import CALL_ERROR, GRADIENT_ERROR
from autograder.model.adapters import keep_notes
from autograder.model.answers import literals
from autograder.model.call_text import call_text, kind_of
from autograder.model.exercise import (
    BehaviourExercise,
    Exercise,
    Predictions,
    ProgramExercise,
)
from autograder.model.finding import Finding
from autograder.model.observation import OBSERVED, Observation, Probed
from autograder.model.program import Program
from autograder.model.reasons import KIT_ERROR
from autograder.model.report import CRITERIA
from autograder.model.rubric import Drawn
from autograder.model.student_code import called, is_interruption, student_files
from autograder.model.wire import plain
from autograder.programs.exported import abstract, concrete, export_program
from autograder.programs.jax_private import student_line_of, whole_tracebacks
from autograder.programs.jaxprs import jaxpr_lines
from autograder.sandbox import messages
from autograder.sandbox.questioning import make_questions

OBSERVERS = tuple((c, found) for c in reversed(CRITERIA) if (found := find_observer(c)))
"""Imported before the student's code runs. Outputs come last: their calls compile, and compilations
must be counted first."""
_EFFECTS = find_rules("purity")
"""Rules of what a call does beside returning its result."""


def observe(
    drawn: Drawn,
    module: ModuleType,
    calls: Sequence[tuple],
    *,
    programs_only: bool = False,
    proved: Collection[str] = (),
) -> Observation:
    """Export the student's programs and observe their behaviour.

    Args:
        drawn: the exercise to observe, with the draws to watch with.
        module: the module that the student's cells ran in.
        calls: the calls to export, with arrays as `jax.ShapeDtypeStruct` (see
            `autograder.programs.exported.abstract`) and statics as they are.
        programs_only: only export the programs, as the second process does.
        proved: the criteria that the source proves, so that nothing is observed for them.
    """
    return _observing(drawn, module, partial(_observe, calls, programs_only, frozenset(proved)))


def ask_about(drawn: Drawn, module: ModuleType) -> Observation:
    """Return the questions about a student's program.

    For the arguments, see `observe`.
    """
    return _observing(drawn, module, lambda subject: Observation(questions=make_questions(subject)))


def _observing(
    drawn: Drawn, module: ModuleType, look: Callable[[Subject], Observation]
) -> Observation:
    """Find the student's function and observe it; whatever fails, say whose fault it is."""
    try:
        # An error's frames show who is to blame, so JAX must not hide its own.
        with whole_tracebacks():
            found = _find_function(drawn, module)
            return look(found) if isinstance(found, Subject) else found
    except BaseException as error:  # raised by the kit, or by an object of the student's
        if is_interruption(error):
            raise
        finding = error_finding(error, student_files(module), module=module, handling=False)
        return refuse("cell-failed", finding)


def refuse(reason: str, finding: Finding) -> Observation:
    """Say that an exercise could not be observed. A failure of the kit is its own reason."""
    return Observation(refused=(KIT_ERROR if finding.rule == KIT_ERROR else reason, finding))


def _check_entry_points(exercise: Exercise, namespace: Mapping[str, Any]) -> Finding | None:
    for name in exercise.entry_points:
        if name not in namespace:
            functions = [k for k, v in namespace.items() if callable(v) and k[0] != "_"]
            near = difflib.get_close_matches(name, functions, n=1, cutoff=0.7)
            text = messages.MISSPELT_FUNCTION if near else messages.MISSING_FUNCTION
            text = text.format(name=name, near=near[0] if near else "")
            return Finding.error("missing-function", text)
        value = namespace[name]
        kind = kind_of(value)
        if isinstance(exercise, Predictions):
            if literals(value, ()) is None:
                text = messages.NOT_ANSWERS.format(name=name, kind=kind)
                return Finding.error("not-answers", text)
        elif not callable(value):
            return Finding.error("not-callable", messages.NOT_CALLABLE.format(name=name, kind=kind))
    return None


def _check_signature(name: str, function: Callable, args: tuple) -> Finding | None:
    # `functools.wraps` names the signature of what is wrapped, not that of the wrapper.
    is_jitted = not isinstance(function, FunctionType)
    try:
        signature = inspect.signature(function, follow_wrapped=is_jitted)
    except (TypeError, ValueError):
        return None  # the signature is unknown; the call itself will show whether it works
    try:
        signature.bind(*args)
    except TypeError as error:
        call = call_text(name, args)
        text = messages.WRONG_SIGNATURE.format(
            name=name, signature=signature, call=call, problem=error
        )
        return Finding.error("wrong-signature", text)
    return None


def _find_function(drawn: Drawn, module: ModuleType) -> Subject | Observation:
    """Return the student's function; or what there is to observe without one, or why not."""
    exercise = drawn.exercise
    finding = _check_entry_points(exercise, vars(module))
    if finding is not None:
        return refuse(finding.rule, finding)
    name = exercise.entry_points[0]
    if isinstance(exercise, Predictions):
        return Observation(answers=literals(vars(module)[name], exercise.questions) or {})
    try:
        function = exercise.function(vars(module))
    except Exception as error:
        finding = error_finding(error, student_files(module), module=module)
        return refuse("adapter-failed", finding)
    for args in drawn.watched_calls[:1]:
        finding = _check_signature(name, function, args)
        if finding is not None:
            return refuse(finding.rule, finding)
    return Subject(drawn, function, module)


def _observe(
    calls: Sequence[tuple], programs_only: bool, proved: frozenset[str], subject: Subject
) -> Observation:
    exercise, module, files = subject.exercise, subject.module, student_files(subject.module)
    name, watched = exercise.entry_points[0], len(subject.calls)
    subject = replace(subject, proved=proved)
    if not programs_only and not subject.is_pure:
        subject = replace(subject, restore=remember_state(subject.function, module))
    location = find_location(vars(module)[name], files, name)
    observation = Observation(location=location, watched=(None,) * watched)
    if isinstance(exercise, ProgramExercise):
        impure: list[Finding] = []
        programs, failures = _export_calls(subject, calls, files, impure, located=programs_only)
        observation = replace(observation, programs=programs, failures=failures)
        observation = replace(observation, observed={"purity": tuple(impure[:1])})
        judged = failures[: 2 * watched]  # and those that are watched
        if any(f is not None and f.rule == "too-large" for f in judged):
            # It would take minutes to compile, and has lost the outputs already.
            unseen = {name: () for name in OBSERVED if name in exercise.points}
            return replace(observation, observed={**unseen, **observation.observed})
    if programs_only:
        return observation
    observation = _observe_calls(subject, observation)
    is_described = isinstance(exercise, ProgramExercise) and exercise.jaxpr
    return replace(observation, jaxpr=_describe_jaxpr(subject)) if is_described else observation


def _describe_jaxpr(subject: Subject) -> tuple[str, ...]:
    """Return the lines of the first watched call's jaxpr; none where it cannot be traced."""
    try:
        return tuple(jaxpr_lines(subject.function, abstract(subject.calls[0])))
    except Exception:  # the other observers say why
        return ()


def _export_calls(
    subject: Subject,
    calls: Sequence[tuple],
    files: set[str],
    impure: list[Finding],
    *,
    located: bool,
) -> tuple[tuple[Program | None, ...], tuple[Finding | None, ...]]:
    """Return for each call its program, or why there is none.

    Where purity is judged, a call back into Python that returns nothing, such as a
    `jax.debug.print`, is left out of the program and goes to `impure`, as does what the rubric's
    adapter notes.
    """

    def note(equations: Sequence[Any]) -> None:
        lines = [student_line_of(eqn, files) for eqn in equations]
        impure.append(callback_finding(equations[0].primitive.name, lines))

    on_callbacks = note if "purity" in subject.exercise.points else None
    function = subject.exercise.results(subject.function)
    made: dict[str, tuple[Program | None, Finding | None]] = {}
    with keep_notes() as notes:
        for signature, args in {repr(args): args for args in calls}.items():
            try:
                program = export_program(function, args, on_callbacks=on_callbacks, located=located)
                made[signature] = program, None
            except BaseException as error:  # SystemExit too: it must not end the grader
                if is_interruption(error):
                    raise
                fails = _fails_without_gradient(subject, args)
                sentence = CALL_ERROR if fails else GRADIENT_ERROR
                made[signature] = None, subject.explain(error, args, sentence)
    noted = (replace(subject.explain(note), rule="argument-mutated") for note in notes)
    impure.extend(noted if "purity" in subject.exercise.points else ())
    programs, failures = zip(*(made[repr(args)] for args in calls), strict=True)
    if any(f is not None and f.rule == "error" for f in failures):
        clearer = _explain_plain_call(subject, files)
        failures = tuple((clearer or f) if f and f.rule == "error" else f for f in failures)
    return programs, failures


def _explain_plain_call(subject: Subject, files: set[str]) -> Finding | None:
    """Return the error of a plain call, if our messages explain it.

    For example, a leaked tracer may end an export with an error from deep inside JAX.
    """
    try:
        called(subject.function, *concrete(subject.calls[0]))
    except BaseException as error:
        if is_interruption(error):
            raise
        finding = error_finding(error, files, module=subject.module)
        return finding if finding.rule != "error" else None
    return None


def _observe_calls(subject: Subject, observation: Observation) -> Observation:
    """Add the values on the watched draws, findings by criterion, and what each call compiled."""
    if any(observation.failures):  # the finding about a call that fails is seen when it is made
        subject = replace(subject, proved=subject.proved - {"compilations"})
    printed = observation.observed.get("purity", ())
    observed: dict[str, tuple[Finding, ...]] = {}
    if isinstance(subject.exercise, BehaviourExercise):
        observed = dict.fromkeys(subject.exercise.points, ())
    count = len(subject.calls)
    returned, timeline = observation.watched, None
    failed: Finding | None = None
    judged, watched = observation.failures[:count], observation.failures[count : 2 * count]
    for name, observer in OBSERVERS:
        # A call gives neither a value nor, where it is asked for, a program: the outputs are lost,
        # and purity with them. Its experiments would only raise the same error.
        is_lost = failed and all(judged[:1]) and failed.rule not in _EFFECTS
        seen = Seen() if is_lost or name in subject.proved else observer(subject)
        if seen is None:
            continue
        if name != "outputs":
            observed[name] = seen.findings
        failed = failed or seen.failed
        subject = replace(subject, returns=subject.returns or seen.returns)
        for other, found in seen.others.items():
            if other in observed:
                observed[other] = (*observed[other], *found)
        returned, timeline = seen.watched or returned, seen.timeline or timeline
    if failed and not any(judged):  # otherwise that says why
        observed["outputs"] = (next(filter(None, watched), failed),)
    rules = {finding.rule for finding in observed.get("purity", ())}
    if "purity" in observed and not rules & {finding.rule for finding in printed}:
        observed["purity"] += printed  # in a call that purity was not observed for
    outside = None
    if any(observation.failures):
        outside = find_outside_jit(observation.failures, observed.get("compilations", ()))
    if (
        outside is not None
        and "compilations" in observed
        and _fails_without_gradient(subject, subject.calls[0])
    ):
        observed["compilations"] = (outside, *observed["compilations"])
        observation = replace(observation, failures=tuple(map(say_works, observation.failures)))
    probed = _run_probe(subject)
    return replace(
        observation, watched=returned, observed=observed, timeline=timeline, probed=probed
    )


def _fails_without_gradient(subject: Subject, args: tuple) -> bool:
    """Whether the student's function has no program, or only its gradient has none."""
    exercise = subject.exercise
    if not isinstance(exercise, ProgramExercise) or exercise.gradient is None:
        return True
    try:
        export_program(subject.function, abstract(args))
    except BaseException as error:
        if is_interruption(error):
            raise
        return True
    return False


def _run_probe(subject: Subject) -> Probed | None:
    """Return what the rubric's probe sees, up to the first failure."""
    exercise = subject.exercise
    if not isinstance(exercise, BehaviourExercise) or exercise.probe is None:
        return None
    seen = []
    try:
        for one in exercise.probe(vars(subject.module)):
            seen.append(plain(one))
    except BaseException as error:
        if is_interruption(error):
            raise
        return Probed(tuple(seen), subject.explain(error))
    return Probed(tuple(seen))
