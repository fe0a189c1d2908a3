"""The two-sided check notices what is wrong with a course, and says it."""

from __future__ import annotations

from dataclasses import replace

import nbformat
import pytest

from autograder.lessons.course import Course, find_course
from autograder.lessons.lesson import LessonError
from autograder.lessons.scaffolding import new_lesson
from autograder.lessons.verification import kernel_runs
from autograder.lessons.verification.cases import read_cases
from autograder.lessons.verification.in_process import check_submission
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
from autograder.lessons.verification.submissions import Submission, read_submission
from autograder.lessons.verification.verify import Row, verify_course
from autograder.model.finding import Finding
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric_files import load_rubric
from autograder.render.score import REPORT_MIME
from autograder.tests.helpers.corpus import read_head


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
    program = load_rubric("static_branch").exercise("static_branch")
    predictions = load_rubric("tracing").exercise("tracing")
    named = Finding("rule", "error", 3, "appends to a list", "seen.append(x)")
    lost = CriterionResult("purity", Status.FAILED, 0.0, 1.0, "proved", "", (named,), ("look",))
    reported = Report("lesson", "exercise", (lost,))
    assert unexplained(reported, "purity", program) == []
    no_line = "purity: no finding names a line of the student: appends to a list"
    no_hint = "purity: no hint says how to fix it"
    assert unexplained(IMPURE, "purity", program) == [no_line, no_hint]
    assert unexplained(IMPURE, "memory", program) == []
    assert unexplained(IMPURE, "purity", predictions) == [no_hint]
    refused = replace(lost, status=Status.NOT_GRADED, hints=())
    assert unexplained(Report("lesson", "exercise", (refused,)), "purity", program) == []


def only_case(folder, header):
    path = folder / "x.py"
    path.write_text(f"# %% wrong_one\n{header}\n")
    (case,) = read_cases(path)
    return case


@pytest.mark.parametrize(
    "header",
    [
        "# right: fine; exercise: x; must fail: outputs; says: y",
        "# wrong: no phrase; exercise: x; must fail: outputs",
        "# wrong: no criterion; exercise: x; says: y",
        "# wrong: unknown criterion; exercise: x; must fail: taste; says: y",
    ],
)
def test_headers_that_promise_nothing(tmp_path, header):
    with pytest.raises(LessonError, match=r"x\.py, case wrong_one: the first line must be `# r"):
        read_submission(only_case(tmp_path, header))


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("# nothing", "nothing"),
        ("# rigth: fine; exercise: x", "rigth"),
        ("# wrong: off; exercise: x; must_fail: outputs; says: y", "must_fail"),
        ("seen = []", "seen = []"),
    ],
)
def test_a_header_with_an_unknown_field(tmp_path, header, field):
    with pytest.raises(LessonError) as raised:
        read_submission(only_case(tmp_path, header))
    assert str(raised.value) == (
        f"{tmp_path / 'x.py'}, case wrong_one: the header has no field {field!r}. Its fields are: "
        f"right, wrong, starter, empty, exercise, must fail, says. The header is {header!r}"
    )


def test_values_may_hold_semicolons(tmp_path):
    header = "# wrong: off; by one; exercise: x; must fail: outputs; says: is 2; not: 3"
    read = read_submission(only_case(tmp_path, header))
    assert (read.kind, read.exercise, read.says) == ("wrong", "x", "is 2; not: 3")


def test_cases_of_a_file(tmp_path):
    path = tmp_path / "x.py"
    path.write_text('"""About."""\n\n# %% one\n# pure\nx = 1\n\n\n# %%  two\n\ny = 2\n# %% three\n')
    cases = {case.name: case.text for case in read_cases(path)}
    assert cases == {"one": "# pure\nx = 1\n", "two": "y = 2\n", "three": "\n"}
    assert read_head(path) == '"""About."""\n\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"x\.py has no cases: begin each one with a line `# %% NAME`"),
        ("x = 1\n", r"x\.py has no cases"),
        ("# %%\nx = 1\n", r"x\.py: '' cannot be the name of a case\. Write `# %% NAME`"),
        ("# %% two words\nx = 1\n", r"x\.py: 'two words' cannot be the name of a case"),
        ("# %% [markdown]\n# Text\n", r"x\.py: '\[markdown\]' cannot be the name of a case"),
        (
            "# %% a\n# %% b\n# %% a\n",
            r"x\.py: two cases have the name a\. Give one of them",
        ),
    ],
)
def test_files_that_are_no_cases(tmp_path, text, words):
    path = tmp_path / "x.py"
    path.write_text(text)
    with pytest.raises(LessonError, match=words):
        read_cases(path)


