# pure

import types


def f(x):
    ns = types.SimpleNamespace(a=1)
    if x.ndim > 1:
        ns.a = 2
    ns.b = 3
    return x * ns.a * ns.b
