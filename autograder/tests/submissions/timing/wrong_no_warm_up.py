# wrong: the first call is among the times; exercise: timing; must fail: outputs; says: which compiles, is counted in
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0], sum(times) / len(times)
