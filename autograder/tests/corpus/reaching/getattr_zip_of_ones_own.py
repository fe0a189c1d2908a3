# ruff: noqa
def zip(*lists):
    return [(1, "__class__")]


proof = [getattr(x, name) for x, name in zip([1], ("real",))]
