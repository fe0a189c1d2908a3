# pure

import functools


def f(x):
    @functools.lru_cache
    def power(n):
        return 1 if n == 0 else 2 * power(n - 1)

    return x * power(5)
