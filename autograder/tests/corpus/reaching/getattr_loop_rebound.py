# ruff: noqa
def f(x):
    for name in ("real",):
        pass
    name = "__class__"
    return getattr(x, name)


proof = f(1)
