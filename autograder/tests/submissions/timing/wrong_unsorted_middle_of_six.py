# wrong: the middle of six times, not sorted; exercise: timing; must fail: outputs; says: their median
def time_call(function, *arguments):
    times = []
    for _ in range(7):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    warm = times[1:]
    run = warm[len(warm) // 2]
    return times[0] - run, run
