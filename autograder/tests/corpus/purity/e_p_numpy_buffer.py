# pure

import numpy as np


def f(x):
    weights = np.ones(x.shape)
    if x.shape[0] > 10:
        weights[10:] = 0.0
    weights[0] = 2.0
    return x * weights
