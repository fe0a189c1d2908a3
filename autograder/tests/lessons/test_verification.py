"""The two-sided check notices what is wrong with a course, and says it."""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import replace

import jax
import nbformat
import pytest

from autograder.lessons.course import Course
from autograder.lessons.verification import kernel_runs
from autograder.lessons.verification.checkers import Check, Checker, Row
from autograder.lessons.verification.kernel_runs import (
    card_problems,
    first_cell_problems,
    quote_problems,
)
from autograder.lessons.verification.requirements import (
    full_marks,
    hint_problems,
    loses,
    unexplained,
)
from autograder.lessons.verification.submissions import HeaderError, read_submission
from autograder.lessons.verification.verify import verify_course
from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric_files import load_rubric
from autograder.render.score import REPORT_MIME


def result(name, status, message=""):
    findings = (Finding("rule", "error", 3, message),) if message else ()
    reason = "outputs-first" if status is Status.NOT_GRADED else ""
    return CriterionResult(name, status, 0.0, 1.0, "proved", reason, findings)


def report(*criteria):
    return Report("lesson", "exercise", tuple(result(*c) for c in criteria))


GOOD = report(("outputs", Status.PASSED), ("speed", Status.PENDING))
IMPURE = report(("outputs", Status.PASSED), ("purity", Status.FAILED, "appends to a list"))
WRONG = report(("outputs", Status.FAILED, "is 2"), ("purity", Status.NOT_GRADED))


def test_full_marks():
    assert full_marks(GOOD) == []
    assert full_marks(IMPURE) == ["purity should pass, but is failed: appends to a list"]


@pytest.mark.parametrize(
    ("got", "must_fail", "says", "problems"),
    [
        (IMPURE, ("purity",), "a list", []),
        (WRONG, ("outputs",), "is 2", []),
        (IMPURE, ("memory",), "", ["its header names 'memory'; this exercise has outputs, purity"]),
        (WRONG, ("outputs",), "is 3", ["outputs should say 'is 3', but says: is 2"]),
        (
            IMPURE,
            ("outputs",),
            "",
            [
                "outputs should fail, but is passed",
                "only outputs should fail, but also purity: appends to a list",
            ],
        ),
    ],
)
def test_losing_exactly_what_is_named(got, must_fail, says, problems):
    assert loses(got, must_fail, says) == problems


def test_a_student_must_be_told_where_and_how():
    (program,), predictions = (
        load_rubric("static_branch").exercises,
        load_rubric("tracing").exercise("tracing"),
    )
    named = Finding("rule", "error", 3, "appends to a list", "seen.append(x)")
    lost = CriterionResult("purity", Status.FAILED, 0.0, 1.0, "proved", "", (named,), ("look",))
    told = Report("lesson", "exercise", (lost,))
    assert unexplained(told, "purity", program) == []
    no_line = "purity: no finding names a line of the student: appends to a list"
    no_hint = "purity: no hint says how to fix it"
    assert unexplained(IMPURE, "purity", program) == [no_line, no_hint]
    assert unexplained(IMPURE, "memory", program) == []
    assert unexplained(IMPURE, "purity", predictions) == [no_hint]
    refused = replace(lost, status=Status.NOT_GRADED, hints=())
    assert unexplained(Report("lesson", "exercise", (refused,)), "purity", program) == []


@pytest.mark.parametrize(
    "header",
    [
        "# nothing",
        "# right: fine; exercise: x; must fail: outputs; says: y",
        "# wrong: no phrase; exercise: x; must fail: outputs",
        "# wrong: no criterion; exercise: x; says: y",
        "# wrong: unknown criterion; exercise: x; must fail: taste; says: y",
    ],
)
def test_headers_that_promise_nothing(tmp_path, header):
    path = tmp_path / "wrong.py"
    path.write_text(header + "\n")
    with pytest.raises(HeaderError, match="the first line must be"):
        read_submission(path)


