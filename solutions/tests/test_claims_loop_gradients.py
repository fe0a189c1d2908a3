"""What the lesson `loop_gradients` says of JAX, run: on every jax that the kit supports."""

import jax
import jax.numpy as jnp
import pytest
from jax import lax
from jax.ad_checkpoint import print_saved_residuals


def scratch(function, *arguments) -> int:
    """The bytes that a compiled function needs beside its arguments and results."""
    analysis = jax.jit(function).lower(*arguments).compile().memory_analysis()
    assert analysis is not None
    return analysis.temp_size_in_bytes


def halve_down(x):
    return lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)


def gradient_of_scan(steps, wrap=lambda body: body, around=lambda loop: loop):
    """The gradient of repeated sines, which keep their argument and their slope."""

    def loop(x):
        body = wrap(lambda x, _: (jnp.sin(x) * x, None))
        return lax.scan(body, x, length=steps)[0]

    return jax.grad(lambda x: around(loop)(x).sum())


def test_while_loop_goes_forward_only():
    with pytest.raises(ValueError, match="Reverse-mode differentiation does not work"):
        jax.grad(halve_down)(9.0)
    assert jax.jvp(halve_down, (9.0,), (1.0,))[1] == 1 / 16


def test_reverse_mode_keeps_something_of_every_step():
    x = jnp.ones(10_000)
    few, many = (scratch(gradient_of_scan(steps), x) for steps in (10, 100))
    assert 8 < many / few < 12
    assert many > 100 * x.nbytes


@pytest.mark.slow
def test_checkpoint_around_the_body_keeps_the_carry_alone():
    x = jnp.ones(10_000)
    everything = scratch(gradient_of_scan(100), x)
    carries = scratch(gradient_of_scan(100, wrap=jax.checkpoint), x)
    whole = scratch(gradient_of_scan(100, around=jax.checkpoint), x)
    assert 100 * x.nbytes < carries < 106 * x.nbytes
    assert everything > 1.9 * carries
    assert whole >= everything


def test_checkpoint_keeps_arguments(capsys):
    def softened(x):
        return jnp.log(jnp.sin(jnp.exp(x)) + 2)

    print_saved_residuals(softened, jnp.ones(3))
    assert capsys.readouterr().out.count("output of") == 3
    print_saved_residuals(jax.checkpoint(softened), jnp.ones(3))
    kept = capsys.readouterr().out
    assert "from the argument x" in kept
    assert "output of" not in kept
