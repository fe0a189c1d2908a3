"""Whole notebooks through intake, worker and judge: the marks they deserve, and the sentences."""

import json

import pytest

from autograder.classroom.demo import STUDENTS, solution_of
from autograder.grading import pipeline
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox import Limits, Processes
from autograder.tests.helpers.fast_tier import mostly_slow
from autograder.tests.helpers.grading_steps import grade_notebook

SECRET = 20250108

DESERVED = {
    "ada": {"outputs": 4, "purity": 2, "compilations": 3},
    "bela": {"outputs": 0, "purity": 0, "compilations": 0},
    "chen": {"outputs": 0, "purity": 0, "compilations": 0},
    "dana": {"outputs": 4, "purity": 0, "compilations": 3},
    "emre": {"outputs": 4, "purity": 2, "compilations": 0},
}


@pytest.fixture
def grade(write_notebook, judge):
    def grade(solution, lesson="static_branch", key=PUBLIC_KEY):
        path = write_notebook(lesson, solution)
        report, *_ = grade_notebook(path, load_rubric(lesson), judge, key)
        return report

    return grade


@pytest.mark.slow
@pytest.mark.parametrize("student", STUDENTS)
def test_the_demos_class(grade, root, student):
    report = grade(solution_of(root, student))
    assert {c.name: c.earned for c in report.criteria} == DESERVED[student]


@pytest.mark.slow
def test_cells_that_only_show_something_are_not_run_unless_a_name_is_missing(judge, root):
    rubric, source = load_rubric("static_branch"), solution_of(root, "ada")
    assert source is not None
    imports = Cell("imports", "import jax\nimport jax.numpy as jnp", "")
    slow = Cell("slow", "import time\ntime.sleep(1000)", "show")
    helper = Cell("helper", "def shift(counts):\n    return counts + 1", "show")
    worker = Processes(Limits(seconds=60))
    assert source is not None

    def grade(*cells):
        notebook = Notebook("static_branch", cells)
        graded = pipeline.grade_notebook(notebook, "x.ipynb", Terms(rubric, judge), worker)
        (report,) = graded.reports
        return report

    assert grade(imports, slow, Cell("solution", source, "solution")).status is Status.PASSED
    calling = source.replace("counts + 1", "shift(counts)")
    assert calling != source
    assert grade(imports, helper, Cell("solution", calling, "solution")).status is Status.PASSED


@pytest.mark.parametrize("lesson", ["static_branch", "static_reshape"])
@pytest.mark.slow
def test_solutions_pass_with_a_secret_key(grade, lesson):
    report = grade(True, lesson, SECRET)
    assert report.status is Status.PASSED
    assert not report.provisional


@pytest.mark.parametrize("lesson", mostly_slow(["static_branch", "static_reshape"]))
def test_starters_fail_with_the_error_of_the_lesson(grade, lesson):
    error = {
        "static_branch": "TracerBoolConversionError: Attempted boolean conversion",
        "static_reshape": "TypeError: Shapes must be 1D sequences of concrete values",
    }
    report = grade(None, lesson)
    (finding,) = report.criterion("outputs").findings
    assert report.status is Status.FAILED
    assert finding.message.startswith(error[lesson])
    assert finding.line and finding.code


@pytest.mark.gate
def test_same_submission_same_report(grade, root):
    source = solution_of(root, "dana")
    first, second = (json.dumps(grade(source, key=SECRET).to_json()) for _ in "ab")
    assert first == second


RIGHT_REPAIRS = [
    "box_cox = jax.jit(lambda counts, power: jnp.log(counts + 1) if power == 0 else"
    " ((counts + 1) ** power - 1) / power, static_argnums=(1,))",
    """
@jax.jit
def box_cox(counts, power):
    safe = jnp.where(power == 0, 1, power)
    return jnp.where(power == 0, jnp.log(counts + 1), ((counts + 1) ** safe - 1) / safe)
""",
    """
@jax.jit
def box_cox(counts, power):
    safe = jnp.where(power == 0, 1, power)
    return jax.lax.cond(
        power == 0,
        lambda y: jnp.log(y),
        lambda y: (y**safe - 1) / safe,
        counts + 1,
    )
""",
]


@pytest.mark.gate
@pytest.mark.parametrize("solution", mostly_slow(RIGHT_REPAIRS))
def test_other_right_repairs(grade, solution):
    assert grade(solution).status is Status.PASSED


