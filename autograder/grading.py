"""From what a worker observed to a report: the one place where points are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder import messages
from autograder.finding import Finding
from autograder.judge import Judge, JudgeDied, JudgeTimeout, judge_programs
from autograder.observation import Observation
from autograder.program import abstract
from autograder.report import CRITERIA, EVIDENCE, CriterionResult, Report, Status
from autograder.rubric import PUBLIC_KEY, Exercise, Rubric

RUN_SECONDS = 30.0


def calls_to_export(exercise: Exercise, key: int) -> list[tuple]:
    """What a worker is asked to export: shapes of the judged calls, of the public ones, of those
    that show whether a loop is unrolled, and of the one to time."""
    calls = [
        *exercise.calls(key),
        *exercise.calls(PUBLIC_KEY),
        *exercise.unrolling_calls(),
        *exercise.speed_calls(key),
    ]
    return [abstract(args) for args in calls]


def not_graded(
    rubric: Rubric, exercise: Exercise, reason: str, finding: Finding, key: int = PUBLIC_KEY
) -> Report:
    """A report on a submission that could not be judged at all: named, and distinct from 0."""
    criteria = [
        CriterionResult(
            name,
            Status.NOT_GRADED,
            0.0,
            float(exercise.points[name]),
            EVIDENCE[name],
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
    rubric: Rubric, exercise: Exercise, observation: Observation, judge: Judge, key: int
) -> Report:
    """Judge one exercise.

    Args:
        rubric, exercise: what is asked for.
        observation: of the calls listed by `calls_to_export(exercise, key)`.
        judge: runs the programs.
        key: of the draws to judge with; with the public key the report is provisional.

    Raises:
        autograder.judge.JudgeError: the judge cannot work here; no submission is to blame.
    """
    if observation.refused is not None:
        return not_graded(rubric, exercise, *observation.refused, key)
    verdict = _judge(rubric, exercise, observation, judge, key)
    criteria = []
    for name in CRITERIA:
        if name not in exercise.points:
            continue
        findings = [*verdict.get(name, ()), *observation.observed.get(name, ())]
        if verdict["outputs"] and name == "outputs":
            findings = [replace(f, severity="error") for f in findings]
        criteria.append(_criterion(exercise, name, findings, not verdict["outputs"]))
    return Report(rubric.lesson, exercise.name, tuple(criteria), provisional=key == PUBLIC_KEY)


def _judge(
    rubric: Rubric, exercise: Exercise, observation: Observation, judge: Judge, key: int
) -> dict[str, tuple[Finding, ...]]:
    """What is proved: findings by criterion, "outputs" always among them."""
    judged = len(exercise.calls(key))
    failure = next((f for f in observation.failures[:judged] if f is not None), None)
    if failure is not None:
        return {"outputs": (failure,)}
    try:
        return judge_programs(judge, rubric.source, exercise.name, key, observation, RUN_SECONDS)
    except JudgeTimeout as error:
        return {"outputs": (_program_finding("run-timeout", str(error)),)}
    except JudgeDied as error:
        return {"outputs": (_program_finding("judge-died", str(error)),)}


def _program_finding(rule: str, detail: str) -> Finding:
    return Finding(rule, "error", None, messages.PROGRAM_RULES[rule].format(detail=detail))


def _criterion(
    exercise: Exercise, name: str, findings: Sequence[Finding], outputs_passed: bool
) -> CriterionResult:
    possible = float(exercise.points[name])
    wrong = any(f.severity == "error" for f in findings)
    ordered = tuple(sorted(findings, key=lambda f: f.severity != "error"))
    status, reason, earned = Status.PASSED, "", possible
    if name == "speed":
        status, reason, earned = Status.PENDING, "needs a GPU", 0.0
    elif name != "outputs" and not outputs_passed:
        # A function that does not compute the right thing earns nothing for doing it purely.
        status, reason, earned = Status.NOT_GRADED, "outputs-first", 0.0
    elif wrong:
        status, earned = Status.FAILED, 0.0
    return CriterionResult(name, status, earned, possible, EVIDENCE[name], reason, ordered)
