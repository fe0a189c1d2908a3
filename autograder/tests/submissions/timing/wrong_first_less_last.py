# wrong: compiling is the first call less the last one, not less the median; exercise: timing; must fail: compilations; says: subtract run_seconds
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - times[-1], statistics.median(times[1:])
