# wrong: the mean without the fastest and the slowest call, not the median; exercise: timing; must fail: outputs; says: all calls but the first
def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    middle = sorted(times[1:])[1:-1]
    run = sum(middle) / len(middle)
    return times[0] - run, run
