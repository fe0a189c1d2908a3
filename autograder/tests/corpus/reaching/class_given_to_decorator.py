# ruff: noqa
import jax


class Keep:
    def __init__(self, cls):
        self.kept = cls


@Keep
class A:
    def bump(self):
        self.planted = 1


A.kept.bump(jax.Array)
J = jax.Array
proof = J.planted
