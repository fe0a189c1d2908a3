# pure

import numpy as np


def f(x):
    with np.printoptions(precision=3):
        width = len(str(np.arange(3.0)))
    return x * (width > 0)
