"""Repairs of the drills of the lesson timing."""

# %% starter_rates
# starter: as given; exercise: rates; must fail: compilations; says: compile

# %% right_rates_1
# right: both in the jitted partial's stead; exercise: rates
@jax.jit
def divide(depths, Y):
    return Y / depths[:, None]

def rates(Y, depths):
    return divide(depths, Y)

# %% right_rates_2
# right: jitted once, a lambda; exercise: rates
rates = jax.jit(lambda Y, depths: jnp.divide(Y.T, depths).T)

# %% wrong_rates_1
# wrong: a lambda at each call; exercise: rates; must fail: compilations; says: compile
def rates(Y, depths):
    return jax.jit(lambda Y: Y / depths[:, None])(Y)

# %% wrong_rates_2
# wrong: no jit; exercise: rates; must fail: compilations; says: jit
def rates(Y, depths):
    return Y / depths[:, None]

# %% wrong_rates_3
# wrong: the mean depth; exercise: rates; must fail: outputs; says: rates
@jax.jit
def rates(Y, depths):
    return Y / depths.mean()

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

# %% right_seconds_when_warm_2
# right: the fastest of several; exercise: seconds_when_warm
def seconds_when_warm(function, x):
    times = []
    for _ in range(4):
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        times.append(time.perf_counter() - start)
    return min(times)

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
