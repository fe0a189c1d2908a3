# ruff: noqa
import jax


class A:
    take = eval
    module = jax
    eval = jax = None


proof = (A.take("1+1"), A.module)
