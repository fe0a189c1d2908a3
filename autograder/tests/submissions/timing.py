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

# %% right_assigned
# right: jitted after its definition; exercise: slow_compile
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


fit = jax.jit(fit, static_argnums=3)

# %% right_by_columns
# right: mapped over taxa, the ELBO summed after; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def column(y, o):
        def body(carry, _):
            M, log_S, elbo = step(*carry, y, o, rate)
            return (M, log_S), elbo

        start = jnp.zeros(y.shape)
        return jax.lax.scan(body, (start, start), length=n_iterations)

    (M, log_S), elbos = jax.vmap(column, in_axes=1, out_axes=((1, 1), 1))(Y, O)
    return M, log_S, elbos.sum(axis=1)

# %% right_fori_loop
# right: fori_loop that fills an array; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(i, carry):
        M, log_S, elbos = carry
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        return M, log_S, elbos.at[i].set(elbo)

    start = jnp.zeros(Y.shape)
    carry = start, start, jnp.zeros(n_iterations)
    return jax.lax.fori_loop(0, n_iterations, body, carry)

# %% right_partial_once
# right: a partial of the step, made while tracing; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    move = partial(step, Y=Y, O=O, rate=rate)

    def body(carry, rate_again):
        M, log_S, elbo = move(*carry)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), None, n_iterations, unroll=2)
    return M, log_S, elbos

# %% right_plain_around
# right: a plain function around the jitted one, with the start as arguments; exercise: slow_compile
@partial(jax.jit, static_argnums=0)
def run(length, start, data, rate):
    def body(carry, _):
        *carry, elbo = step(*carry, *data, rate)
        return tuple(carry), elbo

    return jax.lax.scan(body, start, length=length)


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    start = jnp.zeros_like(Y)
    (M, log_S), elbos = run(n_iterations, (start, start), (Y, O), rate)
    return M, log_S, elbos

# %% right_plain_calls_jitted
# right: a plain function calls a jitted one with its arguments in another order; exercise: slow_compile
def improve(n_iterations, rate, Y, O):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    zeros = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (zeros, zeros), length=n_iterations)
    return M, log_S, elbos


improve = jax.jit(improve, static_argnums=0)


def fit(Y, O, rate, n_iterations):
    return improve(n_iterations, rate, Y, O)

# %% right_scan_over_rates
# right: the rate comes in as what is scanned over; exercise: slow_compile
@partial(jax.jit, static_argnums=3)
def fit(Y, O, rate, n_iterations):
    def improve(state, rate):
        M, log_S, before = step(state[0], state[1], Y, O, rate)
        return (M, log_S), before

    state, elbos = jax.lax.scan(improve, (0 * Y, 0 * Y), jnp.full(n_iterations, rate))
    return *state, elbos

# %% right_traced_length
# right: the parts in a dictionary, for as many steps as the array of zeros is long; exercise: slow_compile
@partial(jax.jit, static_argnames=["n_iterations"])
def fit(Y, O, rate, n_iterations):
    def body(now, zero):
        M, log_S, elbo = step(now["M"], now["log_S"], Y, O, rate)
        return {"M": M, "log_S": log_S}, elbo + zero

    begin = {"M": jnp.zeros_like(Y), "log_S": jnp.zeros_like(O)}
    end, elbos = jax.lax.scan(body, begin, jnp.zeros(n_iterations))
    return end["M"], end["log_S"], elbos

# %% right_while_loop
# right: a while_loop with its own counter; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def go_on(state):
        return state[0] < n_iterations

    def once(state):
        i, M, log_S, elbos = state
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        return i + 1, M, log_S, elbos.at[i].set(elbo)

    zeros = jnp.zeros(Y.shape)
    return jax.lax.while_loop(go_on, once, (0, zeros, zeros, jnp.zeros(n_iterations)))[1:]

# %% right_callable_object
# right: an object that holds the compiled program; exercise: ahead_of_time_compiled
class Fit:
    def __init__(self, compiled):
        self.compiled = compiled

    def __call__(self, Y, O):
        return self.compiled(Y, O)


