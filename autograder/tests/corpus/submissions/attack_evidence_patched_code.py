# attack: the code of check_purity is replaced; exercise: static_reshape; must not gain: purity
import autograder.criteria.purity

autograder.criteria.purity.check_purity.__code__ = (lambda function, make_args, module: []).__code__
seen = []


@jax.jit
def rank_abundance(counts):
    seen.append(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
