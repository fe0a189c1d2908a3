# wrong: times a jitted copy; exercise: timing; must fail: outputs; says: puts the function it is given under `jax.jit`
import statistics


def time_call(function, *arguments):
    function = jax.jit(function)
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)
