# impure: file-access, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import pickle, tempfile, os

name = os.path.join(tempfile.gettempdir(), "purity_corpus.pkl")


def f(x):
    pickle.dump({"n": 1}, open(name, "wb"))
    return x
