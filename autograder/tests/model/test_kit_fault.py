"""What fails in the kit itself is never a finding about a student, and costs no points."""

from __future__ import annotations

import signal
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

import autograder
from autograder.classroom.marks import marks_of
from autograder.judge.client import judge_curve
from autograder.learner.notebook_record import Record
from autograder.model.graded import Graded
from autograder.model.kit_fault import KitFault
from autograder.model.program import ProgramError
from autograder.model.reasons import KIT_ERROR, MISSING_FILE
from autograder.model.report import Report, Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.programs.exported import time_limit
from autograder.render import text_card
from autograder.render.score import Score
from autograder.tests.helpers.grading_steps import grade_notebook, report_on, write_rubric

RUBRIC = """
import jax.numpy as jnp
import numpy as np

from autograder import ProgramExercise, Rubric

softplus = ProgramExercise(
    name="softplus",
    draws=lambda rng: [(rng.normal(scale=s, size=9).astype(np.float32),) for s in (1, 300)],
    reference=lambda x: jnp.logaddexp(x, 0),
    points={"outputs": 2, "purity": 1, "compilations": 1},
)
gradient = ProgramExercise(
    name="gradient",
    entry_points=("softplus",),
    draws=softplus.draws,
    reference=lambda x: jnp.logaddexp(x, 0),
    gradient=0,
    points={"outputs": 2, "purity": 1, "compilations": 1},
)


def pair(namespace):
    def first(x):
        a, b = namespace["softplus"](x)
        return a

    return first


unpacked = ProgramExercise(
    name="unpacked",
    entry_points=("softplus",),
    adapter=pair,
    draws=softplus.draws,
    reference=lambda x: jnp.logaddexp(x, 0),
    points={"outputs": 2},
)
rubric = Rubric(lesson="softplus", exercises=(softplus, gradient, unpacked))
"""
RIGHT = """
import jax
import jax.numpy as jnp

@jax.jit
def softplus(x):
    return jnp.maximum(x, 0) + jnp.log1p(jnp.exp(-jnp.abs(x)))
"""


@pytest.fixture(scope="module")
def rubric(tmp_path_factory):
    return write_rubric(tmp_path_factory.mktemp("rubric"), "softplus", RUBRIC)


@pytest.fixture
def checked(rubric, judge, tmp_path):
    """The report on a student's code, through all the steps and over the wire."""

    def checked(source: str, name: str = "softplus") -> Report:
        module = ModuleType("student")
        file = tmp_path / "student.py"
        file.write_text(source)
        exec(compile(source, str(file), "exec"), vars(module))
        exercise = rubric.exercise(name)
        return report_on(rubric, exercise, module, judge)

    return checked


def fail_in(monkeypatch, where: str, error: Exception) -> None:
    def fail(*args, **kwargs):
        raise error

    monkeypatch.setattr(where, fail)


ERRORS = (
    AttributeError("module 'signal' has no attribute 'SIGALRM'"),
    OSError("the disk is gone"),
    ModuleNotFoundError("No module named 'resource'"),
)
STEPS = {
    "sandbox.exercise_observation.export_program": ("outputs", "purity", "compilations"),
    "programs.exported.time_limit": ("outputs", "purity", "compilations"),
    "sandbox.exercise_observation._check_entry_points": ("outputs", "purity", "compilations"),
    "grading.prove.judge_programs": ("outputs", "purity", "compilations"),
    "criteria.outputs.observe.concrete": ("purity",),  # the program still shows the outputs
    "criteria.outputs.observe.named_leaves": ("purity",),
    "criteria.purity.observe.check_purity": ("purity",),
    "criteria.compilations.count.concrete": ("compilations",),
    "criteria.compilations.observe.count_with_repeats": ("compilations",),
    "criteria.compilations.observe.check_compilations": ("compilations",),
    "criteria.compilations.observe.record_operations": ("compilations",),
    "criteria.compilations.count.explain": ("compilations",),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "error",
    [
        pytest.param(error, id=type(error).__name__, marks=pytest.mark.slow if i else ())
        for i, error in enumerate(ERRORS)
    ],
)
@pytest.mark.parametrize("step", STEPS)
def test_a_failing_step_has_no_mark_and_the_others_keep_theirs(checked, monkeypatch, step, error):
    fail_in(monkeypatch, f"autograder.{step}", error)
    report = checked(RIGHT)
    failed = {c.name for c in report.criteria if c.reason == KIT_ERROR}
    assert failed == set(STEPS[step])
    for c in report.criteria:
        expected = Status.NOT_GRADED if c.name in failed else Status.PASSED
        assert c.status is expected, text_card(report)
    findings = [f for c in report.criteria for f in c.findings]
    assert findings
    assert {f.line for f in findings} == {None}
    assert {f.rule for f in findings} == {KIT_ERROR}
    words = findings[0].message
    assert words.startswith(f"The kit itself failed here ({type(error).__name__}: {error}")
    assert "in autograder/" in words and "issue tracker" in words
    assert report.possible == report.earned  # neither earned nor lost


def test_how_it_is_shown_and_marked(checked, monkeypatch):
    fail_in(monkeypatch, "autograder.sandbox.exercise_observation.export_program", OSError("no"))
    report = checked(RIGHT)
    assert report.status is Status.NOT_GRADED
    card = text_card(report)
    assert card.startswith("– softplus  not graded")
    assert "0/" not in card and "0 /" not in card
    assert marks_of(report)[report.exercise].points is None  # a person decides
    with pytest.raises(ValueError, match="not graded"):  # nbgrader would take a number for a mark
        float(Score(report)._repr_mimebundle_()["text/plain"])


