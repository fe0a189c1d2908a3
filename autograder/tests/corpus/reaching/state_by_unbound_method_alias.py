# ruff: noqa
import jax


class A:
    def bump(self):
        self.planted = 1


B = A
B.bump(jax.Array)
proof = jax.Array.planted
