"""Jaxprs in few words: the same on every release of JAX, as far as they say the same."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from autograder.model.figures import MAX_LINES, JaxprLine, compare_jaxprs
from autograder.programs.jaxprs import jaxpr_lines

X = np.ones(5, np.float32)


@jax.jit
def centre(x):
    return x - x[0]


def test_a_jitted_function_of_the_students_is_what_it_does():
    def plain(x):
        return jnp.exp(centre(x))

    assert jaxpr_lines(plain, (X,)) == jaxpr_lines(jax.jit(plain), (X,))
    assert jaxpr_lines(plain, (X,))[-2:] == ["float32[5] = sub", "float32[5] = exp"]


def test_a_function_of_jax_is_one_line():
    assert jaxpr_lines(jnp.var, (X,)) == ["float32[] = var"]


def test_branches_and_loops_are_indented():
    def branch(x, steps):
        return lax.cond(x[0] > 0, jnp.sin, lambda x: jnp.cos(-x), x)

    lines = jaxpr_lines(branch, (X, 3))
    at = lines.index("float32[5] = cond")
    assert lines[at:] == [
        "float32[5] = cond",
        "  branch 0:",
        "    float32[5] = neg",
        "    float32[5] = cos",
        "  branch 1:",
        "    float32[5] = sin",
    ]
    loop = jaxpr_lines(lambda x: lax.scan(lambda c, _: (c * 2, None), x, length=3)[0], (X,))
    assert loop == ["float32[5] = scan", "  float32[5] = mul"]


def test_what_is_equal_is_shown_beside_a_difference_only():
    same = [f"float32[{i}] = add" for i in range(20)]
    yours, lesson = [*same, "float32[] = log1p"], [*same, "float32[] = log"]
    diff = compare_jaxprs(yours, lesson)
    assert diff.lines == (
        *(JaxprLine("both", text) for text in same[-3:]),
        JaxprLine("lesson", "float32[] = log"),
        JaxprLine("yours", "float32[] = log1p"),
    )
    assert compare_jaxprs(same, same).lines == ()
    twice = compare_jaxprs(["a", *same, "b"], ["c", *same, "d"])
    assert JaxprLine("left out", "") in twice.lines
    long = compare_jaxprs([str(i) for i in range(500)], [])
    assert len(long.lines) == MAX_LINES + 1 and long.lines[-1].of == "left out"
