# right: a NamedTuple as the pair; exercise: timing
import statistics
from typing import NamedTuple


class Times(NamedTuple):
    compile_seconds: float
    run_seconds: float


class Stopwatch:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *exc):
        self.seconds = time.perf_counter() - self.start


def time_call(function, *arguments):
    times = []
    for _ in range(8):
        with Stopwatch() as watch:
            jax.block_until_ready(function(*arguments))
        times.append(watch.seconds)
    first, *rest = times
    run = statistics.median(rest)
    return Times(first - run, run)
