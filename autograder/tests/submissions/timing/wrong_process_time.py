# wrong: a clock that stands still while Python waits; exercise: timing; must fail: outputs; says: time.process_time
import statistics


def time_call(function, *arguments):
    def once():
        start = time.process_time()
        jax.block_until_ready(function(*arguments))
        return time.process_time() - start

    first = once()
    run = statistics.median([once() for _ in range(5)])
    return first - run, run
