# pure


def f(x):
    memo = {}

    def fib(n):
        if n < 2:
            return 1.0
        if n not in memo:
            memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    return x * fib(10)
