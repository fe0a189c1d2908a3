# right: a dictionary as state, a flag in it; exercise: early_stop
@jax.jit
def latent_mode(counts, offsets, limit):
    eps = jnp.finfo(counts.dtype).eps

    def step(s):
        new = newton(s["z"], counts, offsets)
        small = jnp.abs(new - s["z"]) <= 100 * eps * (1 + jnp.abs(new))
        return {"z": new, "done": small.all(), "i": s["i"] + 1}

    start = {"z": jnp.log(counts + 0.5) - offsets, "done": jnp.array(False), "i": jnp.int32(0)}
    end = lax.while_loop(lambda s: ~s["done"] & (s["i"] < limit), step, start)
    return end["z"], end["i"], end["done"]
