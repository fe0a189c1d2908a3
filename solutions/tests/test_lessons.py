"""Every lesson: its script, its notebook, and that both sides of the exercise are as they should."""

import ast
import functools
import importlib
import re

import pytest

from autograder.judge.client import Judge
from autograder.lessons.authoring import (
    build_exercise,
    build_source,
    release_cell,
    solution_cells,
    solution_region,
)
from autograder.lessons.course import Course, find_course
from autograder.lessons.verification.in_process import grade_source
from autograder.lessons.verification.requirements import (
    hint_problems,
    loses,
    missing_submissions,
)
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.exercise import Predictions
from autograder.model.rubric_files import rubric_names
from solutions.tests.measure import measured_minutes

ROOT = find_course().root
LESSONS = Course(ROOT).lessons()
TEACHING = [lesson for lesson in LESSONS if not lesson.rubric.quiz]
QUIZZES = [lesson for lesson in LESSONS if lesson.rubric.quiz]
CORE = [lesson for lesson in LESSONS if not lesson.rubric.track]


@pytest.fixture(scope="module")
def judge():
    judge = Judge()
    yield judge
    judge.close()


def test_numbers_are_in_order_and_names_match_the_rubrics():
    assert [lesson.number for lesson in CORE] == list(range(len(CORE)))
    assert all(lesson.number >= 30 for lesson in LESSONS if lesson.rubric.track)
    assert sorted(lesson.name for lesson in LESSONS) == rubric_names()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_starter_and_solution_are_code_and_differ(lesson):
    for cell in solution_cells(build_source(lesson)):
        starter, solution = release_cell(cell), solution_region(cell["source"])
        if cell["cell_type"] == "markdown":
            assert len(solution) > len(starter)  # a model answer, and notes on grading
            continue
        assert ast.dump(ast.parse(starter)) != ast.dump(ast.parse(solution))


LAST = {
    "## One question",
    "## In your own words",
    "## Drills",
    "## Stretch goal",
    "## Defend your program",
}
"""What may follow the cost of a lesson; a stretch goal's heading names its constraint."""


def find_headings(lesson):
    return [
        line
        for cell in build_exercise(lesson)["cells"]
        if cell["cell_type"] == "markdown"
        for line in cell["source"].splitlines()
        if line.startswith("## ")
    ]


@pytest.mark.parametrize("lesson", TEACHING, ids=lambda lesson: lesson.name)
def test_lesson_ends_with_the_cost(lesson):
    headings = find_headings(lesson)
    cost = headings.index("## What did it cost?")
    assert {h.partition(":")[0] for h in headings[cost + 1 :]} <= LAST
    assert any(heading.startswith("## Your task") for heading in headings[:cost])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_lesson_says_how_long_it_takes(lesson):
    text = "\n".join(c["source"] for c in build_exercise(lesson)["cells"])
    minutes = re.search(r"About (\d+) minutes", " ".join(text.split()))
    assert minutes and int(minutes[1]) == lesson.rubric.minutes
    assert lesson.rubric.learned


LONGEST = {"capstone": 90, "puzzles": 40}
"""Minutes of those that may take more than 50, or must take less."""


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_lesson_takes_the_minutes_that_it_states(lesson):
    minutes = measured_minutes(lesson)
    assert lesson.rubric.minutes / 1.5 <= minutes <= 1.5 * lesson.rubric.minutes
    assert lesson.rubric.track or minutes <= LONGEST.get(lesson.name, 50)


def test_the_core_takes_at_most_twelve_hours():
    assert sum(map(measured_minutes, CORE)) <= 12 * 60
    taught = [lesson for lesson in CORE if not lesson.rubric.quiz and lesson.name != "capstone"]
    assert len(taught) <= 16


@pytest.mark.parametrize("lesson", CORE, ids=lambda lesson: lesson.name)
def test_tasks_of_the_core_say_how_important_they_are(lesson):
    assert all(1 <= exercise.importance <= 3 for exercise in lesson.rubric.exercises)


@pytest.mark.parametrize(
    "lesson", [one for one in TEACHING if not one.rubric.track], ids=lambda lesson: lesson.name
)
def test_lesson_opens_with_a_result(lesson):
    """Between the title and the first prose, a cell shows what is gained."""
    title, *cells = build_exercise(lesson)["cells"]
    first = next(i for i, cell in enumerate(cells) if cell["cell_type"] == "markdown")
    assert any("demo" in cell["metadata"].get("tags", []) for cell in cells[:first])
    assert "**You will learn**" in title["source"]


QUESTION = re.compile(r"\b(predict|outcome)\(\s*(\"[^\"]+\")")


