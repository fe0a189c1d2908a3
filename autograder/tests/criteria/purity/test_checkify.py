"""Functions that check their values with `checkify` keep all their points."""

from __future__ import annotations

import jax
import pytest
from jax.experimental import checkify

from autograder.programs.jax_private import passing_checks, unnumbered_checks
from autograder.tests.helpers.student_modules import report_of

RUBRIC = """
import numpy as np
from autograder import ProgramExercise, Rubric

rubric = Rubric(
    "lesson",
    (
        ProgramExercise(
            name="doubled",
            draws=lambda rng: [(rng.uniform(-1, 1, n).astype(np.float32),) for n in (4, 4, 2)],
            reference=lambda x: 2 * x,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
    ),
)
"""
IMPORTS = """
import jax
import jax.numpy as jnp
from jax.experimental import checkify

def unchecked(x):
    checkify.check(jnp.all(x <= 1), "at most 1, not {}", x.max())
    checkify.check(jnp.all(x >= -1), "at least -1")
    return 2 * x

"""
AROUND = """
checked = jax.jit(checkify.checkify(unchecked{errors}))

def doubled(x):
    error, result = checked(x)
    {read}
    return result
"""
RIGHT = {
    "throw": AROUND.format(errors="", read="error.throw()"),
    "check_error": AROUND.format(errors="", read="checkify.check_error(error)"),
    "get": AROUND.format(errors="", read="assert error.get() is None, error.get()"),
    "get_exception": AROUND.format(
        errors="", read="failed = error.get_exception()\n    if failed is not None: raise failed"
    ),
    "dropped": AROUND.format(errors="", read="pass"),
    "all_checks": AROUND.format(errors=", errors=checkify.all_checks", read="error.throw()"),
    "float_checks": """
@jax.jit
def plain(x):
    return 2 * x + 0 * jnp.sqrt(jnp.abs(x))

checked = jax.jit(checkify.checkify(plain, errors=checkify.float_checks))

def doubled(x):
    error, result = checked(x)
    error.throw()
    return result
""",
    "inside": """
@jax.jit
def doubled(x):
    return checkify.checkify(unchecked, errors=checkify.user_checks)(x)[1]
""",
    "each_element": """
def one(x):
    checkify.check(x <= 1, "at most 1")
    return 2 * x

checked = jax.jit(jax.vmap(checkify.checkify(one)))

def doubled(x):
    error, result = checked(x)
    error.throw()
    return result
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("way", RIGHT)
def test_every_way_of_checking_keeps_its_points(way, judge, tmp_path):
    report = report_of(IMPORTS + RIGHT[way], RUBRIC, judge, tmp_path)
    found = [f for c in report.criteria for f in c.findings]
    assert (report.earned, found) == (4, [])


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "@jax.jit\ndef doubled(x):\n    return unchecked(x)\n",
        "@jax.jit\ndef doubled(x):\n    error, result = checkify.checkify(unchecked)(x)\n"
        "    error.throw()\n    return result\n",
    ],
    ids=["check", "throw"],
)
def test_a_check_in_jit_that_nothing_transforms_is_explained(source, judge, tmp_path):
    report = report_of(IMPORTS + source, RUBRIC, judge, tmp_path)
    (finding,) = report.criterion("outputs").findings
    assert finding.rule == "check-without-checkify"
    assert "need a function that `checkify.checkify` has transformed" in finding.message
    assert "print" not in finding.message


def failing(x):
    checkify.check(x < 0, "not negative")
    return x


def test_a_plain_call_still_throws():
    error, _ = checkify.checkify(failing)(1.0)
    with pytest.raises(checkify.JaxRuntimeError, match="not negative"):
        error.throw()

    def outside(x):
        with passing_checks():
            error, result = checkify.checkify(failing)(x)
            error.throw()
            assert error.get() is None
            return result

    assert not jax.make_jaxpr(outside)(1.0).effects
    with pytest.raises(checkify.JaxRuntimeError, match="not negative"):
        error.throw()


def test_two_traces_have_the_same_text():
    def text() -> str:
        checked = checkify.checkify(lambda x: failing(x))
        with unnumbered_checks():
            return str(jax.make_jaxpr(checked)(1.0))

    assert text() == text()
