"""Right repairs get full marks on a learner's machine: in a notebook, and in the workers.

`autograder/tests/systems/` runs these tests once more as on Windows and macOS.
"""

from __future__ import annotations

import pytest

from autograder.learner.checking import check_notebook
from autograder.lessons.course import the_course
from autograder.lessons.verification.in_process import grade_source
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import rubric_names
from autograder.render import text_card

FAST = ("static_branch",)
LESSONS = [
    pytest.param(name, marks=() if name in FAST else pytest.mark.slow) for name in rubric_names()
]


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS)
def test_lessons_own_solutions(lesson, write_notebook, judge):
    record = check_notebook(write_notebook(lesson, True), the_course().rubric(lesson), judge)
    assert record.all_passed, "\n".join(map(text_card, record.reports))


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS)
def test_right_submissions(lesson, lessons, judge, root):
    for found in find_submissions(root, lesson):
        if found.kind == "right":
            given = lessons[lesson], found.exercise, found.source, judge
            report = grade_source(*given, key=PUBLIC_KEY)
            assert report.earned == report.possible, f"{found.name}\n{text_card(report)}"
