"""Prove: what trusted code decides on the exported programs."""

from __future__ import annotations

from autograder.grading.run import calls_to_export
from autograder.judge.client import Judged, judge_curve, judge_jaxpr, judge_programs
from autograder.model.exercise import ProgramExercise
from autograder.model.figures import Figure
from autograder.model.kit_fault import CannotJudge, kit_finding
from autograder.model.observation import Observation
from autograder.model.program import Program, ProgramError
from autograder.model.reasons import JUDGE_DIED, KIT_ERROR
from autograder.model.rubric import Drawn
from autograder.model.terms import Terms

RUN_SECONDS = 30.0


def prove(drawn: Drawn, observation: Observation, terms: Terms) -> Judged:
    """Return what the judge proves; there is always an entry for "outputs".

    `observation` is of the calls that `calls_to_export` lists.

    Raises:
        CannotJudge: the judge cannot work here; no submission is to blame.
    """
    judged = observation.failures[: len(drawn.calls)]
    failure = next((f for f in judged if f is not None), None)
    if failure is not None:
        return {"outputs": (failure,)}
    try:
        return judge_programs(terms.judge, drawn, observation, RUN_SECONDS, to_time=terms.timed)
    except ProgramError as error:
        return {"outputs": (error.finding(),)}
    except CannotJudge:
        raise
    except Exception as error:
        return {"outputs": (kit_finding(error),)}


def ask_for_figure(
    drawn: Drawn, observation: Observation, judged: Judged, terms: Terms
) -> Figure | None:
    """Return what is drawn beside the outputs: the rubric's curve, or how a jaxpr differs.

    Both are of the public data, and nobody has asked for them with another key. A curve is of the
    program with the most iterations. Jaxprs are compared once the outputs are right.
    """
    exercise = drawn.exercise
    if not (terms.with_figures and terms.is_public and isinstance(exercise, ProgramExercise)):
        return None
    if exercise.curve is not None:
        program = _program_to_draw(drawn, observation, judged)
        return None if program is None else judge_curve(terms.judge, drawn, program.blob)
    if observation.jaxpr and drawn.reference_solution and not judged.get("outputs"):
        return judge_jaxpr(terms.judge, drawn, observation.jaxpr)
    return None


def _program_to_draw(drawn: Drawn, observation: Observation, judged: Judged) -> Program | None:
    """Return the program with the most iterations, unless it would take too long."""
    rules = {f.rule for found in judged.values() for f in found}
    # An unrolled loop compiles slowly, and what ran out of time before would do so again.
    if rules & {"unrolled", "run-timeout", "run-failed", JUDGE_DIED, KIT_ERROR}:
        return None
    last = len(calls_to_export(drawn, timed=False)) - 1
    return observation.programs[last] if observation.programs else None
