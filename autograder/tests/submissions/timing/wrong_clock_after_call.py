# wrong: the clock of later calls starts once the function has returned; exercise: timing; must fail: outputs; says: started after
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(5):
        result = function(*arguments)
        start = time.perf_counter()
        jax.block_until_ready(result)
        times.append(time.perf_counter() - start)
    run = statistics.median(times)
    return first - run, run
