# right: a scan, the count in its carry; exercise: mixed_quiz_4_descend
@jax.jit
def descend(B, slopes):
    def step(carry, slope):
        B, count = carry
        return (B - slope / count, count + 1), None

    return jax.lax.scan(step, (B, 1.0), slopes)[0][0]
