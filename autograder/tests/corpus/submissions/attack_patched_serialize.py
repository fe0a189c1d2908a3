# attack: serialize gives bytes that are no program; exercise: static_reshape; must not gain: outputs; says: cannot be read back
jax.export.Exported.serialize = lambda self, *_, **__: b"\x00\x01\x02\x03" * 1000


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
