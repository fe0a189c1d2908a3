# wrong: one warm-up and one time; exercise: timing; must fail: outputs; says: a single time may be an accident
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(1):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)
