# pure

import warnings


def f(x):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        y = x * 2
    return y + 0 * len(seen)
