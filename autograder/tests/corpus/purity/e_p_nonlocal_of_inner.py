# pure


def f(x):
    count = 0

    def step(v):
        nonlocal count
        if v.size > 10:
            count += 1
        return v * 2

    return step(step(x)) + count
