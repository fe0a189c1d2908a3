# wrong: waits for the first array only; exercise: timing; must fail: outputs; says: only some of them were waited for
import statistics


def time_call(function, *arguments):
    def seconds():
        start = time.perf_counter()
        jax.tree.leaves(function(*arguments))[0].block_until_ready()
        return time.perf_counter() - start

    first = seconds()
    run = statistics.median(seconds() for _ in range(7))
    return first - run, run
