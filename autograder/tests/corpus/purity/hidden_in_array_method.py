# impure
# ruff: noqa
import numpy as np

put = np.zeros(3).put


def f(x):
    put(0, 1.0)
    return 2 * x
