# right: a static method of a class, jitted; exercise: static_reshape
class Ranking:
    @staticmethod
    def of(counts):
        return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)


rank_abundance = jax.jit(Ranking.of)
