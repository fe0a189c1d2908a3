# impure

import time


def f(x):
    if x.ndim > 1:
        return x * time.time()
    return x
