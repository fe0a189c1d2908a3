# right: match on the static power, with a local list changed; exercise: static_branch
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    notes = []
    notes.append(power)
    match notes[0]:
        case 0:
            return jnp.log(counts + 1)
        case p:
            return ((counts + 1) ** p - 1) / p
