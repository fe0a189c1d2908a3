# right: JAX scalars in an array; exercise: timing
def time_call(function, *arguments):
    times = []
    for _ in range(8):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))
        times.append(time.perf_counter() - start)
    run = jnp.median(jnp.array(times[1:]))
    return jnp.array(times[0]) - run, run
