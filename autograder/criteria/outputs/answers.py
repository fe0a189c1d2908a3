"""The criterion of outputs where a student predicts what code will show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograder.core.finding import Finding
from autograder.core.rubric import Exercise
from autograder.criteria.outputs import messages


def judge_answers(
    exercise: Exercise, right: Mapping[str, Any], answers: Mapping[str, Any]
) -> list[Finding]:
    """One finding for each answer that is wrong or missing."""
    name, questions = exercise.entry_points[0], exercise.questions
    findings = []
    for question in questions:
        got = answers.get(question)
        if got is None:
            text = messages.NO_ANSWER.format(name=name, question=question)
            findings.append(Finding.error("no-answer", text))
        elif not _same_answer(got, right[question]):
            think = questions[question] if isinstance(questions, Mapping) else messages.LOOK_AGAIN
            text = messages.WRONG_ANSWER.format(name=name, question=question, got=got, think=think)
            findings.append(Finding.error("wrong-answer", text))
    return findings


def _same_answer(got: Any, right: Any) -> bool:
    """Whether two literals are the same answer: 2 is as good as 2.0, but 1 is not True."""
    if type(got) in (int, float) and type(right) in (int, float):
        return got == right
    return type(got) is type(right) and got == right
