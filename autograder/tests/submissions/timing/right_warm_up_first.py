# right: a first call times the compilation, a second warms up; exercise: timing
import statistics


def time_call(function, *arguments):
    def seconds():
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        return time.perf_counter() - start

    first = seconds()
    seconds()  # the caches of the processor are warm now
    run_seconds = statistics.median(seconds() for _ in range(9))
    return first - run_seconds, run_seconds
