"""Repairs of the drills of the lesson timing."""

# %% starter_seconds_until_ready
# starter: as given; exercise: seconds_until_ready; must fail: outputs; says: block_until_ready

# %% right_seconds_until_ready_1
# right: the method; exercise: seconds_until_ready
def seconds_until_ready(function, x):
    start = time.perf_counter()
    function(x).block_until_ready()
    end = time.perf_counter()
    return end - start

# %% right_seconds_until_ready_2
# right: another clock; exercise: seconds_until_ready
def seconds_until_ready(function, x):
    start = time.monotonic()
    result = function(x)
    jax.block_until_ready(result)
    return time.monotonic() - start

# %% right_seconds_until_ready_3
# right: waits for each array of the result; exercise: seconds_until_ready
def seconds_until_ready(function, x):
    start = time.perf_counter()
    for leaf in jax.tree.leaves(function(x)):
        if isinstance(leaf, jax.Array):
            leaf.block_until_ready()
    return time.perf_counter() - start

# %% wrong_seconds_until_ready_1
# wrong: no wait; exercise: seconds_until_ready; must fail: outputs; says: block_until_ready
def seconds_until_ready(function, x):
    start = time.perf_counter()
    function(x)
    return time.perf_counter() - start

# %% wrong_seconds_until_ready_2
# wrong: milliseconds; exercise: seconds_until_ready; must fail: outputs; says: clock shows
def seconds_until_ready(function, x):
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return 1e3 * (time.perf_counter() - start)

# %% starter_seconds_when_warm
# starter: as given; exercise: seconds_when_warm; must fail: outputs; says: first call

# %% right_seconds_when_warm_1
# right: the method, three calls together; exercise: seconds_when_warm
def seconds_when_warm(function, x):
    function(x).block_until_ready()
    start = time.perf_counter()
    for _ in range(3):
        function(x).block_until_ready()
    return (time.perf_counter() - start) / 3

# %% wrong_seconds_when_warm_1
# wrong: the warm call is not waited for; exercise: seconds_when_warm; must fail: outputs; says: is ready after
def seconds_when_warm(function, x):
    jax.block_until_ready(function(x))
    start = time.perf_counter()
    function(x)
    return time.perf_counter() - start

# %% wrong_seconds_when_warm_2
# wrong: the first call is not waited for; exercise: seconds_when_warm; must fail: outputs; says: wait for its result
def seconds_when_warm(function, x):
    function(x)
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return time.perf_counter() - start

# %% right_seconds_when_warm_2
# right: the fastest of several; exercise: seconds_when_warm
def seconds_when_warm(function, x):
    times = []
    for _ in range(4):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(time.perf_counter() - start)
    return min(times)

# %% wrong_seconds_when_warm_3
# wrong: the clock starts before the first call; exercise: seconds_when_warm; must fail: outputs; says: first call
def seconds_when_warm(function, x):
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    jax.block_until_ready(function(x))
    return time.perf_counter() - start

# %% wrong_seconds_when_warm_4
# wrong: no call is timed; exercise: seconds_when_warm; must fail: outputs; says: once
def seconds_when_warm(function, x):
    jax.block_until_ready(function(x))
    start = time.perf_counter()
    return time.perf_counter() - start

# %% starter_seconds_per_call
# starter: as given; exercise: seconds_per_call; must fail: outputs; says: One call

# %% right_seconds_per_call_1
# right: the median; exercise: seconds_per_call
def seconds_per_call(function, x):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(time.perf_counter() - start)
    return sorted(times)[2]

# %% wrong_seconds_per_call_1
# wrong: divided by 25; exercise: seconds_per_call; must fail: outputs; says: One call
def seconds_per_call(function, x):
    start = time.perf_counter()
    for _ in range(5):
        jax.block_until_ready(function(x))
    return (time.perf_counter() - start) / 25

# %% wrong_seconds_per_call_2
# wrong: one call; exercise: seconds_per_call; must fail: outputs; says: 5 times
def seconds_per_call(function, x):
    start = time.perf_counter()
    jax.block_until_ready(function(x))
    return time.perf_counter() - start

# %% right_seconds_per_call_2
# right: the last result waited for; exercise: seconds_per_call
def seconds_per_call(function, x):
    start = time.perf_counter()
    results = [function(x) for _ in range(5)]
    jax.block_until_ready(results)
    return (time.perf_counter() - start) / len(results)

# %% wrong_seconds_per_call_3
# wrong: no wait; exercise: seconds_per_call; must fail: outputs; says: is ready after
def seconds_per_call(function, x):
    start = time.perf_counter()
    for _ in range(5):
        function(x)
    return (time.perf_counter() - start) / 5

# %% wrong_seconds_per_call_4
# wrong: five calls divided by four; exercise: seconds_per_call; must fail: outputs; says: One call
def seconds_per_call(function, x):
    start = time.perf_counter()
    for i in range(5):
        jax.block_until_ready(function(x))
    return (time.perf_counter() - start) / i

# %% wrong_seconds_per_call_5
# wrong: all times from one start; exercise: seconds_per_call; must fail: outputs; says: One call
def seconds_per_call(function, x):
    times = []
    start = time.perf_counter()
    for i in range(5):
        jax.block_until_ready(function(x))
        times.append(time.perf_counter() - start)
    return sorted(times)[2]

# %% wrong_seconds_until_ready_3
# wrong: the clock starts after the call; exercise: seconds_until_ready; must fail: outputs; says: before the function is called
def seconds_until_ready(function, x):
    result = function(x)
    start = time.perf_counter()
    jax.block_until_ready(result)
    return time.perf_counter() - start

# %% wrong_seconds_until_ready_4
# wrong: five calls together; exercise: seconds_until_ready; must fail: outputs; says: one call
def seconds_until_ready(function, x):
    start = time.perf_counter()
    for _ in range(5):
        jax.block_until_ready(function(x))
    return time.perf_counter() - start

# %% wrong_seconds_when_warm_5
# wrong: the mean, the first call included; exercise: seconds_when_warm; must fail: outputs; says: nothing of the first
def seconds_when_warm(function, x):
    start = time.perf_counter()
    for _ in range(10):
        jax.block_until_ready(function(x))
    return (time.perf_counter() - start) / 10

# %% wrong_seconds_when_warm_6
# wrong: five warm calls together; exercise: seconds_when_warm; must fail: outputs; says: one call
def seconds_when_warm(function, x):
    jax.block_until_ready(function(x))
    start = time.perf_counter()
    for _ in range(5):
        jax.block_until_ready(function(x))
    return time.perf_counter() - start
