# wrong: the mean in place of the median; exercise: timing; must fail: outputs; says: Use `statistics.median`
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
    return first - sum(times) / len(times), sum(times) / len(times)
