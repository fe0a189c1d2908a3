"""Drills: checked like exercises, and without any part in a lesson's mark."""

from __future__ import annotations

import collections
import copy
import json
import subprocess
import sys

import pytest

from autograder import Score
from autograder.grading.pipeline import grade_submission, prepare
from autograder.judge.client import shared_judge
from autograder.lessons.authoring import build_exercise, build_source, is_solution, solution_region
from autograder.lessons.course import find_course
from autograder.lessons.verification.requirements import (
    TIERS_OF_A_DRILL,
    hint_problems,
    missing_submissions,
)
from autograder.model.exercise import RubricError
from autograder.model.notebook import cells_of, drill_part
from autograder.model.report import Status
from autograder.model.rubric_files import find_exercise, load_drills, load_lesson, rubric_names
from autograder.model.terms import Terms
from autograder.render import criterion_text, html_card, text_card

COURSE = find_course()
WITH_DRILLS = [lesson for lesson in COURSE.lessons() if lesson.drills is not None]
UGLY = "import os\nos.getcwd()\ncounter.append(1)\n"


def drills_of(name):
    drills = load_drills(name)
    assert drills is not None
    return drills


@pytest.fixture
def notebook(lessons):
    """The lesson with its solution; its drills as they are shipped."""
    source, notebook = (build(lessons["static_branch"]) for build in (build_source, build_exercise))
    (solution,) = (c for c in source["cells"] if c["id"] == "static_branch-solution")
    (cell,) = (c for c in notebook["cells"] if c["id"] == "static_branch-solution")
    cell["source"] = solution_region(solution["source"])
    return notebook


def raw(notebook) -> bytes:
    return json.dumps(notebook).encode()


def grade(notebook, released, rubric):
    repaired = prepare(raw(notebook), "notebook.ipynb", released, shown=False)
    return grade_submission(repaired, "notebook.ipynb", Terms(rubric, shared_judge())).reports


@pytest.mark.parametrize("lesson", WITH_DRILLS, ids=lambda lesson: lesson.name)
def test_lesson_has_drills_with_submissions_and_hints(lesson):
    assert lesson.drills.lesson == lesson.name and lesson.drills.practice
    assert 2 <= sum(drill.minutes == 2 for drill in lesson.drills.exercises) <= 3
    assert missing_submissions(lesson, COURSE.root) == []
    for drill in lesson.drills.exercises:
        assert hint_problems(drill, TIERS_OF_A_DRILL) == []


def test_names_of_exercises_and_drills_differ():
    rubrics = [load for name in rubric_names() for load in (load_lesson(name), load_drills(name))]
    names = [exercise.name for rubric in rubrics if rubric for exercise in rubric.exercises]
    assert [name for name, count in collections.Counter(names).items() if count > 1] == []
    rubric, exercise = find_exercise("sum_powers")
    assert (rubric.lesson, rubric.practice, exercise.name) == ("static_branch", True, "sum_powers")


def test_no_lesson_is_called_drills():
    assert "drills" not in rubric_names()
    with pytest.raises(RubricError):
        load_lesson("drills")


def test_nbgrader_sees_no_cell_of_a_drill(lessons):
    for cell in build_exercise(lessons["static_branch"])["cells"]:
        if drill_part(cell["metadata"]):
            assert "nbgrader" not in cell["metadata"]
    roles = {cell.id: cell.role for cell in cells_of(build_exercise(lessons["static_branch"]))}
    assert (roles["sum_powers-solution"], roles["sum_powers"]) == ("drill", "check")


def test_a_drill_has_no_part_in_the_mark(lessons, notebook):
    released = build_exercise(lessons["static_branch"])
    for cell in notebook["cells"]:
        if drill_part(cell["metadata"]) == "solution":
            cell["source"] = UGLY
        elif drill_part(cell["metadata"]) == "check":
            cell["source"] = "raise SystemExit"
    (report,) = grade(notebook, released, load_lesson("static_branch"))
    assert report.mark() == "9 / 9"
    assert {c.evidence for c in report.criteria} == {"proved"}


@pytest.mark.slow
def test_a_solution_in_the_cell_of_a_drill_counts(lessons, notebook):
    released = build_exercise(lessons["static_branch"])
    by_id = {cell["id"]: cell for cell in notebook["cells"]}
    solution, drill = by_id["static_branch-solution"], by_id["sum_powers-solution"]
    drill["source"], solution["source"] = solution["source"], ""
    (report,) = grade(notebook, released, load_lesson("static_branch"))
    assert report.mark() == "9 / 9"


@pytest.mark.gate
def test_drills_are_graded_alone(lessons, notebook):
    released = build_exercise(lessons["static_branch"])
    source = build_source(lessons["static_branch"])
    texts = {c["id"]: solution_region(c["source"]) for c in source["cells"] if is_solution(c)}
    for cell in notebook["cells"]:
        if cell["id"] in ("sum_powers-solution", "soften-solution"):
            cell["source"] = texts[cell["id"]]
    reports = {r.exercise: r for r in grade(notebook, released, drills_of("static_branch"))}
    passed = {name for name, report in reports.items() if report.status is Status.PASSED}
    assert passed == {"sum_powers", "soften"}
    failed = reports["rescale"]
    assert failed.practice and failed.mark() == "practice, no points"
    for shown in (text_card(failed), html_card(failed)):
        assert "practice, no points" in shown and "0 / 1" not in shown and "0/1" not in shown
    assert criterion_text(failed.criteria[0], practice=True).startswith("outputs: practice")
    assert type(failed).from_json(json.loads(json.dumps(failed.to_json()))) == failed
    assert "practice, no points" in str(Score(failed))


def test_changing_a_drill_grades_no_lesson_again():
    lesson, drills = load_lesson("static_branch"), drills_of("static_branch")
    assert drills.source.endswith("static_branch.py") and drills.digest != lesson.digest
    changed = copy.copy(drills)
    assert changed.digest == drills.digest and load_lesson("static_branch").digest == lesson.digest


@pytest.mark.slow
@pytest.mark.parametrize("option", [(), ("--autograder-drills",)])
def test_pytest_lists_drills_only_when_asked(option, write_notebook, tmp_path):
    write_notebook("static_branch")
    command = [sys.executable, "-m", "pytest", "--rootdir", tmp_path, "--collect-only", "-q"]
    done = subprocess.run([*command, *option], cwd=tmp_path, capture_output=True, text=True)
    assert ("::sum_powers::outputs" in done.stdout) == bool(option)
    assert "::static_branch::outputs" in done.stdout
