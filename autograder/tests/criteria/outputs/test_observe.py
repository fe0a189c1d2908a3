"""What the function returns in the student's own process."""

import sys

import jax
import jax.numpy as jnp
import pytest

from autograder.criteria.outputs.observe import observe
from autograder.criteria.shape import Subject
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.programs import jax_access


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
