# wrong: milliseconds; exercise: timing; must fail: outputs; says: Return seconds
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return 1e3 * first, 1e3 * statistics.median(times)
