# ruff: noqa
import numpy as np

secret = 12345678901
X = type(int)(
    "X",
    (),
    {
        "__array_interface__": {
            "shape": (4,),
            "typestr": "<i8",
            "data": (id(secret), False),
            "version": 3,
        }
    },
)
a = np.asarray(X())
a[3] = 7
proof = ("memory of an int, written", a, secret)
