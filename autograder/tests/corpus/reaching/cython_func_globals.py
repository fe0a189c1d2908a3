# ruff: noqa
import numpy as np


class Own:
    func_globals = func_code = None


seed = np.random.seed
proof = seed.func_globals["__builtins__"]
code = seed.func_code
# CHECK: (type(ns['proof']), ns['code'])
