# ruff: noqa
import jax


class A:
    pass


def go(target):
    x = A()

    @(lambda f: target)
    def x():
        pass

    x.sum = "patched"


go(jax.Array)
proof = jax.Array.sum
