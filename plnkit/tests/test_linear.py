"""Small systems solved: against NumPy, and without a program that grows with their size."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plnkit.linear import invert_and_log_det, solve_each

solve = jax.jit(solve_each)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([1, 7]))
def test_each_system_is_solved(seed, d):
    r, p = np.random.default_rng(seed), 3
    root = r.normal(size=(p, d, 2 * d)) * 10 ** r.uniform(-4, 4, (p, d, 1))
    H, b = root @ root.swapaxes(1, 2), r.normal(size=(p, d))
    with jax.enable_x64(True):
        found = solve(jnp.asarray(H.transpose(1, 2, 0)), jnp.asarray(b.T))
    np.testing.assert_allclose(np.einsum("pij,jp->pi", H, found), b, rtol=1e-6, atol=1e-8)


def test_the_program_does_not_grow_with_the_systems():
    lines = [
        len(solve.lower(jnp.ones((d, d, 3)), jnp.ones((d, 3))).as_text().splitlines())
        for d in (8, 20)
    ]
    assert lines[0] == lines[1]


@pytest.mark.parametrize("p", [1, 40])
def test_inverse_and_determinant(p):
    root = np.random.default_rng(p).normal(size=(p, 2 * p))
    A = root @ root.T / p
    with jax.enable_x64(True):
        inverse, log_det = jax.jit(invert_and_log_det)(jnp.asarray(A))
    np.testing.assert_allclose(np.asarray(inverse) @ A, np.eye(p), atol=1e-9)
    assert log_det == pytest.approx(np.linalg.slogdet(A)[1])
