"""plnkit: the Poisson-lognormal (PLN) model in JAX."""
