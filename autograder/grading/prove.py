"""Prove: what trusted code decides on the exported programs."""

from __future__ import annotations

from autograder.grading.run import calls_to_export
from autograder.judge.client import (
    AnyJudge,
    Judged,
    JudgeDied,
    JudgeError,
    JudgeFull,
    JudgeTimeout,
    judge_curve,
    judge_jaxpr,
    judge_programs,
)
from autograder.model.figures import Figure
from autograder.model.finding import Finding
from autograder.model.kit_fault import kit_finding
from autograder.model.messages import PROGRAM_RULES
from autograder.model.observation import Observation
from autograder.model.program import Program
from autograder.model.report import JUDGE_DIED, KIT_ERROR
from autograder.model.rubric import PUBLIC_KEY, Exercise, Rubric

RUN_SECONDS = 30.0


def prove(
    rubric: Rubric,
    exercise: Exercise,
    observation: Observation,
    judge: AnyJudge,
    key: int,
    *,
    timed: bool,
) -> Judged:
    """Return what the judge proves; there is always an entry for "outputs".

    `observation` is of the calls that `calls_to_export` lists; if `timed`, its last program is the
    one to time. For the other arguments, see `autograder.grading.pipeline.grade_exercises`.

    Raises:
        JudgeError: the judge cannot work here; no submission is to blame.
    """
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
            timed,
            exercise.redraws,
            exercise.watched,
            exercise.yardstick if exercise.memory else (),
            rubric.devices,
        )
    except (JudgeTimeout, JudgeFull, JudgeDied) as error:
        rules = {JudgeTimeout: "run-timeout", JudgeFull: "run-failed", JudgeDied: JUDGE_DIED}
        rule = rules[type(error)]
        text = PROGRAM_RULES[rule].format(detail=str(error))
        return Judged({"outputs": (Finding.error(rule, text),)})
    except JudgeError:
        raise
    except Exception as error:
        return Judged({"outputs": (kit_finding(error),)})


def ask_for_figure(
    rubric: Rubric,
    exercise: Exercise,
    observation: Observation,
    judged: Judged,
    judge: AnyJudge,
    key: int,
) -> Figure | None:
    """Return what is drawn beside the outputs: the rubric's curve, or how a jaxpr differs.

    Both are of the public data, and nobody has asked for them with another key. A curve is of the
    program with the most iterations. Jaxprs are compared once the outputs are right.
    """
    if key != PUBLIC_KEY:
        return None
    if exercise.curve is not None:
        program = _program_to_draw(exercise, observation, judged)
        if program is None:
            return None
        return judge_curve(
            judge,
            rubric.source,
            exercise.name,
            program.blob,
            redraws=exercise.redraws.get(PUBLIC_KEY, 0),
            devices=rubric.devices,
        )
    if observation.jaxpr and exercise.yardstick and not judged.findings.get("outputs"):
        return judge_jaxpr(judge, rubric, exercise, observation.jaxpr)
    return None


def _program_to_draw(
    exercise: Exercise, observation: Observation, judged: Judged
) -> Program | None:
    """Return the program with the most iterations, unless it would take too long."""
    rules = {f.rule for found in judged.findings.values() for f in found}
    # An unrolled loop compiles slowly, and what ran out of time before would do so again.
    if rules & {"unrolled", "run-timeout", "run-failed", JUDGE_DIED, KIT_ERROR}:
        return None
    last = len(calls_to_export(exercise, PUBLIC_KEY, timed=False)) - 1
    return observation.programs[last] if observation.programs else None
