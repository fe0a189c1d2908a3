# impure: file-access, line 13
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import os, tempfile

path = os.path.join(tempfile.gettempdir(), "purity_corpus.npy")


def f(x):
    np.save(path, np.ones(2))
    return x
