# wrong: nanoseconds; exercise: timing; must fail: outputs; says: looks like nanoseconds
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter_ns()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter_ns() - start)
    run = statistics.median(times[1:])
    return times[0] - run, run