def test_a_phrase_may_hold_a_semicolon(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text("# wrong: off; exercise: x; must fail: outputs; says: is 2; not: 3\n")
    assert read_submission(path).says == "is 2; not: 3"


def test_only_must_name_something(root):
    with pytest.raises(ValueError, match="no submission of these lessons has 'wrng' in its file"):
        list(verify_course(Course(root), ["tracing"], "wrng"))


def test_hints_are_three_and_differ():
    exercise = load_rubric("static_branch").exercises[0]
    three = {name: ("look", "look at it", "look here") for name in exercise.points}
    assert hint_problems(replace(exercise, hints=three)) == []
    spoilt = {"outputs": ("look", " ", "here"), "purity": ("look", "look", "here")}
    assert hint_problems(replace(exercise, hints=spoilt)) == [
        "static_branch: no hints for compilations",
        "static_branch: outputs needs 3 hints, none of them empty",
        "static_branch: two hints for purity are the same",
    ]


def failing(quote):
    cell = nbformat.v4.new_code_cell("f()", id="fails", metadata={"tags": ["raises-exception"]})
    output = nbformat.v4.new_output(
        "error",
        ename="TypeError",
        evalue="Shapes must be 1D, got [JitTracer(int32[])].",
        traceback=["\x1b[31mTypeError\x1b[0m: Shapes must be 1D,\n got [JitTracer(int32[])]."],
    )
    cell["outputs"] = [output]
    return nbformat.v4.new_notebook(cells=[cell, nbformat.v4.new_markdown_cell(quote)])


@pytest.mark.parametrize(
    ("source", "right"),
    [
        (
            "try:\n    from autograder import check\nexcept ImportError:\n    exit()\nimport jax",
            True,
        ),
        ("import plnkit.data, jax", True),
        ("import jax\nfrom autograder import check", False),
        ("from jax import numpy as jnp", False),
        ("1 + 1", False),
    ],
)
def test_the_kit_comes_first(source, right):
    code = nbformat.v4.new_code_cell(source, id="a")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Hello"), code])
    problem = "cell a, the first one, does not import the kit before anything else"
    assert first_cell_problems(notebook) == ([] if right else [problem])


def checked(*outputs):
    grade = {"nbgrader": {"grade": True}}
    cell = nbformat.v4.new_code_cell("check()", id="x", metadata=grade, outputs=list(outputs))
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Hello"), cell])


def card(report):
    data = {REPORT_MIME: report.to_json()}
    return nbformat.v4.new_output("execute_result", data=data)


def test_a_solved_lesson_passes_its_own_check():
    assert card_problems(checked(card(GOOD))) == []
    assert card_problems(checked(card(IMPURE))) == [
        "solved: the check cell x says that purity should pass, but is failed: appends to a list"
    ]
    failed = Finding("cpu-speed-failed", "warning", None, "TypeError.")
    slow = replace(result("speed", Status.PENDING), findings=(failed,))
    assert card_problems(checked(card(Report("lesson", "exercise", (slow,))))) == [
        "solved: the check cell x says that there is no speed: TypeError."
    ]
    printed = nbformat.v4.new_output("stream", name="stdout", text="9 / 9")
    assert card_problems(checked(printed)) == ["solved: the check cell x shows no card"]


def notebook_of(*sources):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(s) for s in sources])


def test_versions_share_what_they_begin_with(tmp_path):
    begins = "import time\nbegan = time.perf_counter()"
    first = notebook_of(begins, "n = began\nbegan = 0", "print('n' in globals(), began)")
    second = notebook_of(begins, "print('n' in globals(), began > 0)")
    other = notebook_of("print('began' in globals())")
    kernel_runs.run_notebooks([[first, second], [other]], tmp_path)
    printed = [[o["text"] for o in nb.cells[-1].outputs] for nb in (first, second, other)]
    assert printed == [["True 0\n"], ["False True\n"], ["False\n"]]
    counts = [[cell.execution_count for cell in nb.cells] for nb in (first, second)]
    assert counts[0][0] == counts[1][0] and counts[0][-1] < counts[1][-1]


@pytest.mark.slow
def test_a_cell_that_ends_the_kernel(lessons, tmp_path, monkeypatch):
    """The other lessons are told of as if they had been run without it."""
    real = kernel_runs.drop_checks

    def drop_checks(lesson):
        notebook = real(lesson)
        if lesson.name == "timing":
            notebook.cells.append(nbformat.v4.new_code_cell("import os; os._exit(1)"))
        return notebook

    monkeypatch.setattr(kernel_runs, "drop_checks", drop_checks)
    some = [lessons["tracing"], lessons["timing"]]
    assert kernel_runs.run_lessons(some, tmp_path) == [[], ["a cell ends the kernel"]]


def test_quoted_errors_are_looked_for():
    assert quote_problems(failing("```\nTypeError: Shapes must be 1D ... [JitTracer\n```")) == []
    (problem,) = quote_problems(failing("```\nTypeError: Shapes are odd\n```"))
    assert problem.startswith("cell fails does not say 'TypeError: Shapes are odd', but: ")
    assert quote_problems(failing("No quote.")) == [
        "cell fails: quote its error in the markdown cell below"
    ]


def some_checks(*whats: str) -> list[Check]:
    """Checks of a lesson for a process of their own: this module is imported there."""
    run = {
        "ends": lambda: os._exit(7),
        "is endless": lambda: jax.block_until_ready(
            jax.lax.while_loop(lambda x: x > 0, lambda x: x + 1, 1.0)
        ),
        "passes": lambda: [Row("lesson", "passes", [])],
    }
    return [Check("lesson", what, run[what], 20.0 if what == "passes" else 5.0) for what in whats]


@pytest.mark.slow
def test_what_ends_or_hangs_its_process_is_named_and_the_rest_goes_on():
    checker = Checker(multiprocessing.get_context("spawn").Value("i", 0))
    try:
        rows = list(checker.rows(some_checks, "passes", "ends", "passes", "is endless", "passes"))
        again = list(checker.rows(some_checks, "passes", "ends"))
    finally:
        checker.end()
    passed = Row("lesson", "passes", [])
    ended = "it ended the process that checks it (exit status 7): does it call os._exit?"
    endless = Row("lesson", "is endless", ["it took longer than 5 s: does its loop end?"])
    ends = Row("lesson", "ends", [ended])
    assert rows == [passed, ends, passed, endless, passed]
    assert again == [passed, ends]
