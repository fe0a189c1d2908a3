# attack: looks for the grader among its callers; must find: purity
# ruff: noqa
import jax
import jax.numpy as jnp
import numpy as np

import sys

log = []


def f(x):
    frame, graded = sys._getframe(), False
    while frame is not None:
        graded |= "autograder" in frame.f_code.co_filename
        frame = frame.f_back
    if not graded:
        log.append(1)
    return x * 2
