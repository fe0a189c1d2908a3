# wrong: a dictionary in place of three things; exercise: early_stop; must fail: outputs; says: three
@jax.jit
def latent_mode(counts, offsets, limit):
    def go_on(state):
        return (state["change"] > 1e-5) & (state["iterations"] < limit)

    def step(state):
        new = newton(state["z"], counts, offsets)
        change = jnp.max(jnp.abs(new - state["z"]) / (1 + jnp.abs(new)))
        return {"z": new, "change": change, "iterations": state["iterations"] + 1}

    start = {"z": jnp.log(counts + 0.5) - offsets, "change": jnp.inf, "iterations": 0}
    end = lax.while_loop(go_on, step, start)
    return {"z": end["z"], "iterations": end["iterations"], "converged": end["change"] <= 1e-5}
