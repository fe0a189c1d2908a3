"""Every lesson can be judged with any course key, and its own solutions pass with it.

A file of its own, so that it runs beside `test_lessons.py`. The key is drawn anew at each run;
`conftest.py` prints it.
"""

import numpy as np
import pytest

from autograder.criteria.outputs.references import redraws_needed
from autograder.judge.client import Judge
from autograder.lessons.course import find_course
from autograder.lessons.solutions import own_solution
from autograder.lessons.verification.expected import full_marks
from autograder.lessons.verification.in_process import grade_source

LESSONS = find_course().lessons()
KEYS = 50

PROGRAMS = [
    (lesson, exercise.name)
    for lesson in LESSONS
    for exercise in lesson.rubric.exercises
    if exercise.kind == "program"
]
"""What a course key decides on; behaviour and answers are judged on the public draws."""


@pytest.fixture(scope="module")
def judge():
    judge = Judge()
    yield judge
    judge.close()


SLOW = {"jitted_step", "scan_fit", "named_tuple_carry", "dataclass_pytree", "capstone"}
"""Lessons whose programs take longest to compile; `pytree_class` stands for them."""


@pytest.mark.parametrize(
    ("lesson", "name"),
    [
        pytest.param(lesson, name, id=name, marks=[pytest.mark.slow] * (lesson.name in SLOW))
        for lesson, name in PROGRAMS
    ],
)
def test_solutions_are_right(lesson, name, judge, tmp_path, fresh_key):
    source = own_solution(lesson, name)
    report = grade_source(lesson, name, source, tmp_path, judge, outputs_only=True, key=fresh_key)
    assert full_marks(report) == [], f"with the course key {fresh_key}"


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_references_can_judge(lesson, fresh_key, record_property):
    """Some draws may be ill-conditioned; were it many, the comparison would not fit the lesson."""
    keys = np.random.default_rng(fresh_key).integers(1, 2**31, KEYS)
    for exercise in lesson.rubric.exercises:
        if exercise.kind == "program" and exercise.reference is not None:
            needed = [redraws_needed(lesson.name, exercise.name, int(key)) for key in keys]
            record_property("redraws", f"{exercise.name} {sum(needed)}")
            assert sum(needed) <= KEYS // 5, f"from the course key {fresh_key}"