@pytest.mark.parametrize("lesson", TEACHING, ids=lambda lesson: lesson.name)
def test_each_prediction_is_confronted(lesson):
    """Where a lesson says to predict, a cell takes the guess, and the next one says what it was."""
    cells = build_exercise(lesson)["cells"]
    asked = sum(cell["source"].count("Predict before you run") for cell in cells)
    found = [
        one for c in cells if c["cell_type"] == "code" for one in QUESTION.findall(c["source"])
    ]
    predicted = [question for what, question in found if what == "predict"]
    seen = [question for what, question in found if what == "outcome"]
    assert 1 <= asked <= len(predicted)
    assert predicted == list(dict.fromkeys(seen))


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_submissions_and_hints_are_there(lesson):
    assert missing_submissions(lesson, ROOT) == []
    assert [p for exercise in lesson.rubric.exercises for p in hint_problems(exercise)] == []


DOCS = re.compile(r"https://docs\.jax\.dev/en/latest/([\w./-]+)\.html")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_lesson_links_to_the_documentation_of_jax(lesson):
    pages = DOCS.findall(lesson.script.read_text(encoding="utf-8"))
    assert pages
    for page in pages:
        if page.startswith("_autosummary/"):
            _, jax, *names = re.split("[/.]", page)
            functools.reduce(getattr, names, importlib.import_module(jax))  # it is public


AGAIN = "## If one of these stopped you"
FIRST = "## Where you meet these again"
"""How the last heading of the puzzles reads, which stand before the lessons that they link to."""
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda lesson: lesson.name)
def test_quiz_says_at_its_end_which_lesson_to_read_again(quiz):
    *tasks, last = find_headings(quiz)
    assert last == (AGAIN if quiz.number else FIRST)
    assert len(tasks) == len(quiz.rubric.exercises)
    table = build_exercise(quiz)["cells"][-1]["source"]
    _, _, *rows = ROW.findall(table)
    assert [task for task, _ in rows] == [task.partition(": ")[2] for task in tasks]
    linked = [x for x in TEACHING if not quiz.number or x.number < quiz.number]
    earlier = {x.name: x.notebook_name for x in linked}
    links = re.findall(r"\[(\w+)\]\((\w+\.ipynb)\)", table)
    assert links and all(earlier.get(name) == notebook for name, notebook in links)


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda lesson: lesson.name)
def test_quiz_names_no_lesson_before_the_learner_has_diagnosed(quiz):
    texts = [c["source"] for c in build_exercise(quiz)["cells"][:-1]]
    texts += [hints[0] for one in quiz.rubric.exercises for hints in one.hints.values()]
    for name in (lesson.name for lesson in TEACHING):
        # Some names are words: "tracing".
        named = re.compile(rf"\b{name}\b" if "_" in name else f"`{name}`|lesson {name}")
        assert [text for text in texts if named.search(text)] == []


@pytest.mark.parametrize("quiz", QUIZZES, ids=lambda lesson: lesson.name)
def test_quiz_asks_about_the_code_that_its_rubric_runs(quiz):
    """A question about functions that the notebook shows is answered by running the rubric's."""

    def functions(source):
        nodes = ast.walk(ast.parse(source))
        return [ast.dump(node) for node in nodes if isinstance(node, ast.FunctionDef)]

    asked = [
        function
        for cell in build_exercise(quiz)["cells"]
        if cell["cell_type"] == "code" and not cell["metadata"]
        for function in functions(cell["source"])
    ]
    run = functions(quiz.rubric.file.read_text(encoding="utf-8"))
    assert set(asked) <= set(run)
    assert asked or not any(isinstance(one, Predictions) for one in quiz.rubric.exercises)


def test_at_least_four_lessons_ask_a_written_question():
    asking = [
        lesson.name
        for lesson in LESSONS
        if any(
            cell["cell_type"] == "markdown" and "nbgrader" in cell["metadata"]
            for cell in build_exercise(lesson)["cells"]
        )
    ]
    assert len(asking) >= 4


LIGHT = {"tracing", "static_branch", "safe_where", "static_reshape", "early_stop"}
"""Lessons that are checked quickly; the slow tier checks all of them."""


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(x, id=x.name, marks=() if x.name in LIGHT else pytest.mark.slow)
        for x in LESSONS
    ],
)
def test_starters_fail_with_the_intended_error(lesson, judge):
    for s in find_submissions(ROOT, lesson.name):
        if s.kind == "starter":
            alone = s.must_fail == ("outputs",)
            report = grade_source(lesson, s.exercise, None, judge, outputs_only=alone)
            assert loses(report, s.must_fail, s.says) == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_tasks_say_how_hard_they_are_or_none_does(lesson):
    minutes = [e.minutes for e in lesson.rubric.exercises if e.difficulty and e.minutes > 0]
    assert len(minutes) in (0, len(lesson.rubric.exercises))
    assert sum(minutes) <= lesson.rubric.minutes
