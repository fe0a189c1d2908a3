# impure

import numpy as np

rng = np.random.default_rng(0)


def f(x):
    return x + rng.normal()
