# ruff: noqa
import dataclasses
import jax


class A:
    def bump(self):
        self.planted = 1


K = dataclasses.dataclass(A)
K.bump(jax.Array)
J = jax.Array
proof = J.planted
