# wrong: waits for the last result only; exercise: timing; must fail: outputs; says: were never waited for
def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    start = time.perf_counter()
    for _ in range(10):
        result = function(*arguments)
    jax.block_until_ready(result)
    run = (time.perf_counter() - start) / 10
    return first - run, run
