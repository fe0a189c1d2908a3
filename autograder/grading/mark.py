"""From what a worker observed to a report: the one place where points are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.core.figures import Figure
from autograder.core.finding import Finding
from autograder.core.hints import about
from autograder.core.kit_fault import by_kit, kit_finding
from autograder.core.observation import Observation
from autograder.core.program import abstract
from autograder.core.program_messages import PROGRAM_RULES
from autograder.core.report import (
    CRITERIA,
    EVIDENCE,
    KIT_ERROR,
    CriterionResult,
    Evidence,
    Report,
    Status,
)
from autograder.core.rubric import PUBLIC_KEY, Exercise, Rubric
from autograder.criteria.speed.messages import NEEDS_GPU
from autograder.judge.client import (
    AnyJudge,
    Judged,
    JudgeDied,
    JudgeError,
    JudgeTimeout,
    judge_curve,
    judge_programs,
)

RUN_SECONDS = 30.0


def calls_to_export(exercise: Exercise, key: int, *, timed: bool = True) -> list[tuple]:
    """What a worker is asked to export: shapes of the judged calls, of the public ones, of those
    that show whether a loop is unrolled, and last, if it will be `timed`, of the one to time."""
    if exercise.kind != "program":
        return []
    calls = [
        *exercise.calls(key),
        *exercise.calls(PUBLIC_KEY),
        *exercise.unrolling_calls(),
        *(exercise.speed_calls(key) if timed else ()),
    ]
    return [abstract(args) for args in calls]


def not_graded(
    rubric: Rubric, exercise: Exercise, reason: str, finding: Finding, key: int = PUBLIC_KEY
) -> Report:
    """A report on a submission that could not be judged at all: named, and distinct from 0."""
    if finding.rule == KIT_ERROR:
        reason = KIT_ERROR  # whatever the process that met it calls it
    criteria = [
        CriterionResult(
            name,
            Status.NOT_GRADED,
            0.0,
            float(exercise.points[name]),
            _evidence(exercise, name),
            reason,
            (finding,) if first else (),
        )
        for first, name in _numbered(exercise)
    ]
    return Report(rubric.lesson, exercise.name, tuple(criteria), provisional=key == PUBLIC_KEY)


def _numbered(exercise: Exercise) -> list[tuple[bool, str]]:
    names = [name for name in CRITERIA if name in exercise.points]
    return [(i == 0, name) for i, name in enumerate(names)]


def grade(
    rubric: Rubric,
    exercise: Exercise,
    observation: Observation,
    judge: AnyJudge,
    key: int,
    *,
    to_time: bool = False,
    drawn: bool = False,
) -> Report:
    """Judge one exercise.

    Args:
        rubric, exercise: what is asked for, its draws settled (`autograder.grading.settle`).
        observation: of the calls listed by `calls_to_export(exercise, key)`.
        judge: runs the programs.
        key: of the draws to judge with; with the public key the report is provisional.
        to_time: the observation's last call is the one whose speed will be measured.
        drawn: draw the rubric's curve, for which the program runs once more.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here; no submission is to blame.
    """
    if observation.refused is not None:
        return not_graded(rubric, exercise, *observation.refused, key)
    verdict = _judge(rubric, exercise, observation, judge, key, to_time)
    found = {
        name: [
            _placed(f, observation)
            for f in (*verdict.findings.get(name, ()), *observation.observed.get(name, ()))
        ]
        for name in CRITERIA
    }
    found["outputs"] = [replace(f, severity="error") for f in found["outputs"]]
    right = not found["outputs"]
    undecided = bool(by_kit(found["outputs"]))
    if to_time and right and exercise.speed is not None:
        # Without a program there is nothing that could be timed.
        found["speed"] += [f for f in observation.failures[-1:] if f is not None]
    figures: dict[str, Figure | None] = {
        "outputs": _curve(rubric, exercise, observation, verdict, judge, key) if drawn else None,
        "compilations": observation.timeline,
    }
    judged = [
        _criterion(exercise, name, found[name], right, undecided)
        for name in CRITERIA
        if name in exercise.points
    ]
    criteria = [_explained(exercise, c, figures.get(c.name)) for c in judged]
    return Report(rubric.lesson, exercise.name, tuple(criteria), provisional=key == PUBLIC_KEY)


def _evidence(exercise: Exercise, name: str) -> Evidence:
    return "observed" if exercise.kind == "behaviour" else EVIDENCE[name]


def _placed(finding: Finding, observation: Observation) -> Finding:
    """The finding with the line where the function begins, when no other line is to blame."""
    location = observation.location
    if finding.line or location is None or finding.severity == "warning" or by_kit([finding]):
        return finding
    return replace(finding, line=location.line, code=location.code)


def _judge(
    rubric: Rubric,
    exercise: Exercise,
    observation: Observation,
    judge: AnyJudge,
    key: int,
    to_time: bool,
) -> Judged:
    """What is proved, findings on "outputs" always among it."""
    judged = len(exercise.calls(key))
    failure = next((f for f in observation.failures[:judged] if f is not None), None)
    if failure is not None:
        return Judged({"outputs": (failure,)})
    try:
        return judge_programs(
            judge,
            rubric.source,
            exercise.name,
            key,
            observation,
            RUN_SECONDS,
            to_time,
            exercise.redraws,
            exercise.yardstick,
        )
    except JudgeTimeout as error:
        return Judged({"outputs": (_program_finding("run-timeout", str(error)),)})
    except JudgeDied as error:
        return Judged({"outputs": (_program_finding("judge-died", str(error)),)})
    except JudgeError:
        raise
    except Exception as error:
        return Judged({"outputs": (kit_finding(error),)})


def _curve(
    rubric: Rubric,
    exercise: Exercise,
    observation: Observation,
    verdict: Judged,
    judge: AnyJudge,
    key: int,
) -> Figure | None:
    """The rubric's curve, from the program with the most iterations."""
    rules = {f.rule for found in verdict.findings.values() for f in found}
    # An unrolled loop takes its time to compile; what did not end before does not end here.
    if exercise.curve is None or rules & {"unrolled", "run-timeout", "judge-died", KIT_ERROR}:
        return None
    last = len(calls_to_export(exercise, key, timed=False)) - 1
    program = observation.programs[last] if observation.programs else None
    again = exercise.redraws.get(PUBLIC_KEY, 0)
    return program and judge_curve(judge, rubric.source, exercise.name, program.blob, redraws=again)


