"""Every lesson can be judged with any course key, and its own solutions pass with it.

A file of its own, so that it runs beside `test_lessons.py`. The key is drawn anew at each run;
`conftest.py` prints it.
"""

import random

import pytest

from autograder.criteria.outputs.references import redraws_needed
from autograder.judge.client import Judge
from autograder.lessons.course import find_course
from autograder.lessons.solutions import own_solution
from autograder.lessons.verification.in_process import grade_source
from autograder.lessons.verification.requirements import full_marks
from autograder.model.exercise import FunctionExercise

LESSONS = find_course().lessons()
KEYS = 50

DRAWN = [
    (lesson, exercise.name)
    for lesson in LESSONS
    for exercise in lesson.rubric.exercises
    if isinstance(exercise, FunctionExercise) and exercise.draws is not None
]
"""What a course key decides on: probes and answers draw nothing."""


@pytest.fixture(scope="module")
def judge():
    judge = Judge()
    yield judge
    judge.close()


TIERS = {"static_branch": (), "static_reshape": (), "early_stop": pytest.mark.gate}
"""Lessons whose programs compile quickly; the slow tier tries all of them."""


@pytest.mark.parametrize(
    ("lesson", "name"),
    [
        pytest.param(lesson, name, id=name, marks=TIERS.get(lesson.name, pytest.mark.slow))
        for lesson, name in DRAWN
    ],
)
def test_solutions_are_right(lesson, name, judge, fresh_key):
    source = own_solution(lesson, name)
    report = grade_source(lesson, name, source, judge, outputs_only=True, key=fresh_key)
    assert full_marks(report) == [], f"with the course key {fresh_key}"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_references_can_judge(lesson, fresh_key, record_property):
    """Some draws may be ill-conditioned; were it many, the comparison would not fit the lesson."""
    draw = random.Random(fresh_key)
    keys = [1 + draw.randrange(2**128 - 1) for _ in range(KEYS)]
    for exercise in lesson.rubric.exercises:
        is_drawn = isinstance(exercise, FunctionExercise) and exercise.draws is not None
        if is_drawn and exercise.comparison is None:
            drawn = [lesson.rubric.draw(exercise.name, key) for key in keys]
            needed = [redraws_needed(one, one.key) for one in drawn]
            record_property("redraws", f"{exercise.name} {sum(needed)}")
            # Expected: a third for the longest loop of pytree_class, a fifth for the 301 iterations
            # of jitted_step, hardly any elsewhere. A class ends after twenty.
            most = KEYS if lesson.name in ("pytree_class", "jitted_step") else KEYS // 5
            assert sum(needed) <= most, f"from the course key {fresh_key}"
            assert max(needed) <= 10, f"from the course key {fresh_key}"
