"""Hints for findings that may come up in any exercise, where its own hints are about another."""

from __future__ import annotations

GENERAL_HINTS: dict[str, tuple[str, str, str]] = {
    "branch-on-data": (
        "The card names the data that the test looks at. Are its numbers known while jit traces?",
        "They are not, so Python cannot decide. If the test is there to choose a result, let the "
        "program choose; if it is there to raise an error, it belongs outside of the function.",
        "`jnp.where(test, a, b)` chooses element by element, `lax.cond(test, f, g)` calls one of "
        "two functions. Delete a test that the task does not ask for.",
    ),
    "python-while": (
        "How often the loop turns depends on numbers that are not known while jit traces.",
        "`lax.while_loop(go_on, step, start)` puts the loop into the program. Its state is all "
        "that changes from one turn to the next, in a tuple.",
        "def go_on(state): return (state[1] > tolerance) & (state[2] < limit); step(state) returns "
        "the next state, with the same shapes and dtypes.",
    ),
    "python-compares": (
        "Which function on this line is Python's own, and not one of `jax.numpy`?",
        "Python's own functions compare values one by one, and under jit there are none yet.",
        "Write `jnp.sort`, `jnp.max`, `jnp.min`, `jnp.maximum`, `jnp.minimum`, `jnp.any` or "
        "`jnp.all` in its place.",
    ),
    "branch-arguments": (
        "The card shows which function was called, with how many arguments.",
        "The arguments after the functions go to all of them alike.",
        "`lax.cond(test, lambda m, v: v - m, lambda m, v: 0.0, mean, variance)`, or no arguments "
        "at all: `lax.cond(test, lambda: variance - mean, lambda: 0.0)`.",
    ),
    "number-from-data": (
        "Which call on this line wants a plain number?",
        "While jit traces, an array has a shape and a dtype, and no number yet. All that follows "
        "can go on with the array itself.",
        "Delete `float(...)`, `int(...)` or `.item()`, compute with `jax.numpy`, and return the "
        "array.",
    ),
    "known-value": (
        "The value was a plain number before a function of `jax.numpy` got it.",
        "Under jit all that `jax.numpy` returns is a tracer, whatever went in.",
        "Use the plain number as it is, or `math` or NumPy to compute with it. No argument has to "
        "become static for this.",
    ),
    "cached-array": (
        "What does the cache use to find an earlier result?",
        "The arguments themselves, which must be hashable. Arrays are not, and under jit they have "
        "no values to compare.",
        "Delete the line with `lru_cache`. `jax.jit` keeps the program for each shape by itself.",
    ),
    "jit-disabled": (
        "What switches jit off here? The card names it.",
        "Without jit every operation runs by itself: good for debugging, and for nothing else.",
        "Delete `jax.disable_jit()`, or the setting `jax_disable_jit`, and keep `@jax.jit`.",
    ),
}
"""By rule of a finding: three hints, each saying more than the one before."""
