# wrong: the run less the first call; exercise: timing; must fail: compilations; says: the wrong way round
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = statistics.median(times[1:])
    return run - times[0], run
