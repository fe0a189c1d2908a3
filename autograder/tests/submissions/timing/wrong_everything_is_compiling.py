# wrong: everything before the last call is compiling; exercise: timing; must fail: compilations; says: Time the first call by itself
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
    return first + sum(times), statistics.median(times)
