# ruff: noqa
import timeit


def stmt():
    pass


stmt = "import os; print('TIMEIT RAN TEXT', os.getpid())"
timeit.timeit(stmt, number=1)
proof = "see above"
