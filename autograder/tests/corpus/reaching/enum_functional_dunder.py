# ruff: noqa
import enum
import numpy as np

secret = 12345678901


def array_interface(self):
    return {"shape": (4,), "typestr": "<i8", "data": (id(secret), False), "version": 3}


X = enum.Enum("X", [("A", 1), ("__array_interface__", property(array_interface))])
a = np.asarray(list(X)[0])
a[3] = 7
proof = ("memory of an int, written", a, secret)
