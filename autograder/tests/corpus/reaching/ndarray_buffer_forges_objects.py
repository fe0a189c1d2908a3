# ruff: noqa
import optax
import numpy as np

objects = np.array([None, None], dtype=object)
raw = np.ndarray((2,), dtype=np.int64, buffer=objects)
target = optax.apply_updates
address = id(target)


# fields of a function object: its globals are the fourth word or so; walk it as raw memory
class Own:
    pass


raw2 = np.ndarray((1,), dtype=np.int64, buffer=objects)
raw[0] = address
same = objects[0]
# A fake `bytes`-like window on memory: a fake ndarray is not needed, an array of objects laid over
# the function would do; here the pointer alone is proved.
proof = (same is target, raw)
