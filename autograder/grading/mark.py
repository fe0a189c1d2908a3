"""Mark: from findings to points. `criteria/speed` and the defence give theirs later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.criteria.compilations.judge import COSTS_COMPILATIONS
from autograder.criteria.speed.messages import NEEDS_GPU
from autograder.judge.client import Judged
from autograder.model.exercise import Exercise, Predictions, ProgramExercise
from autograder.model.figures import Figure
from autograder.model.finding import Finding
from autograder.model.kit_fault import by_kit
from autograder.model.observation import Observation
from autograder.model.reasons import JUDGE_DIED, KIT_ERROR, OUTPUTS_FIRST
from autograder.model.report import CRITERIA, EVIDENCE, CriterionResult, Evidence, Report, Status
from autograder.model.terms import Terms


def evidence_of(exercise: Exercise, criterion: str) -> Evidence:
    """Return the grade of evidence for a criterion, as long as nobody has read the source.

    What trusted code decides on the exported program is proved. What was seen beside the student's
    code is observed, and so is everything about an exercise that has no program.
    """
    return EVIDENCE[criterion] if isinstance(exercise, ProgramExercise) else "observed"


def not_graded(exercise: Exercise, reason: str, finding: Finding, terms: Terms) -> Report:
    """Return a report on a submission that could not be judged, with a reason instead of a 0."""
    if finding.rule == KIT_ERROR:
        reason = KIT_ERROR  # the process that failed may give another reason
    names = [name for name in CRITERIA if name in exercise.points]
    criteria = [
        CriterionResult(
            name,
            Status.NOT_GRADED,
            0.0,
            float(exercise.points[name]),
            evidence_of(exercise, name),
            reason,
            (finding,) if name == names[0] else (),
        )
        for name in names
    ]
    return _make_report(exercise, criteria, terms)


def mark(
    exercise: Exercise,
    observation: Observation,
    judged: Judged,
    figure: Figure | None,
    terms: Terms,
) -> Report:
    """Give points for what was observed and proved; `figure` is drawn beside the outputs."""
    found = {
        name: [
            _located(f, observation)
            for f in (*judged.get(name, ()), *observation.observed.get(name, ()))
        ]
        for name in CRITERIA
    }
    # A call and the rubric's probe may fail in the same way.
    found = {
        name: [f for i, f in enumerate(all_) if f not in all_[:i]] for name, all_ in found.items()
    }
    found["outputs"] = [replace(f, severity="error") for f in found["outputs"]]
    right = not found["outputs"]
    blamed = [f for f in found["outputs"] if f.rule in COSTS_COMPILATIONS]
    found["compilations"] = [*blamed, *(f for f in found["compilations"] if f not in blamed)]
    undecided = _why_undecided(found["outputs"])
    if terms.timed and right and "speed" in exercise.points:
        # Without a program, nothing can be timed.
        found["speed"] += [f for f in observation.failures[-1:] if f is not None]
    figures: dict[str, Figure | None] = {"outputs": figure, "compilations": observation.timeline}
    marked = [
        _mark_criterion(exercise, name, found[name], right, undecided)
        for name in CRITERIA
        if name in exercise.points
    ]
    if not judged.get("outputs") and not right:  # a call failed; its program is right
        marked = [replace(c, evidence="observed") if c.name == "outputs" else c for c in marked]
    criteria = [_explain(exercise, c, figures.get(c.name)) for c in marked]
    return _make_report(exercise, criteria, terms)


def _make_report(exercise: Exercise, criteria: Sequence[CriterionResult], terms: Terms) -> Report:
    lesson, practice = terms.rubric.lesson, terms.rubric.practice
    return Report(lesson, exercise.name, tuple(criteria), terms.is_public, practice=practice)


def _located(finding: Finding, observation: Observation) -> Finding:
    """Return the finding with the function's first line, when no other line is to blame."""
    location = observation.location
    if finding.line or location is None or finding.severity == "warning" or by_kit([finding]):
        return finding
    return replace(finding, line=location.line, code=location.code)


def _mark_criterion(
    exercise: Exercise,
    name: str,
    findings: Sequence[Finding],
    outputs_passed: bool,
    outputs_undecided: str,
) -> CriterionResult:
    """Mark a criterion; `outputs_undecided`: why there is no verdict on the outputs."""
    possible = float(exercise.points[name])
    wrong = any(f.severity == "error" for f in findings)
    ordered = tuple(sorted(findings, key=lambda f: f.severity != "error"))
    status, reason, earned = Status.PASSED, "", possible
    if by_kit(findings):
        status, reason, earned, ordered = Status.NOT_GRADED, KIT_ERROR, 0.0, by_kit(findings)[:1]
    elif outputs_undecided:
        status, reason, earned = Status.NOT_GRADED, outputs_undecided, 0.0
        ordered = ordered if name == "outputs" else ()
    elif name == "compilations" and any(f.rule in COSTS_COMPILATIONS for f in findings):
        status, earned = Status.FAILED, 0.0  # whatever the outputs are
    elif name != "outputs" and not outputs_passed:
        # A function with wrong outputs earns nothing for purity, and is never timed.
        status, reason, earned = Status.NOT_GRADED, OUTPUTS_FIRST, 0.0
        # The outputs say that a call failed, and why.
        ordered = tuple(f for f in ordered if f.rule != "call-failed")
    elif name == "speed" and not wrong:
        status, reason, earned = Status.PENDING, NEEDS_GPU, 0.0
    elif wrong and isinstance(exercise, Predictions):
        right = len(exercise.questions) - len(findings)
        earned = round(possible * right / len(exercise.questions), 2)
        status = Status.PARTIAL if earned else Status.FAILED
    elif wrong:
        status, earned = Status.FAILED, 0.0
    evidence = evidence_of(exercise, name)
    return CriterionResult(name, status, earned, possible, evidence, reason, ordered)


def _why_undecided(outputs: Sequence[Finding]) -> str:
    """Return the reason why nobody could judge the outputs, which is not the student's fault."""
    reasons = {f.rule for f in outputs} & {KIT_ERROR, JUDGE_DIED}
    return min(reasons, default="")


def _explain(
    exercise: Exercise, criterion: CriterionResult, figure: Figure | None
) -> CriterionResult:
    """Return the criterion with hints where it failed, and with its figure."""
    if criterion.status is Status.NOT_GRADED:
        return criterion
    hints: tuple[str, ...] = ()
    if criterion.status in (Status.FAILED, Status.PARTIAL):
        hints = exercise.hints_about(exercise.hint_key(criterion))
    return replace(criterion, hints=hints, figure=figure)
