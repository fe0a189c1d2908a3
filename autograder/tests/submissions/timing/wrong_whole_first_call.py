# wrong: gives the whole first call for compiling; exercise: timing; must fail: compilations; says: all that the first call took
import numpy as np


def time_call(function, *arguments):
    marks = []
    for _ in range(8):
        start = time.monotonic()
        jax.device_get(function(*arguments))
        marks.append(time.monotonic() - start)
    return marks[0], float(np.median(marks[1:]))
