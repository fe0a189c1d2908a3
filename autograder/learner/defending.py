"""`defend("name")`: asks about the program that has passed the check, in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from autograder.grading import defence_messages as messages
from autograder.grading.defence import call_to_answer, judge_answers
from autograder.grading.run import find_draws
from autograder.judge.client import shared_judge
from autograder.learner import sentences
from autograder.learner.kernel import find_module, is_as_checked
from autograder.model.exercise import Exercise, ProgramExercise
from autograder.model.observation import Observation
from autograder.model.questions import Kind, Question
from autograder.model.rubric_files import find_exercise
from autograder.model.student_code import quiet
from autograder.model.terms import Terms
from autograder.programs.jax_private import compiling_quickly
from autograder.render.text import WIDTH
from autograder.sandbox.exercise_observation import ask_about


def defend(exercise: str, *, rubric: str | Path | None = None, **answers: Any) -> None:
    """Ask a question or two about the caller's program, and print what is right of the answers.

    Where a course gives points for them, the grader reads the answers from the saved notebook.

    Args:
        exercise: the exercise's name, such as ``"static_branch"``. Its check must have passed.
        rubric: lesson name or file of your own rubric, as for `check`.
        **answers: `program`, the program that they are about, and one for each question. The
            call to fill in is printed below the questions.

    Raises:
        RubricError: there is no such exercise.
    """
    module = find_module(sys._getframe(1).f_globals)
    found, asked = find_exercise(exercise, rubric)
    if not isinstance(asked, ProgramExercise):
        _show(messages.NO_PROGRAM.format(exercise=exercise))
    elif not is_as_checked(asked, vars(module)):
        _show(messages.CHECK_FIRST.format(exercise=exercise))
    else:
        drawn = find_draws(Terms(found.only([exercise]), shared_judge()), exercise)
        with quiet(), compiling_quickly():
            seen = ask_about(drawn, module)
        for line in _say(seen, asked, answers):
            _show(line)


def _say(seen: Observation, exercise: Exercise, answers: Mapping[str, Any]) -> Iterator[str]:
    """Yield what there is to say, a paragraph or a line of code each."""
    if seen.refused is not None:
        yield messages.UNASKABLE.format(problem=seen.refused[1].message)
        return
    questions = seen.questions
    if questions is None or not questions.asked:
        yield messages.NO_QUESTION
        return
    wrong = judge_answers(questions, answers, exercise)
    if answers and not wrong:
        yield sentences.ALL_DEFENDED.format(program=questions.program)
        return
    yield sentences.YOUR_PROGRAM.format(program=questions.program)
    for question in questions.asked:
        yield ""
        yield from _lines_of(question)
    yield ""
    if answers:
        yield from (f"✗ {finding.message}" for finding in wrong)
        yield ""
    yield sentences.FILL_IN
    yield f"    {call_to_answer(exercise.name, questions)}"


def _lines_of(question: Question) -> Iterator[str]:
    yield f"{question.kind}: {messages.ASK[question.kind].format(call=question.call)}"
    letters = "-" * len(question.options) if question.kind is Kind.PROGRAMS else question.letters
    for letter, option in zip(letters, question.options, strict=True):
        yield f"    {letter}  {option}"


def _show(text: str) -> None:
    """Print a paragraph, wrapped; a line of code stays as it is."""
    lines = [text] if text.startswith(" ") or not text else wrap(text, WIDTH)
    print("\n".join(lines))
