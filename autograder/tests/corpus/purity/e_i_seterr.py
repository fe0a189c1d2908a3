# impure

import numpy as np


def f(x):
    np.seterr(all="ignore")
    return x
