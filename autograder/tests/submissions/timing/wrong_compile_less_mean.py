# wrong: the first call less the mean; exercise: timing; must fail: compilations; says: the mean of the others
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - statistics.mean(times[1:]), statistics.median(times[1:])
