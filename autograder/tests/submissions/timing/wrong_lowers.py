# wrong: compiles ahead of time; exercise: timing; must fail: outputs; says: must work for any function
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    compiled = function.lower(*arguments).compile()
    compile_seconds = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(compiled(*arguments))
        times.append(time.perf_counter() - start)
    return compile_seconds, statistics.median(times)
