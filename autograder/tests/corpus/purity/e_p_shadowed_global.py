# pure

history = []


def f(x):
    history = []
    if x.ndim > 1:
        history.append(x)
    return x + len(history)
