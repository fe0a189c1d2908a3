# ruff: noqa
import jax


def make(cls):
    new = cls.__new__(cls)
    new.fun = "forged"
    return new


proof = make(jax.custom_jvp)
