"""What lesson `slow_compile` says of JAX, run: on every jax that the kit supports."""

from functools import partial

import jax
import jax.numpy as jnp

from plnkit.compile_counts import compile_counts

COUNTS = jnp.arange(600.0).reshape(20, 30)


def lowered_text(function, *arguments) -> str:
    return jax.jit(function).lower(*arguments).as_text()


def unrolled(x, n_iterations):
    for _ in range(n_iterations):
        x = jnp.sin(x)
    return x


def test_an_unrolled_loop_makes_a_longer_program() -> None:
    lengths = [len(lowered_text(partial(unrolled, n_iterations=n), COUNTS)) for n in (10, 40)]
    assert 2 < lengths[1] / lengths[0] < 5


def test_a_scan_does_not() -> None:
    def scanned(x, n):
        return jax.lax.scan(lambda x, _: (jnp.sin(x), None), x, length=n)[0]

    few, many = (len(lowered_text(partial(scanned, n=n), COUNTS)) for n in (10, 40))
    assert abs(few - many) < 10


def test_closed_over_data_are_in_the_text_with_two_characters_a_byte() -> None:
    closed_over = len(lowered_text(lambda: jnp.sum(COUNTS)))
    as_argument = len(lowered_text(lambda x: jnp.sum(x), COUNTS))
    assert 0 <= closed_over - as_argument - 2 * COUNTS.nbytes < 1000


def test_a_new_partial_compiles_again_and_the_same_one_does_not() -> None:
    def scaled(x, rate):
        return rate * x

    with compile_counts() as counted:
        for _ in range(3):
            jax.jit(partial(scaled, rate=2.0))(COUNTS)
    assert counted["compilations"] == 3
    once = jax.jit(scaled)
    with compile_counts() as counted:
        for rate in (2.0, 3.0, 4.0):
            once(COUNTS, rate)
    assert counted["compilations"] == 1
