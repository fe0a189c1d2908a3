"""The lessons' model: the same ELBO as the kit's, a start near the counts, and the picture."""

import json
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import plnkit
from plnkit import course
from plnkit.model import Parameters


@pytest.fixture(scope="module")
def oaks():
    loaded = plnkit.load_oaks()
    return tuple(map(jnp.asarray, (loaded.Y, loaded.O, loaded.X)))


@pytest.mark.gate
def test_the_elbo_is_the_kits(oaks):
    params, Omega = course.start(*oaks)
    expected = plnkit.elbo(Parameters(**params, Omega=Omega), *oaks)
    assert course.elbo(params, Omega, *oaks) == pytest.approx(float(expected), rel=1e-5)
    assert course.loss(params, Omega, *oaks) == -course.elbo(params, Omega, *oaks)


@pytest.mark.gate
def test_the_start_is_near_the_counts(oaks):
    params, Omega = course.start(*oaks)
    assert course.BEST - 10_000 < course.elbo(params, Omega, *oaks) < course.BEST
    zeros = jax.tree.map(jnp.zeros_like, params)
    assert course.elbo(zeros, jnp.eye(len(Omega)), *oaks) < -1e7


@pytest.mark.gate
@pytest.mark.parametrize("n", [1, 3])
def test_a_start_with_few_samples_is_finite(n):
    rng = np.random.default_rng(n)
    Y = rng.poisson(3, (n, 4)).astype(np.float32)
    Y[:, 0] = 0
    X = np.hstack([np.ones((n, 1)), rng.normal(size=(n, 1))]).astype(np.float32)
    params, Omega = course.start(Y, 0 * Y, X)
    assert all(bool(jnp.isfinite(leaf).all()) for leaf in (*params.values(), Omega))


@pytest.mark.slow
def test_a_fit_converges(oaks):
    @jax.jit
    def fit(params, Omega):
        def body(carry, _):
            params, Omega, state = carry
            value, gradient = jax.value_and_grad(course.loss)(params, Omega, *oaks)
            updates, state = course.optimizer.update(gradient, state)
            moved: Any = optax.apply_updates(params, updates)
            return (moved, course.best_Omega(moved), state), -value

        carry = params, Omega, course.optimizer.init(params)
        return jax.lax.scan(body, carry, length=1000)[1]

    elbos = fit(*course.start(*oaks))
    assert course.BEST - 5 < elbos[-1] < course.BEST + 1


def test_the_picture_has_a_line_for_each_level_and_ones_own(tmp_path, monkeypatch):
    (axis,) = course.plot_progress("mine", 2.0, [-40_000, -33_000, -32_030]).axes
    assert [line.get_label() for line in axis.lines] == [
        *("no JIT", "one jitted step", "scan in jit"),
        "mine",
    ]
    assert axis.lines[-1].get_ydata() == pytest.approx([7974, 974, 4])
    (axis,) = course.plot_progress().axes
    assert len(axis.lines) == 3


@pytest.mark.slow
def test_levels_are_measured_as_they_are_kept():
    measured = course.measure(iterations=4)
    kept = json.loads(course.LEVELS.read_text(encoding="utf-8"))
    assert measured.keys() == kept.keys()
    assert measured["levels"].keys() == kept["levels"].keys()
    assert measured["elbos"][0] == pytest.approx(kept["elbos"][0], rel=1e-4)