def _program_finding(rule: str, detail: str) -> Finding:
    return Finding(rule, "error", None, PROGRAM_RULES[rule].format(detail=detail))


def _criterion(
    exercise: Exercise,
    name: str,
    findings: Sequence[Finding],
    outputs_passed: bool,
    outputs_undecided: bool = False,
) -> CriterionResult:
    """A criterion's points; `outputs_undecided`: the kit failed before it could judge them."""
    possible = float(exercise.points[name])
    wrong = any(f.severity == "error" for f in findings)
    ordered = tuple(sorted(findings, key=lambda f: f.severity != "error"))
    status, reason, earned = Status.PASSED, "", possible
    if by_kit(findings):
        status, reason, earned, ordered = Status.NOT_GRADED, KIT_ERROR, 0.0, by_kit(findings)[:1]
    elif outputs_undecided:
        status, reason, earned, ordered = Status.NOT_GRADED, KIT_ERROR, 0.0, ()
    elif name != "outputs" and not outputs_passed:
        # A function that does not compute the right thing earns nothing for doing it purely, and
        # nobody will ever time it.
        status, reason, earned = Status.NOT_GRADED, "outputs-first", 0.0
    elif name == "speed" and not wrong:
        status, reason, earned = Status.PENDING, NEEDS_GPU, 0.0
    elif wrong and exercise.kind == "answers":
        right = len(exercise.questions) - len(findings)
        earned = round(possible * right / len(exercise.questions), 2)
        status = Status.PARTIAL if earned else Status.FAILED
    elif wrong:
        status, earned = Status.FAILED, 0.0
    evidence = _evidence(exercise, name)
    return CriterionResult(name, status, earned, possible, evidence, reason, ordered)


def _explained(
    exercise: Exercise, criterion: CriterionResult, figure: Figure | None
) -> CriterionResult:
    """The criterion with what helps to understand it: hints where it failed, and a figure."""
    if criterion.status is Status.NOT_GRADED:
        return criterion
    hints: tuple[str, ...] = ()
    if criterion.status in (Status.FAILED, Status.PARTIAL):
        hints = exercise.hints.get(about(exercise, criterion), ())
    return replace(criterion, hints=hints, figure=figure)
