# ruff: noqa
import jax


class A:
    pass


@(lambda f: jax.Array)
def A():
    pass


jax.tree_util.register_static(A)
