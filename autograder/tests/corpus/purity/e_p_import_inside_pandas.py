# pure


def f(x):
    import pandas

    return x * len(pandas.__name__)
