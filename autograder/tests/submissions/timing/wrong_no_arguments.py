# wrong: forgets the arguments; exercise: timing; must fail: outputs; says: Pass them on
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function())
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function())
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)
