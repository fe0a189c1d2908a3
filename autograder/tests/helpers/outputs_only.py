"""The two exercises of the corpus with points for outputs alone: judged fast."""

from dataclasses import replace

from autograder.model.rubric import Rubric
from autograder.rubrics import static_branch, static_reshape

rubric = Rubric(
    lesson="outputs_only",
    exercises=tuple(
        replace(lesson.rubric.exercises[0], points={"outputs": 4})
        for lesson in (static_reshape, static_branch)
    ),
)
