# wrong: the fastest call; exercise: timing; must fail: outputs; says: median
def time_call(function, *arguments):
    times = []
    for _ in range(8):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - min(times[1:]), min(times[1:])
