# attack: a tuple that says it has one name; exercise: static_reshape; must not gain: outputs
class One(tuple):
    def __len__(self):
        return 1

    def __iter__(self):
        return iter(())


@jax.jit
def _both(counts):
    return counts.reshape(-1), counts.sum()


def rank_abundance(counts):
    return One(_both(counts))
