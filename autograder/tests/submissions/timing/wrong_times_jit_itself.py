# wrong: takes the time of applying jit for compiling; exercise: timing; must fail: compilations; says: compiles nothing before the first call
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.jit(function)
    compile_seconds = time.perf_counter() - start
    jax.block_until_ready(function(*arguments))
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return compile_seconds, statistics.median(times)