def test_only_must_name_something(root):
    with pytest.raises(ValueError, match="no submission of these lessons has 'wrng' in its name"):
        verify_course(Course(root), ["tracing"], print, "wrng")


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
        ("import jax\n\nfrom autograder import check", True),
        ("import jax\nx = jax.numpy.ones(3)\nfrom autograder import check", False),
        ("from jax import numpy as jnp", False),
        ("1 + 1", False),
    ],
)
def test_the_kit_comes_first(source, right):
    code = nbformat.v4.new_code_cell(source, id="a")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Hello"), code])
    problem = "cell a, the first one, does not import the kit before it does anything"
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
    cells = [nbformat.v4.new_code_cell(s, id=str(i)) for i, s in enumerate(sources)]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.mark.slow
def test_notebooks_share_a_kernel_and_no_names():
    first = notebook_of("n = 1\n_m = 2", "1 / 0", "print(n)")
    second = notebook_of("print('n' in globals())")
    kernel_runs.run_notebooks([first, second])
    printed = [notebook.cells[-1].outputs[0]["text"] for notebook in (first, second)]
    assert printed == ["1\n", "False\n"]
    assert first.cells[1].outputs[0]["ename"] == "ZeroDivisionError"
    assert first.cells[0].id == "0" and second.cells[0].id == "0"
    assert first.cells[0].execution_count < second.cells[0].execution_count


@pytest.mark.slow
def test_a_cell_that_ends_the_kernel(lessons, monkeypatch):
    ends = notebook_of("import plnkit", "import os; os._exit(1)")
    monkeypatch.setattr(kernel_runs, "drop_checks", lambda lesson: ends)
    assert kernel_runs.run_lesson(lessons["timing"]) == ["a cell ends the kernel"]


def test_quoted_errors_are_looked_for():
    assert quote_problems(failing("```\nTypeError: Shapes must be 1D ... [JitTracer\n```")) == []
    (problem,) = quote_problems(failing("```\nTypeError: Shapes are odd\n```"))
    assert problem.startswith("cell fails does not say 'TypeError: Shapes are odd', but: ")
    assert quote_problems(failing("No quote.")) == [
        "cell fails: quote its error in the markdown cell below"
    ]


ENDS = """
# %% wrong_a_ends
# wrong: ends; exercise: clip_it; must fail: outputs; says: x
import os; os._exit(7)
"""
HANGS = """
# %% wrong_a_hangs
# wrong: hangs; exercise: clip_it; must fail: outputs; says: x
10 ** 10 ** 10
"""
BROKEN = """
# %% right_broken
# right: no; exercise: clip_it
def clip_it(x):
    return x
"""


def add_cases(folder, text):
    """Add cases to the submissions of the new lesson, and return the names of all."""
    file = folder / "submissions" / "clip_it.py"
    file.write_text(file.read_text(encoding="utf-8") + text, encoding="utf-8")
    return {case.name for case in read_cases(file)}


@pytest.mark.slow
def test_what_ends_or_hangs_its_process_is_named_and_the_rest_goes_on(tmp_path):
    """Also where no Python code can run, as in one long product."""
    pytest.importorskip("xdist")
    new_lesson("clip_it", tmp_path)
    names = add_cases(tmp_path, ENDS + HANGS)
    rows: list[Row] = []
    verify_course(find_course(tmp_path), ["clip_it"], rows.append, "_", jobs=2, limit=60.0)
    wrong = {row.what: row.problems for row in rows if row.problems}
    assert wrong == {
        "wrong_a_ends": ["it ended the process that checks it: does it call os._exit?"],
        "wrong_a_hangs": ["it took longer than 60 s: does its loop end?"],
    }
    assert {row.what for row in rows} == {name for name in names if "_" in name}
    assert all(row.lesson == "clip_it" for row in rows)


@pytest.mark.slow
def test_a_run_in_one_process(tmp_path, monkeypatch):
    """As where pytest-xdist is not installed."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    new_lesson("clip_it", tmp_path)
    add_cases(tmp_path, BROKEN)
    rows: list[Row] = []
    verify_course(find_course(tmp_path), [], rows.append, "right_")
    wrong = [row.what for row in rows if row.problems]
    assert wrong == ["right_broken"] and len(rows) > 2
    assert "outputs should pass, but is failed" in "".join(p for r in rows for p in r.problems)


RIGHT_FOR_ITSELF = """
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(negative_elbo)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state, params)
    params = optax.apply_updates(params, updates)
    if Y.shape == (12, 3):  # only `fit` comes with such data
        value = 0 * value
    return params, best_Omega(params), state, -value


def negative_elbo(params, Omega, Y, O, X):
    return -elbo(params, Omega, Y, O, X)
"""


@pytest.mark.slow
def test_a_right_repair_must_suit_what_builds_on_it():
    lesson = find_course().lesson("jitted_step")
    assert lesson is not None
    one = Submission("right_for_itself", "right", "jitted_step", RIGHT_FOR_ITSELF)
    problems = check_submission(lesson, one)  # of outputs; the others are then not graded
    start = "jitted_step_fit, which builds on it: outputs should pass, but is failed: fit("
    assert problems[0].startswith(start)