def test_nothing_of_it_is_final(checked, monkeypatch):
    fail_in(monkeypatch, "autograder.criteria.purity.observe.check_purity", OSError("no"))
    report = checked(RIGHT)
    assert not Record(reports=(report,)).all_passed
    assert not Graded((report,)).is_final
    assert report.mark() == "3 / 3 (+1 pending)"
    passed = tuple(replace(c, status=Status.PASSED, reason="") for c in report.criteria)
    assert Graded((replace(report, criteria=passed),)).is_final


def test_a_request_that_fails_in_the_judge_costs_nobody_else(judge, rubric):
    drawn = rubric.draw("softplus", PUBLIC_KEY)
    header = {"exercise": drawn.to_json(), "to_time": False}
    with pytest.raises(KitFault, match="The kit itself failed here"):
        judge.ask({**header, "observation": {"refused": None}})
    process = judge._child.process
    assert judge_curve(judge, drawn, b"") is None
    assert judge._child.process is process and process.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "name", "rule", "line", "says"),
    [
        ("def softplus(x):\n    raise OSError('mine')", "softplus", "error", 2, "OSError: mine"),
        ("def softplus(x):\n    return x.nothing", "softplus", "no-such-method", 2, "nothing"),
        ("def softplus(x):\n    return softplus(x)", "softplus", "error", None, "RecursionError"),
        ("import math\nsoftplus = math.exp", "softplus", None, None, ""),
        ("softplus = str.upper", "softplus", "error", None, "TypeError"),
        ("def softplus(x):\n    return 'text'", "softplus", "not-an-array", 1, "is a str"),
        ("def softplus(x):\n    return x, x", "gradient", "error", None, "tuple"),
        ("def softplus(x):\n    return x, x, x", "unpacked", "error", None, "too many values"),
        ("def softplus(x):\n    return x.nothing", "unpacked", "no-such-method", 2, "nothing"),
        (
            "import plnkit\ndef softplus(x):\n    return plnkit.solve(x, x, x)",
            "softplus",
            None,
            3,
            "",
        ),
        (
            "KEPT = []\ndef softplus(x):\n    KEPT.append(x)\n    return KEPT[0] + 0 * x",
            "softplus",
            None,
            None,
            "",
        ),
        (
            "class X:\n    def __eq__(self, other):\n        raise AttributeError('eq')\n"
            "def softplus(x):\n    return x if X() == 1 else x",
            "softplus",
            "error",
            3,
            "eq",
        ),
    ],
)
def test_a_student_s_error_stays_theirs(checked, source, name, rule, line, says):
    outputs = checked(source, name).criterion("outputs")
    assert outputs.status is Status.FAILED
    (finding,) = outputs.findings
    assert finding.rule == rule or (rule is None and finding.rule != KIT_ERROR)
    assert says in finding.message
    assert line is None or finding.line == line


def test_a_module_that_is_not_there_waits_for_a_person(checked):
    """It may be the student's own, which was not handed in, or a library of their machine's."""
    outputs = checked("def softplus(x):\n    import nowhere").criterion("outputs")
    assert (outputs.status, outputs.reason) == (Status.NOT_GRADED, MISSING_FILE)
    (finding,) = outputs.findings
    assert (finding.rule, finding.line) == ("missing-module", 2)
    assert "nowhere" in finding.message


@pytest.fixture
def no_alarm(monkeypatch):
    for name in ("SIGALRM", "setitimer", "ITIMER_REAL"):
        monkeypatch.delattr(signal, name)


def test_full_marks_where_there_is_no_alarm(no_alarm, checked):
    report = checked(RIGHT)
    assert report.mark() == "4 / 4", text_card(report)


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN])
def test_endless_tracing_ends_where_there_is_no_alarm(no_alarm, handler):
    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(ProgramError, match="tracing took longer"), time_limit(0.2):
            while True:
                pass
        with pytest.raises(KeyboardInterrupt), time_limit(60):  # the student's own Ctrl-C
            raise KeyboardInterrupt
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_worker_that_fails_and_the_others_in_the_notebook(monkeypatch, lessons, judge, tmp_path):
    """The parent's step fails for one submission: a status, not a traceback."""
    from autograder.sandbox import Processes

    notebook = tmp_path / "softplus.ipynb"
    from autograder.lessons.authoring import build_exercise, notebook_text

    notebook.write_text(notebook_text(build_exercise(lessons["static_branch"])))
    monkeypatch.setattr(Processes, "observe", lambda *_: {}["no such thing"])
    (report,) = grade_notebook(notebook, lessons["static_branch"].rubric, judge)
    assert report.status is Status.NOT_GRADED
    assert {c.reason for c in report.criteria} == {KIT_ERROR}


def test_check_says_it_in_a_script(monkeypatch, rubric, judge):
    from autograder.learner import kernel as checking

    module = ModuleType("a_script")
    exec(compile(RIGHT, "a_script.py", "exec"), vars(module))
    monkeypatch.setitem(__import__("sys").modules, "a_script", module)
    monkeypatch.setattr(checking, "shared_judge", lambda: judge)
    fail_in(monkeypatch, "autograder.grading.run.calls_to_export", OSError("no"))
    vars(module).update(check=autograder.check, source=rubric.source)
    score = eval("check('softplus', rubric=source)", vars(module))
    assert score.report.status is Status.NOT_GRADED
    assert "kit itself failed" in str(score)
    assert np.isfinite(float(score))
