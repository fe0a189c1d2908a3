# wrong: two texts that look like numbers; exercise: timing; must fail: outputs; says: tuple of 2 (str, str)
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = statistics.median(times[1:])
    return f"{times[0] - run:.4f}", f"{run:.4f}"
