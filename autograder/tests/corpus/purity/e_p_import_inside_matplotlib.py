# pure


def f(x):
    from matplotlib import colors

    return x * len(colors.to_rgb("red"))
