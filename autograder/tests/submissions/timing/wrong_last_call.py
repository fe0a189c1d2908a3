# wrong: the last of five calls; exercise: timing; must fail: outputs; says: median of the calls
def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - times[-1], times[-1]
