"""The ELBO against NumPy float64, finite differences, and what the tutorial got wrong."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.typing import ArrayLike

from plnkit import Latent, Parameters, elbo, load_oaks, model, profiled_elbo, reference


@pytest.fixture
def x64():
    with jax.enable_x64(True):
        yield


def draw(n=12, p=5, d=2, seed=0):
    """Random data with zero counts, and random parameters with any precision, in float64."""
    r = np.random.default_rng(seed)
    Y = r.poisson(2.0, (n, p)).astype(float)
    Y[0] = 0
    O, X = r.normal(size=(n, p)), r.normal(size=(n, d))
    root = r.normal(size=(p, p))
    B, M, log_S = r.normal(size=(d, p)), r.normal(size=(n, p)), r.normal(-1, 0.3, size=(n, p))
    parameters = map(jnp.asarray, (B, M, log_S, root @ root.T + np.eye(p)))
    return Parameters(*parameters), (Y, O, X)


def judge(
    parameters: Parameters,
    data: tuple[ArrayLike, ArrayLike, ArrayLike],
    form: reference.LogFactorial = "exact",
) -> float:
    B, M, log_S, Omega = parameters
    return reference.elbo(B, M, np.exp(log_S), Omega, *data, form)


@pytest.mark.gate
@pytest.mark.parametrize("d", [0, 1, 3])
def test_elbo_is_the_reference(x64, d):
    parameters, data = draw(d=d)
    np.testing.assert_allclose(elbo(parameters, *data), judge(parameters, data), rtol=1e-13)
    np.testing.assert_allclose(
        jax.jit(elbo)(parameters, *data), judge(parameters, data), rtol=1e-13
    )


@pytest.mark.slow
@pytest.mark.parametrize("d", [0, 1, 3])
def test_profiled_elbo_is_the_elbo_at_the_profile(x64, d):
    parameters, data = draw(d=d)
    latent = Latent(parameters.M, parameters.log_S)
    value = profiled_elbo(latent, *data)
    exact = reference.profiled_elbo(latent.M, np.exp(latent.log_S), *data)
    np.testing.assert_allclose(value, exact, rtol=1e-13)
    np.testing.assert_allclose(value, elbo(model.profile(latent, data[2]), *data), rtol=1e-12)


@pytest.mark.parametrize("field", ["B", "Omega"])
@pytest.mark.slow
def test_the_profile_is_a_maximum(x64, field):
    parameters, data = draw()
    best = model.profile(Latent(parameters.M, parameters.log_S), data[2])
    # With the whole mean held: what B takes, M gives back.
    mean = data[2] @ best.B + best.M

    def along(t):
        moved = best._replace(**{field: getattr(best, field) * (1 + t)})
        return elbo(moved._replace(M=mean - data[2] @ moved.B), *data)

    assert along(0.0) > max(along(1e-3), along(-1e-3))
    np.testing.assert_allclose(jax.grad(along)(0.0), 0, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("profiled", [False, True])
def test_gradients_against_finite_differences(x64, profiled):
    parameters, data = draw()
    at = Latent(parameters.M, parameters.log_S) if profiled else parameters
    function = jax.jit(profiled_elbo if profiled else elbo)
    gradient = jax.grad(function)(at, *data)
    r = np.random.default_rng(1)
    for _ in range(5):
        direction = jax.tree.map(lambda a: jnp.asarray(r.normal(size=a.shape)), at)
        if not profiled:  # stay symmetric
            direction = direction._replace(Omega=direction.Omega + direction.Omega.T)
        slope = sum(jnp.vdot(g, v) for g, v in zip(gradient, direction, strict=True))

        def moved(t, direction=direction):
            return function(jax.tree.map(lambda a, b: a + t * b, at, direction), *data)

        h = 1e-3  # fourth order: error h^4
        finite = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h)
        np.testing.assert_allclose(slope, finite, rtol=1e-7)


@pytest.mark.slow
def test_the_trace_term_lets_omega_pull_on_m(x64):
    """The tutorial's `M.T @ M + D @ Omega` leaves Omega out of M's gradient."""
    parameters, data = draw()
    pull = jax.grad(elbo)(parameters, *data).M
    doubled = jax.grad(elbo)(parameters._replace(Omega=2 * parameters.Omega), *data).M
    np.testing.assert_allclose(pull - doubled, parameters.M @ parameters.Omega, rtol=1e-9)


@pytest.mark.slow
def test_the_log_determinant_stays_finite_where_det_overflows():
    Y = np.ones((150, 120), np.float32)
    parameters = model.start(Y, np.ones((150, 1)))
    huge = parameters._replace(Omega=parameters.Omega * 10)
    assert np.isinf(jnp.linalg.det(huge.Omega))
    assert np.isfinite(elbo(huge, Y, 0 * Y, np.ones((150, 1))))


@pytest.mark.slow
def test_log_factorials():
    Y = np.array([0, 1, 2, 5, 170])
    exact = np.log([1.0, 1.0, 2.0, 120.0]).sum() + 706.5730622457874
    np.testing.assert_allclose(model.log_factorials(Y), exact, rtol=1e-6)
    np.testing.assert_allclose(reference.log_factorials(Y), exact, rtol=1e-12)
    at_zero = [float(model.stirling_log_factorials(np.array([y]))) for y in (0, 1)]
    np.testing.assert_allclose(at_zero, -0.0810614667953, rtol=1e-5)
    Y = load_oaks().Y
    np.testing.assert_allclose(
        jax.jit(model.stirling_log_factorials)(Y),
        reference.log_factorials(Y, "stirling"),
        rtol=1e-5,
    )
    constant = reference.log_factorials(Y, "stirling") - reference.log_factorials(Y)
    np.testing.assert_allclose(constant, -569.66, atol=0.01)


@pytest.mark.slow
def test_gradients_are_right_at_zero_counts():
    parameters, (Y, O, X) = draw()
    gradient = jax.grad(elbo)(parameters, 0 * Y, O, X)
    assert all(np.isfinite(g).all() for g in gradient)


@pytest.mark.slow
def test_float32_on_oaks():
    Y, O, X, *_ = load_oaks()
    parameters = model.start(Y, X)
    assert elbo(parameters, Y, O, X).dtype == jnp.float32
    np.testing.assert_allclose(
        jax.jit(elbo)(parameters, Y, O, X), judge(parameters, (Y, O, X)), rtol=1e-6
    )
