# impure
import jax.numpy as jnp


def arguments():
    return ({"w": jnp.ones(3)},)


def f(params):
    if params["w"].ndim > 1:
        params["w"] = params["w"].sum(0)
    return params["w"]
