# ruff: noqa
import jax


def f():
    class A:
        def bump(self):
            self.planted = 1

    A.bump(jax.Array)


f()
proof = jax.Array.planted
