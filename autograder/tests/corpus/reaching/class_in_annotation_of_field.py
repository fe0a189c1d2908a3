# ruff: noqa
import dataclasses
import jax


class Own:
    type = None


class A:
    def bump(self):
        self.planted = 1


@dataclasses.dataclass
class D:
    x: A


K = dataclasses.fields(D)[0].type
K.bump(jax.Array)
J = jax.Array
proof = J.planted