def compile_fit(Y, O, steps):
    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in (Y, O)]
    return Fit(jax.jit(partial(poisson_fit, steps=steps)).lower(*shapes).compile())

# %% right_jitted_closure
# right: a jitted function of the data alone, compiled ahead of time; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    fit = jax.jit(lambda Y, O: poisson_fit(Y, O, steps))
    fit.lower(Y, O).compile()
    return fit

# %% right_keyword
# right: steps by keyword; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps=steps).compile()

# %% right_lambda_of_jitted
# right: compiled ahead of time, which fills the cache of the jitted function that is called; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: poisson_fit(Y, O, steps)

# %% right_partial_by_name
# right: lowered and called by name; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps=steps).compile()
    return partial(poisson_fit, steps=steps)

# %% right_stages
# right: stage by stage, from shapes made anew; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    shapes = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in (Y, O)]
    lowered = poisson_fit.trace(*shapes, steps).lower()
    compiled = lowered.compile()
    return compiled

# %% right_wrapper
# right: a function around the compiled object; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()

    def fit(Y, O):
        return compiled(Y, O)

    return fit

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

# %% wrong_chunks_of_ten
# wrong: a scan for each chunk of ten iterations; exercise: slow_compile; must fail: compilations; says: grows
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    carry, traces = (start, start), []
    for first in range(0, n_iterations, 10):
        carry, elbos = jax.lax.scan(body, carry, length=min(10, n_iterations - first))
        traces.append(elbos)
    return *carry, jnp.concatenate(traces)

# %% wrong_closes_over
# wrong: a scan, the data closed over; exercise: slow_compile; must fail: compilations; says: compiled
def fit(Y, O, rate, n_iterations):
    @jax.jit
    def run(start, rate):
        def body(carry, _):
            M, log_S, elbo = step(*carry, Y, O, rate)
            return (M, log_S), elbo

        return jax.lax.scan(body, (start, start), length=n_iterations)

    (M, log_S), elbos = run(jnp.zeros(Y.shape), rate)
    return M, log_S, elbos

# %% wrong_elbo_after
# wrong: the ELBO after each step; exercise: slow_compile; must fail: outputs; says: [2]
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, _ = step(*carry, Y, O, rate)
        return (M, log_S), step(M, log_S, Y, O, rate)[2]

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_history
# wrong: keeps the ELBOs in a list; exercise: slow_compile; must fail: outputs, purity; says: tracer
history = []


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        history.append(elbo)
        return (M, log_S), None

    start = jnp.zeros(Y.shape)
    (M, log_S), _ = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, jnp.stack(history)

# %% wrong_jitted_step
# wrong: only the step is jitted; exercise: slow_compile; must fail: compilations; says: jit
jitted = jax.jit(step)


def fit(Y, O, rate, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = jitted(M, log_S, Y, O, rate)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)

# %% wrong_last_elbo
# wrong: returns the last ELBO only; exercise: slow_compile; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos[-1]

# %% wrong_new_partial
# wrong: a scan, in a new partial at each call; exercise: slow_compile; must fail: compilations; says: compiled
def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    return jax.jit(partial(run, rate=rate, n_iterations=n_iterations))(Y, O)

