# pure


def f(x):
    import scipy.stats

    return x * scipy.stats.norm.cdf(0.0)
