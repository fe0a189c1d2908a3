# wrong: the first call is in the median; exercise: timing; must fail: outputs; says: median of the calls
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = statistics.median(times)
    return times[0] - run, run