# %% wrong_no_jit
# wrong: a scan and no jit; exercise: slow_compile; must fail: compilations; says: jit
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_oaks
# wrong: fits the oaks, whatever it is given; exercise: slow_compile; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, counts, offsets, rate)
        return (M, log_S), elbo

    start = jnp.zeros(counts.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_one_iteration
# wrong: for one iteration, the ELBO is a number and no longer an array of one; exercise: slow_compile; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo[None]

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos.squeeze()

# %% wrong_own_cache
# wrong: keeps its programs in a dictionary; exercise: slow_compile; must fail: purity, compilations; says: programs
programs = {}


def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    if (Y.shape, n_iterations) not in programs:
        programs[Y.shape, n_iterations] = jax.jit(partial(run, n_iterations=n_iterations))
    return programs[Y.shape, n_iterations](Y, O, rate)

# %% wrong_program_by_number
# wrong: a jitted function for each number of iterations, in an lru_cache; exercise: slow_compile; must fail: compilations; says: the task asks for one
from functools import lru_cache


@lru_cache
def program(n):
    @jax.jit
    def run(Y, O, rate):
        def body(carry, _):
            M, log_S, elbo = step(*carry, Y, O, rate)
            return (M, log_S), elbo

        z = jnp.zeros_like(Y)
        (M, log_S), elbos = jax.lax.scan(body, (z, z), length=n)
        return M, log_S, elbos

    return run


def fit(Y, O, rate, n_iterations):
    return program(n_iterations)(Y, O, rate)

# %% wrong_rate_static
# wrong: the rate is static too; exercise: slow_compile; must fail: compilations; says: `rate` was the static value
@partial(jax.jit, static_argnames=("rate", "n_iterations"))
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_static_data
# wrong: the data are a static argument; exercise: slow_compile; must fail: compilations; says: another one
class Held:
    def __init__(self, Y, O):
        self.Y, self.O = Y, O


@partial(jax.jit, static_argnames=("held", "n_iterations"))
def run(held, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, held.Y, held.O, rate)
        return (M, log_S), elbo

    zeros = jnp.zeros(held.Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (zeros, zeros), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    return run(Held(Y, O), rate, n_iterations)

# %% wrong_table_of_programs
# wrong: a table of a hundred jitted functions, so that no fit can have more iterations; exercise: slow_compile; must fail: compilations; says: the task asks for one
def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


fits = {n: jax.jit(partial(run, n_iterations=n)) for n in range(1, 101)}


def fit(Y, O, rate, n_iterations):
    return fits[n_iterations](Y, O, rate)

# %% wrong_twelve_at_most
# wrong: room for the twelve iterations of the notebook; exercise: slow_compile; must fail: outputs; says: fit
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=min(n_iterations, 12))
    return M, log_S, jnp.pad(elbos, (0, n_iterations - len(elbos)))

# %% wrong_unrolled
# wrong: jitted once, still unrolled; exercise: slow_compile; must fail: compilations; says: unrolled
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)

# %% wrong_beside_the_program
# wrong: computes beside the program; exercise: ahead_of_time_compiled; must fail: compilations; says: beside that program
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()

    def fit(Y, O):
        means, likelihoods = compiled(Y, O)
        return means - 0.0, likelihoods

    return fit

# %% wrong_cached_by_steps
# wrong: programs are kept by the number of steps alone, whatever the shapes; exercise: ahead_of_time_compiled; must fail: outputs; says: works for the shapes and dtypes
programs = {}


def compile_fit(Y, O, steps):
    if steps not in programs:
        programs[steps] = poisson_fit.lower(Y, O, steps).compile()
    return programs[steps]

# %% wrong_compiles_later
# wrong: compiles at the call; exercise: ahead_of_time_compiled; must fail: compilations; says: Compile inside `compile_fit`
def compile_fit(Y, O, steps):
    return lambda Y, O: poisson_fit.lower(Y, O, steps).compile()(Y, O)

# %% wrong_fixed_steps_compiled
# wrong: compiled for 20 steps; exercise: ahead_of_time_compiled; must fail: outputs; says: Lower with the `Y`, `O` and `steps`
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, 20).compile()

# %% wrong_global_program
# wrong: the program is kept in a global, so an earlier fit runs the latest one; exercise: ahead_of_time_compiled; must fail: outputs; says: until `compile_fit` was called again
compiled = None


def run(Y, O):
    return compiled(Y, O)


def compile_fit(Y, O, steps):
    global compiled
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return run

# %% wrong_jits_again
# wrong: a jit of its own, which was not compiled; exercise: ahead_of_time_compiled; must fail: compilations; says: Compile inside `compile_fit`
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return jax.jit(lambda Y, O: poisson_fit(Y, O, steps))

# %% wrong_method_not_called
# wrong: the method, not called; exercise: ahead_of_time_compiled; must fail: outputs; says: does not call it
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps).compile

