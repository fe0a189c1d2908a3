# wrong: the call in the middle, not the time in the middle; exercise: timing; must fail: outputs; says: single call
def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    first, warm = times[0], times[1:]
    middle = warm[len(warm) // 2]
    return first - middle, middle
