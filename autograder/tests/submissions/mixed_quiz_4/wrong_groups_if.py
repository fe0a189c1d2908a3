# wrong: a Python branch on the groups; exercise: mixed_quiz_4_groups; must fail: outputs; says: if
@jax.jit
def group_effects(effects, groups):
    rows = []
    for group in groups:
        if group < 0 or group >= len(effects):
            rows.append(jnp.zeros(effects.shape[1]))
        else:
            rows.append(effects[group])
    return jnp.stack(rows)