# %% wrong_needs_data
# wrong: makes arrays of what it is given; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with
def compile_fit(Y, O, steps):
    return poisson_fit.lower(jnp.asarray(Y), jnp.asarray(O), steps).compile()

# %% wrong_oaks_only
# wrong: compiled for the oaks, whatever is asked for; exercise: ahead_of_time_compiled; must fail: outputs; says: Lower the function with the shapes
def compile_fit(Y, O, steps):
    shapes = jax.ShapeDtypeStruct((116, 114), jnp.float32)
    return poisson_fit.lower(shapes, shapes, steps).compile()

# %% wrong_only_lowered
# wrong: not compiled; exercise: ahead_of_time_compiled; must fail: outputs; says: Go on with `.compile()`
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps)

# %% wrong_only_traced
# wrong: only traced; exercise: ahead_of_time_compiled; must fail: outputs; says: Go on with `.lower().compile()`
def compile_fit(Y, O, steps):
    return poisson_fit.trace(Y, O, steps)

# %% wrong_partial
# wrong: a partial of the jitted function; exercise: ahead_of_time_compiled; must fail: compilations; says: it still goes through `jax.jit`
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return partial(poisson_fit, steps=steps)

# %% wrong_passes_steps_again
# wrong: gives the compiled object its static argument; exercise: ahead_of_time_compiled; must fail: outputs; says: Leave the static arguments out
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: compiled(Y, O, steps)

# %% wrong_plain_fit
# wrong: the tutorial's mistake, the plain function is called; exercise: ahead_of_time_compiled; must fail: compilations; says: does not run what `compile_fit` compiled
def compile_fit(Y, O, steps):
    def fit(Y, O):
        return poisson_fit(Y, O, steps)

    jax.jit(fit).lower(Y, O).compile()
    return fit

# %% wrong_returns_jitted
# wrong: the jitted function itself; exercise: ahead_of_time_compiled; must fail: compilations; says: what `.compile()` gave is thrown away
def compile_fit(Y, O, steps):
    lowered = poisson_fit.lower(Y, O, steps)
    lowered.compile()
    return poisson_fit

# %% wrong_returns_results
# wrong: returns the results; exercise: ahead_of_time_compiled; must fail: outputs; says: to be called as `fit(Y, O)`
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return compiled(jnp.zeros(Y.shape), jnp.zeros(O.shape))

# %% wrong_runs_instead
# wrong: warms the jitted function up in place of compiling; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with
def compile_fit(Y, O, steps):
    poisson_fit(Y, O, steps)
    return poisson_fit

# %% wrong_swapped_compiled
# wrong: offsets and counts swapped; exercise: ahead_of_time_compiled; must fail: outputs; says: arguments in their order
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: compiled(O, Y)

# %% wrong_wants_steps
# wrong: what is returned still wants the steps; exercise: ahead_of_time_compiled; must fail: outputs; says: missing 1 required positional argument
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O, steps: compiled(Y, O)

# %% wrong_compiles_for_itself
# wrong: lowers the jitted fit, then calls the jitted function by name; exercise: ahead_of_time_compiled; must fail: compilations; says: Compile inside `compile_fit`
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()

    def fit(Y, O):
        return poisson_fit(Y, O, steps=steps)

    return fit

# %% wrong_returns_pair
# wrong: the program with its number of steps; exercise: ahead_of_time_compiled; must fail: outputs; says: to be called as `fit(Y, O)`
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps).compile(), steps

# %% starter
# starter: as shipped; exercise: timing; must fail: outputs; says: were never waited for

# %% starter_slow_compile
# starter: as shipped; exercise: slow_compile; must fail: compilations; says: compiled

# %% starter_ahead_of_time_compiled
# starter: as shipped; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with

# %% empty
# empty: nothing; exercise: timing; must fail: outputs; says: no function `time_call`

# %% empty_slow_compile
# empty: nothing in the cell; exercise: slow_compile; must fail: outputs; says: There is no

# %% empty_ahead_of_time_compiled
# empty: nothing; exercise: ahead_of_time_compiled; must fail: outputs; says: no function `compile_fit`
