# ruff: noqa
import numpy as np


class Own:
    fromfile = None


np2 = (lambda np=np: np)()
proof = np2.fromfile("/etc/hostname", dtype=np.uint8)
