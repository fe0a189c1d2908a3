# impure

STORE = []


def put(store, v):
    if v.ndim > 1:
        store.append(v.shape)
    return v


def f(x):
    return put(STORE, x)
