# right: the arguments are put on the device before the clock starts; exercise: timing
import statistics


def time_call(function, *arguments):
    arguments = jax.block_until_ready(jax.device_put(arguments))

    def seconds():
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        return time.perf_counter() - start

    first = seconds()
    run_seconds = statistics.median(seconds() for _ in range(7))
    return first - run_seconds, run_seconds
