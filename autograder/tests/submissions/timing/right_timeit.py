# right: the timeit module; exercise: timing
import timeit

import numpy as np


def time_call(function, *arguments):
    times = timeit.repeat(lambda: jax.block_until_ready(function(*arguments)), number=1, repeat=10)
    run = np.median(times[1:])
    return max(0.0, times[0] - run), run