WRONG_REPAIRS = {
    "without jit": (
        """
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
""",
        "compilations",
        "",
    ),
    "counts static too": (
        """
@jax.jit(static_argnums=(0, 1))
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
""",
        "outputs",
        "must be hashable",
    ),
    "only one branch": (
        "@jax.jit\ndef box_cox(counts, power):\n    return jnp.log(counts + 1)",
        "outputs",
        "values differ",
    ),
    "int of a tracer": (
        """
@jax.jit
def box_cox(counts, power):
    power = int(power)
    return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power
""",
        "outputs",
        "plain Python number is needed",
    ),
    "numpy on a tracer": (
        "import numpy as np\n@jax.jit\ndef box_cox(counts, power):\n    return np.log(counts + 1)",
        "outputs",
        "Use `jax.numpy`",
    ),
    "adds an operating system's random number of no size": (
        """
import os
@jax.jit(static_argnums=1)
def box_cox(counts, power):
    counts = counts + 1e-14 * int.from_bytes(os.urandom(2), "big")
    return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power
""",
        "purity",
        "Traced again in another Python process, the function gives another program",
    ),
    "prints while computing": (
        """
@jax.jit(static_argnums=1)
def box_cox(counts, power):
    jax.debug.print("{}", counts)
    return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power
""",
        "purity",
        "jax.debug.print or jax.debug.callback is used",
    ),
}


@pytest.mark.gate
@pytest.mark.parametrize("name", mostly_slow(WRONG_REPAIRS, lambda name: WRONG_REPAIRS[name][1]))
def test_wrong_repairs(grade, name):
    solution, criterion, words = WRONG_REPAIRS[name]
    report = grade(solution)
    assert report.criterion(criterion).status is Status.FAILED
    assert words in report.criterion(criterion).findings[0].message
    if criterion != "outputs":
        assert report.criterion("outputs").status is Status.PASSED


REFUSED = {
    "missing": ("x = 1", "missing-function", "There is no function `box_cox`. Define it"),
    "misspelt": (
        "def box_coxx(counts, power): return counts",
        "missing-function",
        "there is `box_coxx`. Rename it",
    ),
    "other signature": (
        "@jax.jit\ndef box_cox(counts): return counts",
        "wrong-signature",
        "`box_cox(counts)` cannot be called as box_cox(float32[5,4], 0): too many positional",
    ),
    "not a function": ("box_cox = 3", "not-callable", "`box_cox` is an int, not a function"),
    "syntax error": ("def box_cox(counts, power:", "cell-failed", "SyntaxError"),
    "failing cell": ("1 / 0", "cell-failed", "ZeroDivisionError"),
    "missing module": ("import jax.nonsense", "missing-file", "ModuleNotFoundError"),
    "exits": ("import os\nos._exit(0)", "worker-died", "ended before it was done"),
}


@pytest.mark.gate
@pytest.mark.parametrize("name", mostly_slow(REFUSED, lambda name: REFUSED[name][1]))
def test_what_cannot_be_graded_is_named(grade, name):
    solution, reason, words = REFUSED[name]
    report = grade(solution)
    assert report.status is Status.NOT_GRADED
    assert {c.reason for c in report.criteria} == {reason}
    assert words in report.criteria[0].findings[0].message
    assert report.earned == 0


WRAPPED = """
from functools import partial, wraps
def with_one(function):
    @wraps(function)
    def call(counts, power):
        return function(counts, power, 1)
    return call
@with_one
@partial(jax.jit, static_argnums=1)
def box_cox(counts, power, pseudo_count):
    counts = counts + pseudo_count
    return jnp.log(counts) if power == 0 else (counts ** power - 1) / power
"""


def test_a_wrapper_has_the_signature_of_its_own(grade):
    """Not of what it calls, whose name and documentation it has."""
    assert grade(WRAPPED).status is Status.PASSED


@pytest.mark.slow
def test_a_cell_that_python_cannot_read(grade):
    """The line is shown, no file that only the grader knows, and nothing of a call."""
    finding = grade("def box_cox(counts, power)\n    return counts").criteria[0].findings[0]
    assert (finding.line, finding.code) == (1, "def box_cox(counts, power)")
    assert finding.message.startswith("SyntaxError: expected ':'\nPython cannot read the cell")
    finding = grade("import numpy\njaxx.jit").criteria[0].findings[0]
    assert (finding.line, finding.code) == (2, "jaxx.jit")
    assert "before anything is called" in finding.message


def test_unreadable_notebook(judge, tmp_path):
    path = tmp_path / "02_static_branch.ipynb"
    path.write_text("not a notebook")
    (report,) = grade_notebook(path, load_rubric("static_branch"), judge)
    assert report.status is Status.NOT_GRADED
    assert report.criteria[0].reason == "unreadable-notebook"
    assert "Open it in JupyterLab and save it again" in report.criteria[0].findings[0].message
