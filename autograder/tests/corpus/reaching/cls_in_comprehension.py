# ruff: noqa
import jax


class A:
    def bump(self):
        self.planted = 1

    @classmethod
    def me(cls):
        return [cls for _ in (1,)][0]


K = A.me()
K.bump(jax.Array)
J = jax.Array
proof = J.planted
