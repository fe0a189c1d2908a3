# ruff: noqa
import jax


class Own:
    _src = None


def f(jax=jax):
    return jax


proof = f()._src
# CHECK: ns['proof'] is jax._src
