# pure

import numpy as np


@np.errstate(all="ignore")
def table(n):
    return np.nan_to_num(np.log(np.arange(float(n))), neginf=0.0)


def f(x):
    return x + table(3)
