# pure

import numpy as np


def f(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        table = np.log(np.arange(3.0))
    table = np.where(np.isfinite(table), table, 0.0)
    return x + table
