# impure

numbers = iter(range(10**6))


def f(x):
    return x * next(numbers)
