# right: waits for each leaf, counts in nanoseconds; exercise: timing
import statistics
from time import perf_counter_ns


def nanoseconds(function, arguments):
    start = perf_counter_ns()
    jax.tree.map(lambda leaf: leaf.block_until_ready(), function(*arguments))
    return perf_counter_ns() - start


def time_call(function, *arguments):
    times = [nanoseconds(function, arguments) for _ in range(9)]
    run = 1e-9 * statistics.median(times[1:])
    return 1e-9 * times[0] - run, run
