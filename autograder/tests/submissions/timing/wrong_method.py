# wrong: waits with the method of arrays; exercise: timing; must fail: outputs; says: waits for everything in a tuple
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    function(*arguments).block_until_ready()
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        function(*arguments).block_until_ready()
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)
