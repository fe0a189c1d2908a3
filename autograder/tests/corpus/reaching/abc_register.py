# ruff: noqa
import abc, collections, numbers
import numpy as np
import jax.numpy as jnp


class Own:
    register = None


class Fake:
    pass


R = collections.abc.Sequence
R.register(Fake)
N = numbers.Real
N.register(Fake)
proof = isinstance(Fake(), collections.abc.Sequence), isinstance(Fake(), numbers.Real)
