# impure

import os


def f(x):
    os.environ["A_NAME_OF_MINE"] = "1"
    return x
