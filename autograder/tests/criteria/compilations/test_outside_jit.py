"""A function that fails only where it is traced loses compilations as well, and is told why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from autograder.criteria.compilations.judge import find_outside_jit, say_works
from autograder.criteria.compilations.messages import WORKS_PLAINLY, page_text
from autograder.lessons.course import find_course
from autograder.lessons.verification.in_process import grade_source
from autograder.lessons.verification.requirements import loses
from autograder.model.finding import Finding
from autograder.model.reasons import KIT_ERROR
from autograder.model.report import Status

OUTSIDE_JIT = page_text("outside-jit")
FAILED = Finding("branch-on-data", "error", 7, "TracerBoolConversionError", "if variance > mean:")


def test_only_tracing_fails():
    found = find_outside_jit((None, FAILED, FAILED), ())
    assert found == Finding("outside-jit", "error", 7, OUTSIDE_JIT, "if variance > mean:")
    finding = say_works(FAILED)
    assert finding is not None and finding.message == f"TracerBoolConversionError\n{WORKS_PLAINLY}"


@pytest.mark.parametrize("rule", ["call-failed", KIT_ERROR])
def test_the_call_fails_too(rule):
    assert find_outside_jit((FAILED,), (Finding.error(rule, "it failed"),)) is None


@pytest.mark.parametrize("rule", ["effects", "too-large", "leaked-tracer", KIT_ERROR])
def test_other_failures(rule):
    other = replace(FAILED, rule=rule)
    assert find_outside_jit((other,), ()) is None
    assert say_works(other) == other


def test_all_calls_have_programs():
    assert find_outside_jit((None, None), ()) is None
    assert say_works(None) is None


PLAIN = """
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    if variance > mean:
        return jnp.log(1 + (variance - mean) / mean**2)
    return jnp.zeros_like(mean)
"""


@pytest.mark.gate
@pytest.mark.parametrize(
    ("source", "compilations", "works"),
    [(PLAIN, Status.FAILED, True), (f"@jax.jit{PLAIN}", Status.NOT_GRADED, False)],
)
def test_the_report_names_what_is_to_blame(source, compilations, works, judge):
    lesson = next(x for x in find_course().lessons() if x.name == "traced_branch")
    report = grade_source(lesson, "traced_branch", source, judge)
    assert report.criterion("outputs").status is Status.FAILED
    assert (WORKS_PLAINLY in report.criterion("outputs").findings[0].message) is works
    criterion = report.criterion("compilations")
    assert (criterion.status, bool(criterion.hints)) == (compilations, works)
    assert (OUTSIDE_JIT in [f.message for f in criterion.findings]) is works
    assert loses(report, ("outputs",), "TracerBool") == []
    assert (loses(report, ("compilations",), "outside of any jitted") == []) is works


@pytest.mark.slow
def test_a_gradient_that_fails_is_no_line_outside_of_jit(judge):
    """The function itself is one program; only going backwards through its loop fails."""
    lesson = next(x for x in find_course().lessons() if x.name == "loop_gradients")
    report = grade_source(lesson, "loop_gradients", None, judge)
    (finding,) = report.criterion("outputs").findings
    assert finding.rule == "reverse-loop" and WORKS_PLAINLY not in finding.message
    assert report.criterion("compilations").status is Status.NOT_GRADED
