"""What the function returns in the student's own process."""

import sys

import jax
import jax.numpy as jnp
import pytest

from autograder.criteria.compilations import observe as compilations
from autograder.criteria.outputs.observe import observe
from autograder.criteria.purity import observe as purity
from autograder.criteria.shape import Subject
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.programs import jax_access
from autograder.rubrics.jitted_step import MANY


@pytest.mark.gate
@pytest.mark.parametrize(("backend", "precision"), [("cpu", None), ("gpu", "highest")])
def test_products_are_rounded_as_in_the_program(monkeypatch, backend, precision):
    """A GPU's TF32 has 10 bits: a right function would disagree with its program."""
    seen = []

    def rank_abundance(counts):
        seen.append(jax.config.jax_default_matmul_precision)  # pyright: ignore
        return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

    drawn = load_rubric("static_reshape").draw("static_reshape", PUBLIC_KEY)
    monkeypatch.setattr(jax_access, "default_backend", lambda: backend)
    result = observe(Subject(drawn, rank_abundance, sys.modules[__name__]))
    assert result.watched and all(one is not None for one in result.watched)
    assert seen and set(seen) == {precision}


@pytest.mark.gate
def test_a_long_call_is_made_once_for_its_results():
    """Made six times, 301 iterations took a learner a minute who had forgotten `jit`."""
    long_calls = iter(range(9))  # purity cannot restore an iterator

    def fit(params, Y, O, X, n_iterations):
        if n_iterations == MANY:
            next(long_calls)
        return params, jnp.zeros(n_iterations, Y.dtype)

    drawn = load_rubric("jitted_step").draw("jitted_step_fit", PUBLIC_KEY)
    subject = Subject(drawn, fit, sys.modules[__name__])
    assert [args[-1] for args in drawn.watched_calls].count(MANY) == 1
    for criterion in (purity, compilations):
        criterion.observe(subject)
    result = observe(subject)
    assert result.failed is None and all(one is not None for one in result.watched)
    assert next(long_calls) == 1
