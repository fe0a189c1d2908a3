# impure


def f(x):
    print("called")
    return x
