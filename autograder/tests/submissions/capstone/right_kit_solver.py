# right: the kit's own solver; exercise: capstone
from plnkit.model import elbo, profile
from plnkit.solver import solve


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    latent = solve(Y, O, X, max_iterations=n_iterations).latent
    B, M, log_S, Omega = parameters = profile(latent, X)
    return B, M, jnp.exp(log_S), Omega, elbo(parameters, Y, O, X)
