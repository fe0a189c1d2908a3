# wrong: waits, but after the clock was stopped; exercise: timing; must fail: outputs; says: the clock was stopped before waiting
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        result = function(*arguments)
        times.append(time.perf_counter() - start)
        jax.block_until_ready(result)
    run = statistics.median(times[1:])
    return times[0] - run, run
