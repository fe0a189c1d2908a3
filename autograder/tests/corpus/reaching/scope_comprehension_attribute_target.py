# ruff: noqa
import numpy as np


class Own:
    ctypeslib = None


module = [np for np.planted in [1]][0]
proof = module.ctypeslib
