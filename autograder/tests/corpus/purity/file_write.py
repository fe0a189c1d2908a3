# impure: file-access, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import tempfile, os

path = os.path.join(tempfile.gettempdir(), "purity_corpus.txt")


def f(x):
    with open(path, "w") as out:
        out.write("x")
    return x
