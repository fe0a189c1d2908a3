"""Repairs of the lesson timing, right and wrong, its starters and empty cells."""

# %% right_device_put
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

# %% right_jax_scalars
# right: JAX scalars in an array; exercise: timing
def time_call(function, *arguments):
    times = []
    for _ in range(8):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = jnp.median(jnp.array(times[1:]))
    return jnp.array(times[0]) - run, run

# %% right_loop
# right: first call apart, a list of times; exercise: timing
def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(5):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = sorted(times)[len(times) // 2]
    return first - run, run

# %% right_namedtuple
# right: a NamedTuple as the pair; exercise: timing
import statistics
from typing import NamedTuple


class Times(NamedTuple):
    compile_seconds: float
    run_seconds: float


class Stopwatch:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *exc):
        self.seconds = time.perf_counter() - self.start


def time_call(function, *arguments):
    times = []
    for _ in range(8):
        with Stopwatch() as watch:
            jax.block_until_ready(function(*arguments))
        times.append(watch.seconds)
    first, *rest = times
    run = statistics.median(rest)
    return Times(first - run, run)

# %% right_timeit
# right: the timeit module; exercise: timing
import timeit

import numpy as np


def time_call(function, *arguments):
    times = timeit.repeat(lambda: jax.block_until_ready(function(*arguments)), number=1, repeat=10)
    run = np.median(times[1:])
    return max(0.0, times[0] - run), run

# %% right_tree_map
# right: waits for each leaf, counts in nanoseconds; exercise: timing
import statistics
from time import perf_counter_ns


def nanoseconds(function, arguments):
    start = perf_counter_ns()
    jax.tree.map(lambda leaf: leaf.block_until_ready(), function(*arguments))
    return perf_counter_ns() - start


def time_call(function, *arguments):
    times = [nanoseconds(function, arguments) for _ in range(9)]
    run = 1e-9 * statistics.median(times[1:])
    return 1e-9 * times[0] - run, run

# %% right_warm_up_first
# right: a first call times the compilation, a second warms up; exercise: timing
import statistics


def time_call(function, *arguments):
    def seconds():
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        return time.perf_counter() - start

    first = seconds()
    seconds()  # the caches of the processor are warm now
    run_seconds = statistics.median(seconds() for _ in range(9))
    return first - run_seconds, run_seconds

# %% wrong_clock_after_call
# wrong: the clock of later calls starts once the function has returned; exercise: timing; must fail: outputs; says: started after
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(5):
        result = function(*arguments)
        start = time.perf_counter()
        jax.block_until_ready(result)
        times.append(time.perf_counter() - start)
    run = statistics.median(times)
    return first - run, run

# %% wrong_compile_less_fastest
# wrong: the first call less the fastest; exercise: timing; must fail: compilations; says: the fastest of the others
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - min(times[1:]), statistics.median(times[1:])

# %% wrong_compile_less_mean
# wrong: the first call less the mean; exercise: timing; must fail: compilations; says: the mean of the others
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - statistics.mean(times[1:]), statistics.median(times[1:])

# %% wrong_constant
# wrong: two numbers that looked right; exercise: timing; must fail: outputs; says: not called at all
def time_call(function, *arguments):
    return 0.12, 0.01

# %% wrong_everything_is_compiling
# wrong: everything before the last call is compiling; exercise: timing; must fail: compilations; says: Time the first call by itself
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return first + sum(times), statistics.median(times)

# %% wrong_first_array
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

# %% wrong_jits_anew
# wrong: times a jitted copy; exercise: timing; must fail: outputs; says: puts the function it is given under `jax.jit`
import statistics


def time_call(function, *arguments):
    function = jax.jit(function)
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)

# %% wrong_last_call
# wrong: the last of five calls; exercise: timing; must fail: outputs; says: median of the calls
def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - times[-1], times[-1]

# %% wrong_lowers
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

# %% wrong_mean
# wrong: the mean in place of the median; exercise: timing; must fail: outputs; says: Use `statistics.median`
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return first - sum(times) / len(times), sum(times) / len(times)

