# impure

import numpy as np


def f(x):
    return x + np.random.normal()  # noqa: NPY002
