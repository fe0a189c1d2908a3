# impure

import numpy as np


def f(x):
    np.errstate(all="ignore").__enter__()
    np.seterr(over="raise")
    return x
