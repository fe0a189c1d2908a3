# right: a key class that splits itself, made in the call; exercise: purity_hunt_noise
class Keys:
    def __init__(self, key):
        self.key = key

    def __next__(self):
        self.key, new = jax.random.split(self.key)
        return new


@jax.jit
def two_draws(key, M, S):
    keys = Keys(key)
    return tuple(M + S * jax.random.normal(next(keys), M.shape) for _ in range(2))