# %% wrong_median_of_all
# wrong: the first call is in the median; exercise: timing; must fail: outputs; says: median of the calls
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = statistics.median(times)
    return times[0] - run, run

# %% wrong_method
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

# %% wrong_middle_call
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

# %% wrong_milliseconds
# wrong: milliseconds; exercise: timing; must fail: outputs; says: Return seconds
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return 1e3 * first, 1e3 * statistics.median(times)

# %% wrong_minimum
# wrong: the fastest call; exercise: timing; must fail: outputs; says: median
def time_call(function, *arguments):
    times = []
    for _ in range(8):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0] - min(times[1:]), min(times[1:])

# %% wrong_nanoseconds
# wrong: nanoseconds; exercise: timing; must fail: outputs; says: looks like nanoseconds
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter_ns()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter_ns() - start)
    run = statistics.median(times[1:])
    return times[0] - run, run

# %% wrong_no_arguments
# wrong: forgets the arguments; exercise: timing; must fail: outputs; says: Pass them on
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function())
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function())
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)

# %% wrong_no_compile_time
# wrong: says nothing about compiling; exercise: timing; must fail: compilations; says: time that call as well
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return 0.0, statistics.median(times)

# %% wrong_no_waiting
# wrong: times the dispatch; exercise: timing; must fail: outputs; says: JAX returns before the result is there
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)

# %% wrong_no_warm_up
# wrong: the first call is among the times; exercise: timing; must fail: outputs; says: which compiles, is counted in
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return times[0], sum(times) / len(times)

# %% wrong_once
# wrong: one warm-up and one time; exercise: timing; must fail: outputs; says: a single time may be an accident
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(1):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return first - statistics.median(times), statistics.median(times)

# %% wrong_one_number
# wrong: the run alone; exercise: timing; must fail: outputs; says: one number cannot tell both
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return statistics.median(times)

# %% wrong_process_time
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

# %% wrong_sum
# wrong: all calls together; exercise: timing; must fail: outputs; says: Time each call by itself
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return first, sum(times)

# %% wrong_swapped
# wrong: the run first; exercise: timing; must fail: outputs; says: in the other order
import statistics


def time_call(function, *arguments):
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))
    first = time.perf_counter() - start
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    return statistics.median(times), first - statistics.median(times)

# %% wrong_texts_of_numbers
# wrong: two texts that look like numbers; exercise: timing; must fail: outputs; says: tuple of 2 (str, str)
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = statistics.median(times[1:])
    return f"{times[0] - run:.4f}", f"{run:.4f}"

# %% wrong_times_jit_itself
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

# %% wrong_two_texts
# wrong: the numbers as texts; exercise: timing; must fail: outputs; says: tuple of 2 (str, str)
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = statistics.median(times[1:])
    return f"{times[0] - run:.3f} s", f"{run:.3f} s"

# %% wrong_unsorted_middle_of_six
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

# %% wrong_waits_after_the_clock
# wrong: waits, but after the clock was stopped; exercise: timing; must fail: outputs; says: the clock was stopped before waiting
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        result = function(*arguments)
        times.append(time.perf_counter() - start)
        jax.block_until_ready(result)
    run = statistics.median(times[1:])
    return times[0] - run, run

# %% wrong_waits_once
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

# %% wrong_way_round
# wrong: the run less the first call; exercise: timing; must fail: compilations; says: the wrong way round
import statistics


def time_call(function, *arguments):
    times = []
    for _ in range(6):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = statistics.median(times[1:])
    return run - times[0], run

# %% wrong_whole_first_call
# wrong: gives the whole first call for compiling; exercise: timing; must fail: compilations; says: all that the first call took
import numpy as np


def time_call(function, *arguments):
    marks = []
    for _ in range(8):
        start = time.monotonic()
        jax.device_get(function(*arguments))
        marks.append(time.monotonic() - start)
    return marks[0], float(np.median(marks[1:]))

# %% starter
# starter: as shipped; exercise: timing; must fail: outputs; says: were never waited for

# %% empty
# empty: nothing; exercise: timing; must fail: outputs; says: no function `time_call`
