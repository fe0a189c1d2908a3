# pure

import warnings


def f(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x.astype(float) * 2
