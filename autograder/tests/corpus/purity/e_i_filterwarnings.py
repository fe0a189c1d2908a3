# impure

import warnings


def f(x):
    warnings.filterwarnings("ignore", message="some text of mine")
    return x
