# wrong: times the dispatch; exercise: timing; must fail: outputs; says: JAX returns before the result is there
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)
