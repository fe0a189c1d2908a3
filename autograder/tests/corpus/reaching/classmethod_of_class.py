# ruff: noqa
import jax


class A:
    def bump(self):
        self.planted = 1

    @classmethod
    class me:
        def __init__(self, cls):
            self.kept = cls


K = A.me().kept
K.bump(jax.Array)
J = jax.Array
proof = J.planted
